import Testing

@testable import SluiceConfig

@Suite struct TypeCheckUnionsTests {
    private static let types = "A: {a: Int}\nB: {b: Int}\nC: {'*': Int}\nD: A\nU: Int | String\nO: Int?"

    @Test(arguments: [
        ("A | B", "'A' and 'B' cannot be told apart"),
        ("'A | [String: Int]'", "'A' and '[String: Int]' cannot be told apart"),
        ("A | C", "'A' and 'C' cannot be told apart"), ("D | B", "'D' and 'B' cannot be told apart"),
        ("'[Int] | [String]'", "'[Int]' and '[String]' cannot be told apart"),
        ("U | A", "'U' has alternatives of its own"), ("O | A", "'O' has alternatives of its own"),
        ("JSON | A", "JSON takes every value, so the other alternatives mean nothing"),
        ("String | UUID", "'UUID' is never tried behind 'String'"),
        ("String | red", "'red' is never tried behind 'String'"),
        ("[A | B]", "'A' and 'B' cannot be told apart"), ("(A | B)?", "'A' and 'B' cannot be told apart"),
    ])
    func refuses(_ type: String, _ message: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, value: \(type)}", types: Self.types).load().mistakes
        #expect(mistakes.map(\.message) == [message])
    }

    @Test(arguments: [
        "A | null", "'A | [B]'", "A | Int | red", "UUID | Date | String", "Int | Double", "red | green | null",
        "'[Int] | [String: Int] | Bool | String | null'", "D | Int",
    ])
    func accepts(_ type: String) {
        #expect(fruit("GET /a: {to: fruit /a, value: \(type)}", types: Self.types).mistakes == [])
    }

    @Test func warnsOfTypesWithoutTheirCapital() {
        let bench = fruit("GET /a: {to: fruit /a, value: {a: Int | string, b: string | number | null}}")
        #expect(bench.warnings == ["2:37: 'string' is a string here → String"])
    }
}
