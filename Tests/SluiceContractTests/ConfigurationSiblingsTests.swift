import SluiceContract
import Testing

/// Which bindings share one upstream request.
@Suite struct ConfigurationSiblingsTests {
    private func binding(_ path: String, _ edit: (inout Binding) throws -> Void = { _ in }) throws -> Binding {
        let upstreamPath = try PathTemplate("/fruits")
        var binding = Binding(
            methods: ["GET"], path: try PathTemplate(path), upstream: "fruit", upstreamPath: upstreamPath)
        binding.value = .scalar(.int)
        binding.parent = FieldPath(path.dropFirst().description)
        binding.cache = CachePolicy()
        try edit(&binding)
        return binding
    }

    private func groups(_ edit: (inout Binding) throws -> Void) throws -> [[Int]] {
        var configuration = Configuration()
        configuration.bindings = [try binding("/a"), try binding("/b", edit), try binding("/c")]
        return configuration.siblingGroups
    }

    /// What is a binding's own.
    @Test(
        arguments: [
            { $0.value = .array(.scalar(.string)) }, { $0.parent = nil }, { $0.unknownKeys = .drop },
            { $0.keys = .camelCase }, { $0.cache?.fresh = .seconds(5) }, { $0.cache?.tags = ["t"] },
            { $0.cache?.key = [] }, { $0.cache?.vary = ["accept"] }, { $0.serve = [.fresh, .error] },
            { $0.defaultJSON = "0" }, { $0.setCookie = .store }, { $0.methods = [] }, { $0.upstreamMethod = "GET" },
            { $0.rate = RateLimit(1, per: .seconds(1)) }, { $0.grants = Grants() },
        ] as [@Sendable (inout Binding) -> Void])
    func sharesAllTheSame(_ edit: @Sendable (inout Binding) -> Void) throws {
        #expect(try groups(edit) == [[0, 1, 2]])
    }

    /// What makes another request of it, or another answer.
    @Test(
        arguments: [
            { $0.value = nil }, { $0.cache = nil }, { $0.upstream = "nut" }, { $0.methods = ["POST"] },
            { $0.upstreamMethod = "POST" }, { $0.valueByStatus = [203: .scalar(.int)] }, { $0.early = true },
            { $0.holdBytes = 0 }, { $0.holdBytes = 5 }, { $0.sendsBearer = false }, { $0.answer = .echo },
            { $0.headers = [HeaderSetting(name: "a", value: "b")] }, { $0.cache?.isPrivate = true },
            { $0.setCookie = .drop }, { $0.unknownParameters = .pass },
            { $0.cache?.vary = ["X-Forwarded-For"] },
            { $0.parameters = [Parameter(name: "x", location: .query, type: .scalar(.int))] },
            { $0.error = ErrorPaths() }, { $0.retry = RetryPolicy() }, { $0.concurrency = ConcurrencyLimit(1) },
            { $0.timeout = UpstreamTimeouts() }, { $0.follow = .sameOrigin }, { $0.reportCount = 1 },
        ] as [@Sendable (inout Binding) -> Void])
    func staysAlone(_ edit: @Sendable (inout Binding) -> Void) throws {
        #expect(try groups(edit) == [[0, 2]])
    }

    @Test func aGroupHasItsLimit() throws {
        var configuration = Configuration()
        configuration.bindings = try (0..<17).map { try binding("/a\($0)") }
        #expect(configuration.siblingGroups == [])
        configuration.bindings.removeLast()
        #expect(configuration.siblingGroups == [Array(0..<16)])
    }
}
