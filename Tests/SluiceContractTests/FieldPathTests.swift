import SluiceContract
import Testing

@Suite struct FieldPathTests {
    static let paths: [(String, [FieldPath.Component])] = [
        ("values", [.key("values")]), ("data.items.0.name", [.key("data"), .key("items"), .index(0), .key("name")]),
        ("items.*.id", [.key("items"), .wildcard, .key("id")]), ("*", [.wildcard]), ("0", [.index(0)]),
        ("\"a.b\".c", [.key("a.b"), .key("c")]), ("\"0\".\"*\"", [.key("0"), .key("*")]), ("\"\"", [.key("")]),
        ("a b.ü", [.key("a b"), .key("ü")]),
        ("*.login?", [.wildcard, .init(.key("login"), isOptional: true)]),
        (
            "a?.*?.0?.\"b\"?",
            [optional("a"), .init(.wildcard, isOptional: true), .init(.index(0), isOptional: true), optional("b")]
        ),
        ("\"a?\".b", [.key("a?"), .key("b")]), ("$ref", [.key("$ref")]), ("['a\"b']", [.key("a\"b")]),
        ("\"a[0]\"", [.key("a[0]")]), ("\"-1\"", [.key("-1")]), ("\"/a\"", [.key("/a")]),
        ("\"$\".a", [.key("$"), .key("a")]), ("a[-1].b", [.key("a"), last, .key("b")]),
        ("a[?b.c==\"d e\"]", [.key("a"), first(["b", "c"], .string("d e"))]),
        ("[?b=='\"'].c?", [first(["b"], .string("\"")), optional("c")]),
        ("[?b==-1.5]?", [.init(first(["b"], .plain("-1.5")).step, isOptional: true)]),
        ("[?@==true]", [first([], .plain("true"))]), ("[?\"a=b\"==\"]\"]", [first(["a=b"], .string("]"))]),
        ("[?$ref==1]", [first(["$ref"], .plain("1"))]), ("[?\"$\".x==1]", [first(["$", "x"], .plain("1"))]),
    ]

    private static let rootInCondition = "'$' is the whole document, and a condition looks at one element of it"

    static let last: FieldPath.Component = .init(.last)

    static func first(_ keys: [String], _ value: FieldPath.Component.Literal) -> FieldPath.Component {
        .init(.first(where: .init(FieldPath(components: keys.map { .key($0) }), value)))
    }

    static func optional(_ key: String) -> FieldPath.Component { .init(.key(key), isOptional: true) }

    /// What problems print, and what other notations have, is read as the same path.
    @Test(arguments: [
        ("$.items[0].id", "items.0.id"), ("items[0].id", "items.0.id"), ("$[0]", "0"), ("[0]", "0"), ("$.a", "a"),
        ("items[*].id", "items.*.id"), ("$[*].id?", "*.id?"), ("$[\"a.b\"].c", "\"a.b\".c"), ("a['b.c']", "a.\"b.c\""),
        ("a[0][1]?.b", "a.0.1?.b"), ("a.-1", "a[-1]"), ("a[? @.b == 'c' ]", "a[?b==\"c\"]"),
        ("$.a[?@['b']=='c'].d", "a[?b==\"c\"].d"), ("[?a[0].b==1]", "[?a.0.b==1]"),
    ])
    func readsOtherNotations(_ text: String, _ same: String) {
        #expect(FieldPath(text) == FieldPath(same))
    }

    @Test(arguments: [
        ("data.items.0.name", "$.data.items[0].name"), ("0", "$[0]"), ("*.a?", "$.*.a?"),
        ("\"a.b\".c", "$[\"a.b\"].c"), ("a.\"0\".\"b c\"?[-1]", "$.a[\"0\"][\"b c\"]?[-1]"),
        ("a[?b==1].ü", "$.a[?b==1][\"ü\"]"),
    ])
    func describesFromTheRoot(_ text: String, _ rooted: String) throws {
        let path = try #require(FieldPath(text))
        #expect(path.fromRoot == rooted)
        #expect(FieldPath(rooted) == path)
    }

    @Test(
        arguments: [
            ("a..b", "'..' searches everywhere, which a path cannot", nil), ("$", "'$' is the whole document", nil),
            ("a.-2", "the index -2 counts from the end", nil), ("a[-2]", "the index -2 counts from the end", nil),
            ("**.id", "'**' searches everywhere, which a path cannot", nil),
            ("a[**]", "'**' searches everywhere, which a path cannot", nil),
            ("a[?(@.b)]", "a condition compares", nil), ("a[?b=='c'", "a bracket is open", nil),
            ("a[?b]", "a condition compares", nil),
            ("a[?b!='c']", "'!=' is no comparison that a condition can make", nil),
            ("a[?b=1]", "'=' is no comparison that a condition can make", nil),
            ("a[?b==c]", "'c' is no value to compare with", nil), ("a[?b==]", "a value is missing behind '=='", nil),
            ("a[?b==1 && c==2]", "there is more text behind the compared value", nil),
            ("a[?b.*==1]", "a condition looks at one value", nil),
            ("a[?b==null]", "'null' is no value to compare with", nil),
            ("[?a[?a[?a[?a[?a==1]==1]==1]==1]==1]", "conditions are nested too deeply", nil),
            ("[?$.x==\"a\"]", rootInCondition, nil), ("a[?$['x']==1]", rootInCondition, nil),
            ("[?$==1]", rootInCondition, nil), ("[? @.$.x==1]", rootInCondition, nil),
            ("a[1:2]", "'[1:2]' selects in a way that a path cannot", nil), ("a[0", "a bracket is open", nil),
            ("/data/items/0", "a JSON Pointer is no key path", "data.items[0]"),
            (".a.b", "a path begins with a key", "a.b"),
            ("", "a key is missing", nil), ("a]", "']' cannot stand there", nil), ("a[\"b\"", "a bracket is open", nil),
            ("a??", "'?' cannot stand there", nil),
        ] as [(String, String, String?)])
    func saysWhy(_ text: String, _ message: String, _ suggestion: String?) {
        do {
            Issue.record("read as \(try FieldPath.read(text))")
        } catch {
            #expect(error.message == message)
            #expect(error.suggestion == suggestion)
        }
    }

    @Test(arguments: paths) func reads(_ text: String, _ components: [FieldPath.Component]) {
        #expect(FieldPath(text)?.components == components)
    }

    /// What is written reads as the same path.
    @Test(arguments: paths) func describes(_ text: String, _ components: [FieldPath.Component]) {
        let path = FieldPath(components: components)
        #expect(FieldPath(path.description) == path)
    }

    /// Escapes are those of JSON, in keys and in what is compared.
    @Test(
        arguments: [
            (#"a."quo\"te"."#, #""b\\c""#, #"quo"te"#, #"b\c"#), (#"a["\n\u00e9"]."#, "d", "\né", "d"),
            (#"a['it\'s'][""#, #"\ud83d\ude00\/\t"]"#, "it's", "😀/\t"),
        ])
    func readsEscapes(_ front: String, _ back: String, _ second: String, _ third: String) {
        #expect(FieldPath(front + back)?.components == [.key("a"), .key(second), .key(third)])
        #expect(FieldPath(#"[?k=="\"\\"]"#)?.components == [Self.first(["k"], .string(#""\"#))])
    }

    /// Marks that combine with what is in front of them, and one that combines with what is behind, among others.
    private static let letters: [Unicode.Scalar] = [
        "\"", "'", "\\", "/", ".", "[", "]", "?", "*", "$", "@", "=", " ", "0", "1", "-", "a", "b", "n", "u", "_", "\n",
        "\r", "\t", "\0", "\u{7F}", "\u{85}", "\u{E9}", "\u{301}", "\u{600}", "\u{1100}", "\u{200D}", "\u{2028}",
        "\u{FEFF}", "\u{1F1E9}", "\u{1F600}",
    ]

    private static func key(_ random: inout SplitMix64) -> String {
        var key = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            key.append(letters[Int.random(in: 0..<letters.count, using: &random)])
        }
        return String(key)
    }

    private static func scalars(_ text: String?) -> [Unicode.Scalar] { (text ?? "").unicodeScalars.map { $0 } }

    /// Whatever a key holds, what is printed is read as the same path.
    @Test(arguments: 1...UInt64(200)) func everyKeyIsReadBack(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let keys = [Self.key(&random), Self.key(&random), Self.key(&random)]
            let path = FieldPath(components: keys.map { .key($0) })
            for text in [path.description, path.fromRoot] {
                let again = try #require(FieldPath(text)?.keys, "\(text.debugDescription)")
                #expect(again.map { Self.scalars($0) } == keys.map { Self.scalars($0) }, "\(text.debugDescription)")
            }
            let chosen = FieldPath(components: [
                .key("a"), Self.first([keys[0], keys[1]], .string(keys[2])), .key(keys[0]),
            ])
            for text in [chosen.description, chosen.fromRoot] {
                let again = FieldPath(text)
                #expect(again == chosen, "\(text.debugDescription)")
                #expect(Self.scalars(again?.description) == Self.scalars(chosen.description))
            }
            let source = FieldSource.path(path)
            #expect((try? FieldSource.read(source.description)) == .source(source), "\(source)")
        }
    }

    @Test(arguments: [
        (#""a\d""#, #"'\d' is no escape"#), (#""a\"#, "a quote is open"), (#""\ud800""#, "an escape is no character"),
        (#""\ude00""#, "an escape is no character"), (#""\u00g0""#, "an escape is no character"),
        (#"a[?b=="\x"]"#, #"'\x' is no escape"#),
    ])
    func refusesEscapes(_ text: String, _ message: String) {
        do {
            Issue.record("read as \(try FieldPath.read(text))")
        } catch {
            #expect(error.message == message)
        }
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "\"a", "\"a\"b", "a\"b", "99999999999999999999", "a?b"])
    func refuses(_ text: String) {
        #expect(FieldPath(text) == nil)
    }

    @Test(arguments: [("a.b", ["a", "b"]), ("a.0", nil), ("a.*", nil), ("\"0\"", ["0"])])
    func tellsKeys(_ text: String, _ keys: [String]?) {
        #expect(FieldPath(text)?.keys == keys)
    }
}
