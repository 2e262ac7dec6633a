import SluiceContract
import Testing

@Suite struct FieldPathTests {
    static let paths: [(String, [FieldPath.Component])] = [
        ("values", [.key("values")]), ("data.items.0.name", [.key("data"), .key("items"), .index(0), .key("name")]),
        ("items.*.id", [.key("items"), .wildcard, .key("id")]), ("*", [.wildcard]), ("0", [.index(0)]),
        ("\"a.b\".c", [.key("a.b"), .key("c")]), ("\"0\".\"*\"", [.key("0"), .key("*")]), ("\"\"", [.key("")]),
        ("a b.ü", [.key("a b"), .key("ü")]),
    ]

    @Test(arguments: paths) func reads(_ text: String, _ components: [FieldPath.Component]) {
        #expect(FieldPath(text)?.components == components)
    }

    /// What is written reads as the same path.
    @Test(arguments: paths) func describes(_ text: String, _ components: [FieldPath.Component]) {
        let path = FieldPath(components: components)
        #expect(FieldPath(path.description) == path)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "\"a", "\"a\"b", "a\"b", "99999999999999999999"])
    func refuses(_ text: String) {
        #expect(FieldPath(text) == nil)
    }

    @Test(arguments: [("a.b", ["a", "b"]), ("a.0", nil), ("a.*", nil), ("\"0\"", ["0"])])
    func tellsKeys(_ text: String, _ keys: [String]?) {
        #expect(FieldPath(text)?.keys == keys)
    }
}
