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
        (.union([.dictionary(.int), .fields()]), .ambiguousUnion("{\"*\": Int} | object")),
        (.union([choice, choice]), .ambiguousUnion("object | object")),
        (.fields(.init("a", .int), .init("b", .int, from: "a")), .duplicateKey("a")),
        (.fields(.init("a", .int, default: "{")), .invalidDefault("a")),
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

    @Test func tooManyExtractions() {
        let extractions = Array(repeating: Extraction(), count: 65)
        #expect(throws: PlanError.tooManyExtractions(65)) { try Plan(extractions, types: []) }
    }
}
