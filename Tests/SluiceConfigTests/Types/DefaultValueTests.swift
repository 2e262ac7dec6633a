import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct DefaultValueTests {
    private static let types = "Fruit: {name: String, size: Int?, ripe: Bool = true}\nTree: {next: '[Tree]'}"

    @Test(arguments: [
        ("Int", "1", "1"), ("Decimal", "1.10", "1.10"), ("String", "1", "\"1\""), ("String", "no", "\"no\""),
        ("JSON", "{a: [1, x, null, \"2\"]}", "{\"a\":[1,\"x\",null,\"2\"]}"), ("[Int]", "[]", "[]"),
        ("{\"*\": Int}", "{a: 1, b: 2}", "{\"a\":1,\"b\":2}"), ("Int?", "null", "null"), ("Int | null", "~", "null"),
        ("Int | String", "x", "\"x\""), ("Int | String", "7", "7"), ("red | green", "green", "\"green\""),
        // What it leaves out has defaults of its own.
        ("Fruit", "{name: a}", "{\"name\":\"a\",\"ripe\":true}"),
        (
            "Fruit", "{name: a, size: 1, extra: [x]}",
            "{\"name\":\"a\",\"size\":1,\"extra\":[\"x\"],\"ripe\":true}"
        ),
        ("Tree", "{next: [{next: []}]}", "{\"next\":[{\"next\":[]}]}"), ("Bool", "true", "true"),
        ("Date", "2020-01-01", "\"2020-01-01\""),
    ])
    func reads(_ type: String, _ value: String, _ json: String) {
        let bench = fruit("GET /a: {to: fruit /a, value: \(type), default: \(value)}", types: Self.types)
        #expect(bench.configuration().bindings.first?.defaultJSON == json)
    }

    @Test(arguments: [
        ("Int", "1.5", "the text '1.5'"), ("Int", "\"1\"", "the text '1'"), ("Int", "[1]", "a list"),
        ("Int", "", "nothing"),
        ("String", "null", "nothing"), ("[Int]", "1", "the text '1'"), ("[Int]", "[1, a]", "the text 'a'"),
        ("{\"*\": Int}", "[]", "a list"), ("Fruit", "{}", "it lacks 'name'"),
        ("Fruit", "{name: a, size: b}", "the text 'b'"),
        ("red | green", "blue", "the text 'blue'"), ("Int | Bool", "x", "the text 'x'"),
        ("Bool", "yes", "the text 'yes'"),
        ("UUID", "x", "the text 'x'"),
    ])
    func refuses(_ type: String, _ value: String, _ found: String) {
        let bench = fruit("GET /a: {to: fruit /a, value: \(type), default: \(value)}", types: Self.types)
        #expect(bench.load().mistakes.map(\.message) == ["the default is not of its type: \(found)"])
    }
}
