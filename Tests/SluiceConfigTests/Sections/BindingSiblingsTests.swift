import SluiceContract
import SluiceRules
import Testing

@testable import SluiceConfig

/// Of every setting that a binding has: one sibling that says something else has a request of its own, or the setting
/// is on the list of those of which siblings have their own.
@Suite struct BindingSiblingsTests {
    private struct Sample: Sendable {
        let path: PartialKeyPath<Binding> & Sendable
        let edits: [@Sendable (inout Binding) -> Void]

        init<Value>(_ path: WritableKeyPath<Binding, Value> & Sendable, _ values: [@Sendable (inout Value) -> Void]) {
            self.path = path
            edits = values.map { change in { change(&$0[keyPath: path]) } }
        }
    }

    /// What else each may say, by the key of the configuration: all kinds of values that could matter.
    private static let samples: [String: [Sample]] = [
        "to": [
            Sample(\.upstream, [{ $0 = "nut" }]), Sample(\.upstreamPath, [{ $0.hasRest = true }]),
            Sample(\.upstreamMethod, [{ $0 = "GET" }, { $0 = "POST" }]),
        ],
        "parts": [Sample(\.composition, [{ $0 = Composition([]) }])],
        "params": [
            Sample(
                \.parameters,
                [
                    { $0 = [Parameter(name: "x", location: .query, type: .scalar(.int))] },
                    { $0 = [Parameter(name: "x", location: .body, type: .scalar(.int))] },
                ])
        ],
        "credential": [Sample(\.credential, [{ $0 = CredentialChoice.none }, { $0 = .named("x") }])],
        // Groups of what stands under params.
        "use": [],
        "body": [Sample(\.body, [{ $0 = .none }, { $0 = .json(.scalar(.json)) }])],
        "graphql": [Sample(\.graphQL, [{ $0 = .query("{ a }") }, { $0 = .persisted("{ a }") }])],
        "rows": [Sample(\.rows, [{ $0 = RowPolicy(.ndjson) }])],
        "pages": [Sample(\.pages, [{ $0 = PagePolicy(.link) }])],
        "local-urls": [Sample(\.localURLs, [{ $0 = [FieldPath(components: [.key("next")])] }])],
        "parent": [Sample(\.parent, [{ $0 = FieldPath("z") }, { $0 = nil }])],
        "wrap": [Sample(\.wrap, [{ $0 = ["a"] }])],
        "value": [
            Sample(\.value, [{ $0 = .scalar(.string) }, { $0 = nil }]),
            Sample(\.valueByStatus, [{ $0 = [203: .scalar(.int)] }]),
        ],
        "default": [Sample(\.defaultJSON, [{ $0 = "1" }])],
        "bearer": [Sample(\.sendsBearer, [{ $0 = false }])],
        "keep": [Sample(\.keep, [{ $0 = .init(bearer: FieldPath(components: [.key("a")])) }])],
        "then": [Sample(\.then, [{ $0 = AfterWrite() }])],
        "timeout": [Sample(\.timeout, [{ $0 = UpstreamTimeouts() }])],
        "error": [
            Sample(\.error, [{ $0 = ErrorPaths() }]), Sample(\.errorByStatus, [{ $0 = [404: ErrorPaths()] }]),
            Sample(\.reportedError, [{ $0 = ReportedError() }, { $0 = reporting }]),
        ],
        "follow": [Sample(\.follow, [{ $0 = .sameOrigin }])],
        "keys": [Sample(\.keys, [{ $0 = .camelCase }])],
        "headers": [Sample(\.headers, [{ $0 = [HeaderSetting(name: "a", value: "b")] }])],
        "upgrade": [Sample(\.upgrade, [{ $0 = .websocket }])],
        "fixture": [Sample(\.fixture, [{ $0 = .generated }])],
        "fixtures": [Sample(\.fixtures, [{ $0 = [NamedFixture("a", .generated)] }])],
        "answer-headers": [Sample(\.answerHeaders, [{ $0 = AnswerHeaders([.init(name: "a", value: "b")]) }])],
        "idempotency-key": [Sample(\.idempotencyKey, [{ $0 = IdempotencyKey("a") }])],
        "rate": [Sample(\.rate, [{ $0 = RateLimit(1, per: .seconds(1)) }])],
        "concurrency": [Sample(\.concurrency, [{ $0 = ConcurrencyLimit(1) }])],
        "unknown-params": [Sample(\.unknownParameters, [{ $0 = .pass }, { $0 = .drop }])],
        "unknown": [Sample(\.unknownKeys, [{ $0 = .drop }, { $0 = .reject }])],
        "serve": [Sample(\.serve, [{ $0 = [.error] }])],
        "cache": [
            Sample(
                \.cache,
                [
                    { $0?.fresh = .seconds(1) }, { $0?.staleWhileRevalidate = .seconds(1) },
                    { $0?.staleIfError = .seconds(1) }, { $0?.retryAfterError = .seconds(1) },
                    { $0?.vary = ["accept"] }, { $0?.vary = ["forwarded"] }, { $0?.key = [] },
                    { $0?.isPrivate = true }, { $0?.tags = ["a"] }, { $0 = nil },
                ])
        ],
        "patience": [Sample(\.patience, [{ $0 = .seconds(1) }])],
        "drift": [Sample(\.drift, [{ $0 = DriftPolicy() }])],
        "on-drift": [Sample(\.onDrift, [{ $0 = .pass }, { $0 = .default }])],
        "hold": [Sample(\.holdBytes, [{ $0 = 5 }, { $0 = 0 }])],
        "early": [Sample(\.early, [{ $0 = true }])],
        "report": [Sample(\.reportCount, [{ $0 = 1 }])],
        "answer": [Sample(\.answer, [{ $0 = .echo }])],
        "retry": [Sample(\.retry, [{ $0 = RetryPolicy() }, { $0 = .off }])],
        "hedge": [Sample(\.hedge, [{ $0 = .percentile(90) }])],
        "body-max": [Sample(\.bodyBytesMax, [{ $0 = 1 }])],
        "set-cookie": [Sample(\.setCookie, [{ $0 = .drop }, { $0 = .store }])],
        "compress": [Sample(\.compression, [{ $0 = Compression() }])],
        "cors": [Sample(\.crossOrigin, [{ $0 = CrossOriginPolicy(.any) }])],
        "watch": [Sample(\.watch, [{ $0 = WatchPolicy() }])],
        "allow": [Sample(\.grants, [{ $0 = Grants() }])],
    ]

    private static var reporting: ReportedError {
        var reported = ReportedError()
        reported.when = [.init(FieldPath(components: [.key("ok")]), ["false"])]
        return reported
    }

    private static func binding(_ name: String) -> Binding {
        var binding = Binding(
            methods: ["GET"], path: PathTemplate(segments: [[.text(name)]], hasRest: false), upstream: "fruit",
            upstreamPath: PathTemplate(segments: [], hasRest: false))
        binding.value = .scalar(.int)
        binding.cache = CachePolicy()
        return binding
    }

    private static func shares(_ edit: (inout Binding) -> Void) -> Bool {
        var configuration = Configuration()
        configuration.bindings = [binding("a"), binding("b")]
        edit(&configuration.bindings[1])
        return !configuration.siblingGroups.isEmpty
    }

    @Test(arguments: BindingSection.section.keys.map(\.name))
    func settingsSeparateOrAreKnown(_ key: String) throws {
        let samples = try #require(Self.samples[key], "say here what else '\(key)' may be")
        let known = Dictionary(
            uniqueKeysWithValues: Binding.ownProperties.map { ($0.path as PartialKeyPath, $0.reason) })
        for sample in samples {
            for edit in sample.edits where Self.shares(edit) {
                #expect(known[sample.path]?.isEmpty == false, "\(key): why may siblings differ in it?")
            }
        }
        if let setting = Binding.settings.first(where: { $0.name == key }) {
            #expect(samples.contains { $0.path == setting.path }, "\(key): the sample is another property's")
        }
    }

    /// Nothing is listed that no key leads to, but for the route itself.
    @Test func everyPropertyIsLookedAt() {
        let paths = Set(Self.samples.values.joined().map { $0.path as PartialKeyPath<Binding> })
        let route: Set<PartialKeyPath<Binding>> = [\.methods, \.path]
        #expect(Mirror(reflecting: Self.binding("a")).children.count == paths.union(route).count)
        #expect(Set(Binding.ownProperties.map { $0.path as PartialKeyPath }).isSubset(of: paths.union(route)))
    }

    /// Each of these would be a wrong answer if it were forgotten.
    @Test func whatMakesOtherRequestsSeparates() {
        #expect(Self.shares { _ in })
        #expect(!Self.shares { $0.cache?.isPrivate = true })
        #expect(!Self.shares { $0.cache?.vary = ["x-real-ip"] })
        #expect(!Self.shares { $0.setCookie = .drop })
        #expect(Self.shares { $0.setCookie = .store })
    }
}
