import SluiceContract
import Testing

@testable import SluiceGateway

/// What a stored answer is found by says all that a binding says, be it for this process or for every one.
@Suite struct BindingTextsTests {
    private static let origin = Upstream.Origin.tcp(host: "a", port: 80, tls: false)

    private static func text(
        in texts: BindingTexts, upstream change: (inout Upstream) -> Void = { _ in },
        _ edit: (inout Binding) -> Void = { _ in }
    ) -> String {
        let root = PathTemplate(segments: [[.text("a")]], hasRest: false)
        var binding = Binding(methods: ["GET"], path: root, upstream: "a", upstreamPath: root)
        binding.value = object { _ in }
        binding.cache = CachePolicy()
        binding.parameters = [Parameter(name: "p", location: .query, type: .scalar(.int))]
        edit(&binding)
        var upstream = Upstream(name: "a", origin: origin)
        change(&upstream)
        return texts.text(of: binding, upstream)
    }

    private static func object(_ edit: (inout ObjectType) -> Void) -> TypeExpression {
        var object = ObjectType(fields: [.init(name: "x", type: .scalar(.int))])
        edit(&object)
        return .array(.optional(.object(object)))
    }

    /// The last ones differ in what the notation of a type does not show.
    @Test(
        arguments: [
            { $0.methods = ["HEAD"] }, { $0.path.hasRest = true }, { $0.upstreamPath.hasRest = true },
            { $0.parent = FieldPath("a") }, { $0.value = nil }, { $0.valueByStatus = [203: .scalar(.int)] },
            { $0.parameters = [] }, { $0.parameters[0].type = .scalar(.string) }, { $0.parameters[0].style = .comma },
            { $0.body = .none }, { $0.body = .json(.scalar(.json)) }, { $0.unknownKeys = .drop },
            { $0.cache?.fresh = .seconds(1) }, { $0.retry = RetryPolicy() }, { $0.retry = .off },
            { $0.setCookie = .store }, { $0.errorByStatus = [404: ErrorPaths()] },
            { $0.reportedError = ReportedError() },
            { $0.follow = .sameOrigin },
            { $0.value = object { $0.fields[0].from = "y" } }, { $0.value = object { $0.fields[0].defaultJSON = "1" } },
            { $0.value = object { $0.unknown = .drop } }, { $0.body = .json(object { $0.unknown = .drop }) },
            { $0.value = object { $0.fields[0].type = object { $0.fields[0].from = "z" } } },
        ] as [@Sendable (inout Binding) -> Void])
    func allOfABindingIsInIt(_ edit: @Sendable (inout Binding) -> Void) {
        for arePortable in [false, true] {
            let texts = BindingTexts(arePortable: arePortable)
            #expect(Self.text(in: texts, edit) != Self.text(in: texts))
            let others = BindingTexts(arePortable: arePortable)
            #expect(Self.text(in: others, edit) == Self.text(in: texts, edit), "the same comes of the same binding")
        }
    }

    /// The words for what a part asks say nothing of the rest.
    @Test(
        arguments: [
            { $0.name = "b" }, { $0.path = [[.text("b")]] }, { $0.each = Composition.Reference("c") },
            { $0.alias = "d" }, { $0.atOnce = 2 }, { $0.isOptional = true },
            { $0.body = Composition.Reference(Composition.requestName) },
        ] as [@Sendable (inout Composition.Part) -> Void])
    func allOfAPartIsInIt(_ edit: @Sendable (inout Composition.Part) -> Void) {
        let part = Composition.Part("a", method: "GET", path: [[.text("a")]])
        var other = part
        edit(&other)
        for arePortable in [false, true] {
            func text(_ part: Composition.Part) -> String {
                Self.text(in: BindingTexts(arePortable: arePortable), { $0.composition = Composition([part]) })
            }
            #expect(text(other) != text(part))
            #expect(text(part) == text(part))
        }
    }

    @Test(arguments: [false, true])
    func namedTypesAreInIt(_ arePortable: Bool) {
        func text(_ types: [TypeDefinition]) -> String { BindingTexts(arePortable: arePortable).text(of: types) }
        let types = [TypeDefinition(name: "A", type: Self.object { _ in })]
        #expect(text(types) == text(types))
        #expect(text(types) != text([]))
        #expect(text(types) != text([TypeDefinition(name: "B", type: types[0].type)]))
        #expect(text(types) != text([TypeDefinition(name: "A", type: Self.object { $0.fields[0].from = "y" })]))
    }

    /// Other processes find what this one has stored: what they have in common is the words.
    @Test func whatOthersReadIsWords() {
        #expect(Self.text(in: BindingTexts(arePortable: true)).contains("GET /a"))
        #expect(!Self.text(in: BindingTexts(arePortable: false)).contains("GET"))
    }

    @Test(
        arguments: [
            { $0.basePath = "/v2" }, { $0.origin = .unix(path: "/a") }, { $0.host = .client }, { $0.keys = .camelCase },
            { $0.forwarded = .none }, { $0.follow = .sameOrigin }, { $0.headers = [.init(name: "a", value: "b")] },
            { $0.error = ErrorPaths(message: FieldPath("a")) }, { $0.errorByStatus = [404: ErrorPaths()] },
            { $0.reportedError.status = 400 },
        ] as [@Sendable (inout Upstream) -> Void])
    func whatAnUpstreamSaysOfAnswersIsInIt(_ change: @Sendable (inout Upstream) -> Void) {
        for texts in [BindingTexts(arePortable: false), BindingTexts(arePortable: true)] {
            #expect(Self.text(in: texts, upstream: change) != Self.text(in: texts))
        }
    }

    /// Answers stay good when it is asked more carefully.
    @Test(
        arguments: [
            { $0.timeout.total = .seconds(1) }, { $0.bearer = .value("x") }, { $0.breaker = BreakerPolicy() },
            { $0.queueMax = 1 }, { $0.alternates = [.unix(path: "/b")] }, { $0.rate = RateLimit(1, per: .seconds(1)) },
        ] as [@Sendable (inout Upstream) -> Void])
    func howItIsAskedIsNot(_ change: @Sendable (inout Upstream) -> Void) {
        for texts in [BindingTexts(arePortable: false), BindingTexts(arePortable: true)] {
            #expect(Self.text(in: texts, upstream: change) == Self.text(in: texts))
        }
    }
}
