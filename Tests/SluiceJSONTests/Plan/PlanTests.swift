import SluiceContract
import SluiceJSON
import Testing

/// Mistakes that only show when types are compiled.
@Suite struct PlanTests {
    private static let choice = TypeExpression.choice(
        ObjectChoice(key: "kind", alternatives: [.init(value: "a", type: .fields(.init("n", .int)))]))

    @Test(arguments: [
        (TypeExpression.named("Lost"), PlanError.unknownType("Lost")),
        (.named("Loop"), .circularAlias("Loop")),
        (.union([.array(.int), .array(.string)]), .ambiguousUnion("[Int] | [String]")),
        (.union([.dictionary(.int), .fields()]), .ambiguousUnion("[String: Int] | object")),
        (.union([choice, choice]), .ambiguousUnion("object | object")),
        (.fields(.init("a", .int), .init("b", .int, from: "a")), .duplicateKey("a")),
        (.fields(.init("a", .int, default: "{")), .invalidDefault("a", "is not valid JSON")),
    ])
    func mistake(_ type: TypeExpression, _ error: PlanError) {
        let types = [TypeDefinition(name: "Loop", type: .optional(.named("Loop")))]
        #expect(throws: error) { try Plan([Extraction(type: type)], types: types) }
    }

    @Test func wildcardCollectsAnArray() throws {
        let path = try #require(FieldPath("a.*.b"))
        #expect(throws: PlanError.wildcardNeedsArray("Int")) {
            try Plan([Extraction(path: path, type: .int)], types: [])
        }
        let types = [TypeDefinition(name: "Sizes", type: .optional(.array(.int)))]
        let plan = try Plan([Extraction(path: path, type: .named("Sizes"))], types: types)
        #expect(Run(plan, #"{"a":[{"b":1},{"b":2}]}"#).slices == ["[1,2]"])
        #expect(Run(plan, #"{"a":[{"b":1},{"b":"x"}]}"#).faults.map(\.name) == ["$.a[1].b"])
    }

    /// The type of each name leads to the next one.
    private static func chain(_ count: Int, _ form: (TypeExpression) -> TypeExpression) -> [TypeDefinition] {
        let types = (0..<count).map { TypeDefinition(name: "T\($0)", type: form(.named("T\($0 + 1)"))) }
        return types + [TypeDefinition(name: "T\(count)", type: .int)]
    }

    @Test func tooDeep() throws {
        let forms: [(TypeExpression) -> TypeExpression] = [
            { .fields(.init("a", $0)) }, { .fields(.init("a", .optional($0))) }, { .array($0) }, { .optional($0) },
        ]
        for form in forms {
            #expect(throws: PlanError.tooDeep(512)) {
                try Plan([Extraction(type: .named("T0"))], types: Self.chain(20_000, form))
            }
            _ = try Plan([Extraction(type: .named("T0"))], types: Self.chain(500, form))
        }
    }

    /// Many types that hold each other are not deep, though there is a long way through all of them.
    @Test func manyRecursiveTypes() throws {
        let count = 2000
        let types = (0..<count).map { number in
            let others = [number + 1, number * 2 + 1, number * 2 + 2].map {
                TypeExpression.optional(.named("T\($0 % count)"))
            }
            return TypeDefinition(
                name: "T\(number)",
                type: .fields(.init("next", others[0]), .init("left", others[1]), .init("right", others[2])))
        }
        let plan = try Plan([Extraction(type: .named("T0"))], types: types)
        #expect(Run(plan, #"{"left":{"next":{"right":null}}}"#).faults.isEmpty)
        #expect(Run(plan, #"{"left":{"next":{"right":1}}}"#).faults.map(\.name) == ["$.left.next.right"])
    }

    @Test func tooManyExtractions() {
        let extractions = Array(repeating: Extraction(), count: 65)
        #expect(throws: PlanError.tooManyExtractions(65)) { try Plan(extractions, types: []) }
    }

    /// Objects of so many kinds, told apart by the key.
    private static func kinds(_ count: Int, by key: String) -> TypeExpression {
        .choice(
            ObjectChoice(
                key: key,
                alternatives: (0..<count).map { .init(value: "k\($0)", type: .fields(.init("n\($0)", .int))) }))
    }

    /// An object of no known kind counts as well; and many values may want one object to be of several kinds.
    @Test func tooManyKinds() throws {
        _ = try Plan([Extraction(type: Self.kinds(255, by: "kind"))], types: [])
        #expect(throws: PlanError.tooManyKinds) {
            try Plan([Extraction(type: Self.kinds(256, by: "kind"))], types: [])
        }
        let many = (0..<64).map { Extraction(type: Self.kinds(1, by: "kind\($0)")) }
        _ = try Plan(Array(many.prefix(8)), types: [])
        #expect(throws: PlanError.tooManyKinds) { try Plan(many, types: []) }
    }

    /// Each limit on what types combine into says which one it is.
    @Test(arguments: [(PlanError.tooManyStates, "65,536 states"), (.tooManyKinds, "256 kinds")])
    func limitsAreNamed(_ error: PlanError, _ words: String) {
        #expect("\(error)".contains("more than \(words)"), "\(error)")
    }
}
