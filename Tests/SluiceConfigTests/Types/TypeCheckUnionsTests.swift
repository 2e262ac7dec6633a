import Testing

@testable import SluiceConfig

@Suite struct TypeCheckUnionsTests {
    private static let types =
        "A: {a: Int}\nB: {b: Int}\nC: {'*': Int}\nD: A\nU: Int | String\nO: Int?\nE: {a: Int, x: Int?}"
        + "\nX: {type: '\"x\"', n: Int}\nY: {type: y | z, n: String}\nZ: {type: z | w}\nT: {type: String}"

    @Test(arguments: [
        ("A | D", "'A' and 'D' cannot be told apart"), ("A | E", "'A' and 'E' cannot be told apart"),
        ("'C | [String: Int]'", "'C' and '[String: Int]' cannot be told apart"),
        ("{u: T | Y | Z}", "'T' and 'Y' and 'Z' cannot be told apart"),
        ("{union: type, x: X, y: Int}", "'Int' is no object"), ("{union: type}", "the union has no alternatives"),
        ("{union: a, x: E, y: {a: Int?}}", "'a' may be missing in {a: Int?}, and tells what it is"),
        ("{union: type, x: Xx}", "unknown type 'Xx'"),
        ("'[Int] | [String]'", "'[Int]' and '[String]' cannot be told apart"),
        ("U | A", "'U' has alternatives of its own"), ("O | A", "'O' has alternatives of its own"),
        ("JSON | A", "JSON takes every value, so the other alternatives mean nothing"),
        ("String | UUID", "'UUID' is never tried behind 'String'"),
        ("String | red", "'red' is never tried behind 'String'"),
        ("[A | E]", "'A' and 'E' cannot be told apart"), ("(A | E)?", "'A' and 'E' cannot be told apart"),
    ])
    func refuses(_ type: String, _ message: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, value: \(type)}", types: Self.types).load().mistakes
        #expect(mistakes.map(\.message) == [message])
    }

    @Test(arguments: [
        "A | null", "'A | [B]'", "A | Int | red", "UUID | Date | String", "Int | Double", "red | green | null",
        "'[Int] | [String: Int] | Bool | String | null'", "D | Int", "A | B", "'A | [String: Int]'", "A | C", "D | B",
        "X | Y | null", "Y | Z", "'[X | Y | T]'", "'(X | Y)? '", "{union: type, x: X, \"y\": Y, default: JSON}",
        "{union: type, x: {a: Int}, 2: C}", "{a: {union: ok, true: A, false: B}, u: Int}",
    ])
    func accepts(_ type: String) {
        #expect(fruit("GET /a: {to: fruit /a, value: \(type)}", types: Self.types).mistakes == [])
    }

    @Test func warnsOfTypesWithoutTheirCapital() {
        let bench = fruit("GET /a: {to: fruit /a, value: {a: Int | string, b: string | number | null}}")
        #expect(bench.warnings == ["2:37: 'string' is a string here → String"])
    }
}
