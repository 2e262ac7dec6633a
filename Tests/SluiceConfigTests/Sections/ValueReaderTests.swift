import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct ValueReaderTests {
    private static let types = "Fruit: {a: Int}"

    @Test(
        arguments: [
            ("Fruit", TypeExpression.named("Fruit")), ("[Fruit]", .array(.named("Fruit"))),
            ("{\"*\": Fruit}", .dictionary(.named("Fruit"))), ("'{\"*\": Fruit}'", nil),
            ("[String: Fruit]", .dictionary(.named("Fruit"))), ("Fruit?", .optional(.named("Fruit"))),
            ("Fruit | null", .union([.named("Fruit"), .null])), ("red | green", .literals(["red", "green"])),
            ("'[Fruit]?'", .optional(.array(.named("Fruit")))), ("[[Fruit]]", .array(.array(.named("Fruit")))),
            ("[Fruit?]", .array(.optional(.named("Fruit")))),
            ("{type: String}", .object(ObjectType(fields: [.init(name: "type", type: .scalar(.string))]))),
            ("{}", .object(ObjectType(fields: []))),
        ] as [(String, TypeExpression?)])
    func readsTypes(_ text: String, _ type: TypeExpression?) {
        let loaded = fruit("GET /a: {to: fruit /a, value: \(text)}", types: Self.types).load()
        #expect(loaded.configuration?.bindings.first?.value == type)
    }

    @Test func readsTypesByStatus() {
        let binding = fruit(
            "POST /a: {to: fruit /a, value: {200: Fruit, 303: {location: URL}, default: JSON}}", types: Self.types
        ).configuration().bindings.first
        #expect(binding?.value == .scalar(.json))
        #expect(binding?.valueByStatus[200] == .named("Fruit"))
        #expect(
            binding?.valueByStatus[303] == .object(ObjectType(fields: [.init(name: "location", type: .scalar(.url))])))
    }

    /// An error's type is that of the whole answer: `parent:` and its star have nothing to do with it.
    @Test func readsTypesOfErrors() {
        let binding = fruit(
            "GET /a: {to: fruit /a, parent: 'a.*', value: {default: [Fruit], 404: {reason: String}, 422: Fruit}}",
            types: Self.types
        ).configuration().bindings.first
        #expect(binding?.valueByStatus[422] == .named("Fruit"))
        #expect(binding?.valueByStatus.keys.sorted() == [404, 422])
    }

    /// A quoted word is a text, whatever type has a similar name.
    @Test(arguments: ["'\"fruit\"'", "'\"Fruit\" | \"string\"'", "'[\"int\"]'", "'\"true\" | \"1\"'", "'\"1\"'"])
    func takesQuotedTexts(_ text: String) {
        let bench = fruit("GET /a: {to: fruit /a, value: \(text)}", types: Self.types)
        #expect(bench.mistakes == [])
        #expect(bench.load().warnings.map(\.message) == ["type 'Fruit' is not used by any binding"])
        let configuration = bench.configuration()
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("Open | Closed", "2:33: unknown type 'Open' → \"Open\" | \"Closed\""),
        ("red | Closed", "2:39: unknown type 'Closed' → red | \"Closed\""),
        ("Fruit | Appl", "2:41: unknown type 'Appl'"),
        ("{String: Int}", "2:34: a field called 'String' is mostly meant as a dictionary"),
        ("'array of Fruit'", "2:40: 'array of Fruit' is no type: there is more text behind the type → [Fruit]"),
        ("'nullable Fruit'", "2:43: 'nullable Fruit' is no type: there is more text behind the type → Fruit?"),
        ("Date(unix)", "2:38: 'Date(unix)' is no type: 'unix' is no date format → Date(seconds)"),
        ("Frut | Open", "2:33: unknown type 'Frut' → Fruit"),
        ("Int(1..100)", "2:37: 'Int(1..100)' is no type: '1..100' is no range → 1...100"),
        ("Int(1-100)", "2:37: 'Int(1-100)' is no type: '1-100' is no range → 1...100"),
        ("'String(max: 80)'", "2:41: 'String(max: 80)' is no type: 'max: 80' is no range → ...80"),
        ("Int(>=5)", "2:37: 'Int(>=5)' is no type: '>=5' is no range → 5..."),
        ("Int(100...1)", "2:37: 'Int(100...1)' is no type: nothing is in the range 100...1 → 1...100"),
        ("String(/a(/)", "2:40: the pattern /a(/ cannot be used: a group is open"),
        ("'[String(/a{1,2/)]'", "2:42: the pattern /a{1,2/ cannot be used: '{' begins no count"),
        (
            "'[Int](unique)'",
            "2:33: elements that differ are remembered, so that there has to be an end to them"
                + " → [Int](0...1000, unique)"
        ),
        ("'[Fruit](...5, unique)'", "2:33: elements of type Fruit are not compared"),
        ("String -> Int", "2:33: 'String -> Int' is no type: nothing leads from String to Int → Int(string) -> Int"),
        ("Bool(yes)", "2:33: 'Bool(yes)' is no type: 'Bool' takes nothing in parentheses → Bool(string)"),
        ("'{name: String}'", "2:34: '{name: String}' is no type: an object is no text"),
        ("'[{name: String}]'", "2:35: '[{name: String}]' is no type: an object is no text"),
    ])
    func tellsTheCure(_ text: String, _ mistake: String) {
        let all = fruit("GET /a: {to: fruit /a, value: \(text)}", types: Self.types).mistakes
        #expect(all.first == mistake)
    }

    @Test(arguments: [
        ("a.b?", "2:26: '?' in 'a.b?' says nothing in front of a '*'"),
        ("a?.*.b", "2:26: '?' in 'a?.*.b' says nothing in front of a '*'"),
        ("$.items[?(@.a)]", "2:34: '$.items[?(@.a)]' is no key path: a condition compares"),
        ("list[].temp", "2:34: 'list[].temp' is no key path: '[]' selects in a way that a path cannot → list.*.temp"),
        ("items.-2", "2:34: 'items.-2' is no key path: the index -2 counts from the end"),
        ("**.id", "2:34: '**.id' is no key path: '**' searches everywhere, which a path cannot"),
    ])
    func refusesPaths(_ path: String, _ mistake: String) {
        #expect(fruit("GET /a: {to: fruit /a, parent: '\(path)', value: [Int]}").mistakes == [mistake])
    }

    @Test(arguments: [
        ("$.a[0].b", "a[0].b"), ("a.0.b", "a[0].b"), ("a[*].b?", "a.*.b?"), ("*.a", "*.a"), ("a[-1]", "a[-1]"),
        ("$.a[?@.b == \"c\"].d", "a[?b==\"c\"].d"),
    ])
    func readsPaths(_ path: String, _ written: String) {
        let configuration = fruit("GET /a: {to: fruit /a, parent: '\(path)', value: [Int]}").configuration()
        #expect(configuration.bindings.first?.parent?.description == written)
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("{200: Int, 204: Int}", "2:44: 204 has no content"),
        ("{200: Int, 999: Int}", "2:44: unknown key '999'"),
        ("{200: Int, defalt: Int}", "2:44: unknown key 'defalt' → default"),
        ("{200: Int, 200: Int}", "2:44: key '200' stands twice, first in line 2"),
        ("[Int, String]", "2:33: a list of 2 types is no type → write A | B for alternatives"),
        ("[]", "2:33: a list of 0 types is no type"),
        ("Int = 1", "2:39: 'Int = 1' is no type: a default has no place here"),
        ("string", "2:33: 'string' is a set of one string → String"),
        ("7", "2:33: '7' is no type but this one value → write a default behind its type: Int = 7"),
        ("Fruti", "2:33: unknown type 'Fruti' → Fruit"), ("'[Frut | Int]?'", "2:35: unknown type 'Frut' → Fruit"),
    ])
    func refuses(_ text: String, _ mistake: String) {
        #expect(fruit("GET /a: {to: fruit /a, value: \(text)}", types: Self.types).mistakes == [mistake])
    }

    /// "parent: consisting of keys also wraps the body, unless wrap says otherwise."
    @Test(arguments: [
        ("body: Fruit, parent: a.b, value: Fruit", ["a", "b"]), ("body: Fruit, parent: a.0, value: Fruit", []),
        ("body: Fruit, parent: a, wrap: false, value: Fruit", []),
        ("body: Fruit, parent: a, wrap: b.c, value: Fruit", ["b", "c"]),
        ("body: Fruit, wrap: a", ["a"]), ("body: text, parent: a, value: Fruit", []),
        ("params: {x: Int}, parent: a, value: Fruit", ["a"]),
        ("body: none, parent: a, value: Fruit", []),
    ])
    func wraps(_ text: String, _ wrap: [String]) {
        let bench = fruit("POST /a: {to: fruit /a, \(text)}", types: Self.types)
        #expect(bench.configuration().bindings.first?.wrap == wrap)
    }

    @Test(arguments: [
        ("wrap: a", "2:27: 'wrap' has nothing to wrap"), ("body: text, wrap: a", "2:39: 'wrap' has nothing to wrap"),
        ("body: json, wrap: a.0", "2:45: a body cannot be wrapped in 'a[0]'"),
        ("parent: a", "2:27: 'parent' has no meaning without 'value:' → write 'value: JSON' to take it unchecked"),
        ("parent: a.*.b, value: Int", "2:27: path 'a.*.b' yields an array, and the value is Int → value: [Int]"),
        (
            "parent: a.*, value: {201: Fruit}",
            "2:27: path 'a.*' yields an array, and the value is Fruit → value: [Fruit]"
        ),
        ("default: 1", "2:27: 'default' has no meaning without 'value:'"),
        ("value: Int, default: x", "2:48: the default is not of its type: the text 'x'"),
        ("value: [Fruit], default: [{b: 1}]", "2:53: the default is not of its type: it lacks 'a'"),
    ])
    func refusesAround(_ text: String, _ mistake: String) {
        #expect(fruit("POST /a: {to: fruit /a, \(text)}", types: Self.types).mistakes == [mistake])
    }

    @Test(arguments: ["[Int]", "JSON", "'[Int]?'", "'[Int] | null'", "Ints"]) func starsYieldArrays(_ type: String) {
        #expect(fruit("GET /a: {to: fruit /a, parent: a.*, value: \(type)}", types: "Ints: [Int]").mistakes == [])
    }

    /// A default that could never be answered.
    @Test(
        arguments: [
            ("POST /a: {to: fruit /a, value: Int, default: 1}", "2:39: a failed POST is never answered with a default"),
            (
                "PUT|DELETE /a: {to: fruit GET /a, value: Int, default: 1}",
                "2:49: a failed PUT or DELETE is never answered with a default"
            ),
            ("POST /a: {to: fruit /a, parent: b, value: Int, default: 1}", nil),
            ("GET|POST /a: {to: fruit /a, value: Int, default: 1}", nil),
            ("ANY /a: {to: fruit /a, value: Int, default: 1}", nil),
            ("GET /a: {to: fruit POST /a, value: Int, default: 1}", nil),
        ] as [(String, String?)])
    func defaultsStandInForAnswers(_ binding: String, _ mistake: String?) {
        #expect(fruit(binding).mistakes == [mistake].compactMap(\.self))
    }

    @Test func readsDefaults() {
        let binding = fruit(
            "GET /a: {to: fruit /a, value: [Fruit], default: [{a: 1, x: no}], serve: [fresh, default]}",
            types: Self.types
        ).configuration().bindings.first
        #expect(binding?.defaultJSON == "[{\"a\":1,\"x\":\"no\"}]")
        #expect(binding?.serve == [.fresh, .default])
    }
}
