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
        ("\"$\".a", [.key("$"), .key("a")]),
    ]

    static func optional(_ key: String) -> FieldPath.Component { .init(.key(key), isOptional: true) }

    /// What problems print, and what other notations have, is read as the same path.
    @Test(arguments: [
        ("$.items[0].id", "items.0.id"), ("items[0].id", "items.0.id"), ("$[0]", "0"), ("[0]", "0"), ("$.a", "a"),
        ("items[*].id", "items.*.id"), ("$[*].id?", "*.id?"), ("$[\"a.b\"].c", "\"a.b\".c"), ("a['b.c']", "a.\"b.c\""),
        ("a[0][1]?.b", "a.0.1?.b"),
    ])
    func readsOtherNotations(_ text: String, _ same: String) {
        #expect(FieldPath(text) == FieldPath(same))
    }

    @Test(arguments: [
        ("data.items.0.name", "$.data.items[0].name"), ("0", "$[0]"), ("*.a?", "$.*.a?"), ("\"a.b\".c", "$.\"a.b\".c"),
    ])
    func describesFromTheRoot(_ text: String, _ rooted: String) throws {
        let path = try #require(FieldPath(text))
        #expect(path.fromRoot == rooted)
        #expect(FieldPath(rooted) == path)
    }

    @Test(
        arguments: [
            ("a..b", "'..' searches everywhere, which a path cannot", nil), ("$", "'$' is the whole document", nil),
            ("a.-1", "the index -1 is negative", nil), ("a[-1]", "the index -1 is negative", nil),
            ("a[?(@.b)]", "'[?(@.b)]' selects in a way that a path cannot", nil),
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

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "\"a", "\"a\"b", "a\"b", "99999999999999999999", "a?b"])
    func refuses(_ text: String) {
        #expect(FieldPath(text) == nil)
    }

    @Test(arguments: [("a.b", ["a", "b"]), ("a.0", nil), ("a.*", nil), ("\"0\"", ["0"])])
    func tellsKeys(_ text: String, _ keys: [String]?) {
        #expect(FieldPath(text)?.keys == keys)
    }
}
