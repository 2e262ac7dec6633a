import SluiceContract
import Testing

@testable import SluiceRules

/// Types that lead to each other, as far as a page is long: no check waits on the stack for each of them.
@Suite struct TypeLevelsTests {
    private static func chain(_ count: Int, _ form: (TypeExpression) -> TypeExpression) -> [TypeDefinition] {
        (0..<count).map { number in
            let next = number + 1 < count ? TypeExpression.named("A\(number + 1)") : .scalar(.int)
            return TypeDefinition(name: "A\(number)", type: form(next))
        }
    }

    private static func mistakes(_ types: [TypeDefinition], _ edit: (inout Configuration) -> Void) -> [String] {
        var configuration = Configuration()
        configuration.upstreams = [Upstream(name: "fruit", origin: .tcp(host: "fruit.example", port: 443, tls: true))]
        let path = PathTemplate(segments: [[.text("a")]], hasRest: false)
        var binding = Binding(methods: ["GET"], path: path, upstream: "fruit", upstreamPath: path)
        binding.value = .named("A0")
        configuration.bindings = [binding]
        configuration.types = types
        edit(&configuration)
        return configuration.findings.filter { $0.severity == .mistake }.map { "\($0.path): \($0.message)" }
    }

    @Test func levelsOfPlans() {
        #expect(TypeLevels.firstTooDeep(in: Self.chain(512) { .optional($0) }) == nil)
        #expect(TypeLevels.firstTooDeep(in: Self.chain(513) { .optional($0) }) == "A0")
        #expect(TypeLevels.firstTooDeep(in: Self.chain(600) { .union([.null, $0]) }) == "A0")
        #expect(TypeLevels.firstTooDeep(in: Self.chain(600) { $0 }) == nil)
        #expect(TypeLevels.firstTooDeep(in: Self.chain(600) { .array($0) }) == nil)
    }

    /// Each of these went down the whole chain.
    @Test func optionalsOfOptionals() {
        let types = Self.chain(20_000) { .optional($0) }
        let edits: [(inout Configuration) -> Void] = [
            { _ in }, { $0.bindings[0].defaultJSON = "1" },
            { $0.bindings[0].parameters = [Parameter(name: "x", location: .query, type: .named("A0"))] },
            { $0.bindings[0].keep = .init(bearer: FieldPath(components: [.key("a")])) },
        ]
        for edit in edits {
            let mistakes = Self.mistakes(types, edit)
            #expect(mistakes.contains("types.A0: the type is nested more than 512 deep"), "\(mistakes)")
        }
    }

    /// Whether what is written is what is read, is asked of all types that the body leads to.
    @Test func objectsInObjects() {
        let types = Self.chain(20_000) {
            .object(ObjectType(fields: [ObjectType.Field(name: "x", type: .optional($0))]))
        }
        let mistakes = Self.mistakes(types) {
            $0.bindings[0].cache = CachePolicy()
            $0.bindings[0].cache?.fresh = .seconds(60)
            var write = $0.bindings[0]
            write.methods = ["PUT"]
            (write.body, write.answer, write.value, write.cache) = (.json(.named("A0")), .echo, nil, nil)
            write.then = AfterWrite()
            write.then?.update = "GET /a"
            $0.bindings.append(write)
        }
        #expect(mistakes == [])
    }
}
