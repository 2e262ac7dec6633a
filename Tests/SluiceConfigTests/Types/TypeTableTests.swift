import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct TypeTableTests {
    private func types(_ text: String) -> [TypeDefinition] {
        fruit("GET /a: {to: fruit /a}", types: text).configuration().types
    }

    private static let text = TypeExpression.scalar(.string)
    private static let int = TypeExpression.scalar(.int)

    /// Plain scalars and flow nodes read as meant, whatever YAML 1.1 makes of them.
    @Test(arguments: [
        ("Int?", TypeExpression.optional(int)), ("red | green", .literals(["red", "green"])),
        ("{\"*\": Int}", .dictionary(int)), ("{'*': [Int]}", .dictionary(.array(int))), ("[Int]", .array(int)),
        ("String | null", .union([text, .null])), ("[String: Int]", .dictionary(int)),
        ("yes | no", .literals(["yes", "no"])),
        ("[[String: Int]]", .array(.dictionary(int))),
        ("[{a: Int}]", .array(.object(ObjectType(fields: [.init(name: "a", type: int)])))),
        ("'[Int]?'", .optional(.array(int))), ("'\"1\" | \"2\"'", .literals(["1", "2"])),
    ])
    func readsAliases(_ text: String, _ type: TypeExpression) {
        #expect(types("T: \(text)") == [TypeDefinition(name: "T", type: type)])
    }

    /// What is printed is read as the same.
    @Test(arguments: [
        "1 | 2", "true", "red | green | …", "red | ... | null", "'Int(1...100)'", "'Double(0..<1)?'",
        "'String(1...80, /^[a-z, {}]+: #\"$/)'", "'[Int](0...50)'", "'[red | green](...9, unique)?'", "Decimal(string)",
        "{a: true, b: 1 | two, c: 'Int(1...)', d: '[Int(string)](2)'}", "{a: 'Int(1...9) = 3', b: 1 | 2 = 2}",
        "{union: type, card: {a: Int}, 1: '[String: Int]', default: JSON}",
        "{x: {type: {union: \"kind\", a: {b: Int}}, optional: true}, y: [{union: kind, a: {b: Int}}]}",
        "{a: 'Date(seconds) -> Date?', b: 'Int(string) -> Int = 3', c: [Int -> String]}",
        "{a: red | … = blue, b: 'String(/^x/) = xy', c: true | null = null}",
    ])
    func explainsConstraints(_ text: String) {
        let configuration = fruit("GET /a: {to: fruit /a, value: [T]}", types: "T: \(text)").configuration()
        #expect(configuration.types.count == 1)
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("'Int(1...9) = 10'", "7:24: the default is not of its type: the text '10'"),
        ("'String(2) = abc'", "7:23: the default is not of its type: the text 'abc'"),
        ("'String(/^a/) = b'", "7:26: the default is not of its type: the text 'b'"),
        ("'[Int](2) = [1]'", "7:22: the default is not of its type: a list"),
        ("'[Int](...5, unique) = [1, 1]'", "7:33: the default is not of its type: a list with equal items"),
        ("1 | 2 = 3", "7:18: the default is not of its type: the text '3'"),
        ("Int(string) -> Int = \"3\"", "7:31: the default is not of its type: the text '3'"),
        ("true = false", "7:17: the default is not of its type: the text 'false'"),
    ])
    func refusesDefaults(_ text: String, _ mistake: String) {
        #expect(fruit("GET /a: {to: fruit /a}", types: "T: {f: \(text)}").mistakes == [mistake])
    }

    @Test(arguments: [
        ("Int?", ObjectType.Field(name: "f", type: .optional(int))),
        ("Int = 10", .init(name: "f", type: int, defaultJSON: "10")),
        ("[Int]", .init(name: "f", type: .array(int))),
        ("String = no", .init(name: "f", type: text, defaultJSON: "\"no\"")),
        ("'String = \"a: b\"'", .init(name: "f", type: text, defaultJSON: "\"a: b\"")),
        ("{type: String, from: g}", .init(name: "f", from: "g", type: text)),
        ("{type: Int, from: 12, default: 3}", .init(name: "f", from: "12", type: int, defaultJSON: "3")),
        ("{type: Int}", .init(name: "f", type: int)),
        (
            "{type: {a: Int}, optional: true}",
            .init(name: "f", type: .optional(.object(ObjectType(fields: [.init(name: "a", type: int)]))))
        ),
        ("{type: {type: Int}}", .init(name: "f", type: .object(ObjectType(fields: [.init(name: "type", type: int)])))),
        (
            "{type: String, coordinates: [Double]}",
            .init(
                name: "f",
                type: .object(
                    ObjectType(fields: [
                        .init(name: "type", type: text), .init(name: "coordinates", type: .array(.scalar(.double))),
                    ])))
        ),
        ("red | green = green", .init(name: "f", type: .literals(["red", "green"]), defaultJSON: "\"green\"")),
        ("'[Int] = [1, 2]'", .init(name: "f", type: .array(int), defaultJSON: "[1,2]")),
        ("Int? = null", .init(name: "f", type: .optional(int), defaultJSON: "null")),
    ])
    func readsFields(_ text: String, _ field: ObjectType.Field) {
        #expect(types("T: {f: \(text)}") == [TypeDefinition(name: "T", type: .object(ObjectType(fields: [field])))])
    }

    /// One key, however it is spelt.
    @Test(arguments: [("a_b", "a_b"), ("'\"a.b\"'", "a.b"), ("\"'\"", "'"), ("'@id'", "@id"), ("'\"x[0]\"'", "x[0]")])
    func readsKeysOfTheUpstream(_ text: String, _ key: String) {
        let configuration = fruit("GET /a: {to: fruit /a, value: {f: {type: Int, from: \(text)}}}").configuration()
        let type = TypeExpression.object(ObjectType(fields: [.init(name: "f", from: key, type: Self.int)]))
        #expect(configuration.bindings.first?.value == type)
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    /// So many that looking at every one for every other would not end.
    @Test func chainsAreFollowedOnce() throws {
        let count = 20_000
        var yaml = "upstreams: {a: {url: 'http://127.0.0.1'}}\nbindings: {GET /a: {to: a /a, value: T0}}\ntypes:\n"
        for number in 0..<count { yaml += "  T\(number): T\(number + 1)\n" }
        yaml += "  T\(count): '[T0]?'\n"
        let configuration = Bench(yaml).configuration()
        #expect(configuration.types.count == count + 1)
        #expect(NamedTypes(configuration.types).resolved(.named("T0")) == .optional(.array(.named("T0"))))
    }

    @Test func readsTheRuleForOtherKeys() {
        #expect(
            types("T: {a: Int, '*': reject}")
                == [
                    TypeDefinition(
                        name: "T",
                        type: .object(ObjectType(fields: [.init(name: "a", type: .scalar(.int))], unknown: .reject)))
                ])
    }

    /// A field may be called like any key of the long form.
    @Test func fieldsMayHaveAnyName() {
        let names = ["type", "from", "default", "optional", "no", "null", "12"]
        let object = types("T: {\(names.map { "\($0): Int" }.joined(separator: ", "))}").first?.type
        #expect(object == .object(ObjectType(fields: names.map { .init(name: $0, type: .scalar(.int)) })))
    }

    @Test func orderIsFree() {
        let definitions = types("A: {b: B = x, c: C}\nB: x | y\nC: [A]")
        #expect(definitions.map(\.name) == ["A", "B", "C"])
    }

    @Test(arguments: [
        ("T: Itn", "7:6: unknown type 'Itn' → Int"), ("T: {a: [Itn]}", "7:11: unknown type 'Itn' → Int"),
        ("T: {a: 'Int | [Strng]'}", "7:18: unknown type 'Strng' → String"),
        ("t: Int", "7:3: 't' cannot name a type → T"),
        ("String: Int", "7:3: 'String' is a built-in type"), ("T U: Int", "7:3: 'T U' cannot name a type → TU"),
        ("T: int", "7:6: 'int' is a set of one string → Int"),
        ("T: Array<string>", "7:6: unknown type 'Array<string>' → [String]"),
        ("T: Int[]", "7:9: 'Int[]' is no type: there is more text behind the type → [Int]"),
        ("T: open, closed", "7:10: 'open, closed' is no type: there is more text behind the type → open | closed"),
        ("T: boolean", "7:6: 'boolean' is a set of one string → Bool"),
        ("T: Number?", "7:6: unknown type 'Number' → Double"),
        ("T: {a: string?}", "7:10: 'string' is a set of one string → String"),
        ("T: {a?: Int, a: Int}", "7:16: 'a' stands twice"),
        ("T: {a: Int, '*': drp}", "7:20: the text 'drp' is not known here → drop"),
        ("T: {a: {type: Int, form: b, default: 1}}", "7:22: unknown key 'form' → from"),
        ("T: {a: Int, a: Int}", "7:15: key 'a' stands twice, first in line 7"),
        ("T: {a: Int, b: {type: Int, from: a}}", "7:6: two fields are read from the key 'a'"),
        ("T: {a: Int = x}", "7:16: the default is not of its type: the text 'x'"),
        ("T: {a: '[Int] = [1, x]'}", "7:19: the default is not of its type: the text 'x'"),
        ("T: {a: '[Int] = [1'}", "7:19: '[1' is no default"),
        ("T: {a: {type: Int = 1, default: 1}}", "7:35: the default stands twice"),
        ("T: Int = 1", "7:12: 'Int = 1' is no type: a default has no place here"), ("T:", "7:5: a type is missing"),
        ("T: Int\nT: Int", "8:3: key 'T' stands twice, first in line 7"),
    ])
    func refuses(_ text: String, _ mistake: String) {
        #expect(fruit("GET /a: {to: fruit /a}", types: text).mistakes == [mistake])
    }
}
