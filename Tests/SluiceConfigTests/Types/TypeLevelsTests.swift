import Testing

@testable import SluiceConfig

/// Types that are each optional of the next one, as far as a page is long.
@Suite struct TypeLevelsTests {
    private static let bindings = """
        GET /a: {to: fruit /a, value: A0, default: 1}
        GET /b: {parts: {a: GET /a}, value: A0}
        GET /c: {to: fruit /c, params: {q: {type: A0, default: 3}}, value: {x: {type: A0, default: 3}}}
        """

    @Test func areToldOnce() {
        let types = (0..<20_000).map { "A\($0): \"A\($0 + 1)?\"\n" }.joined() + "A20000: Int"
        let mistakes = fruit(Self.bindings, types: types).mistakes
        #expect(mistakes.filter { $0.contains("512") } == ["9:3: the type is nested more than 512 deep"])
    }
}
