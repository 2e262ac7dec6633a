import SluiceHTTP
import Testing

@testable import SluiceCache

/// RFC 9111 §4.1: requests that mean the same select the same.
@Suite struct VaryKeyTests {
    static let rows: [(String, [String], [String], Bool)] = [
        ("accept-language", ["Accept-Language: en, de"], ["Accept-Language: DE,EN"], true),
        ("accept-language", ["Accept-Language: en;q=0.5, de"], ["Accept-Language: de, en;q=0.50"], false),
        ("accept-language", ["Accept-Language: en"], ["Accept-Language: de"], false),
        ("foo", ["Foo: 1", "Foo: 2"], ["Foo: 1,2"], true),
        ("foo", ["Foo: 1 , 2"], ["foo:  1,2"], true),
        ("foo", ["Foo: a"], ["Foo: A"], false),
        // Whether a field is a list is for its own specification to say.
        ("foo", ["Foo: 1,"], ["Foo: 1"], false), ("foo", ["Foo: ,"], ["Foo: "], false),
        ("foo", ["Foo: a (b,,  c)"], ["Foo: a (b, c)"], false), ("foo", [#"Foo: "a, b""#], [#"Foo: "a,b""#], false),
        ("cookie", ["Cookie: a=1,b=2"], ["Cookie: a=1, b=2"], false), ("accept", ["Accept: a,"], ["Accept: a"], true),
        ("accept", ["Accept: a/b; P=x"], ["Accept: A/B;p=x"], true),
        ("accept", ["Accept: a/b;p=x"], ["Accept: a/b;p=X"], false),
        ("accept", [#"Accept: a/b;p="c D\"; E=f"; Q=1"#], [#"Accept: A/b; p="c D\"; E=f";q=1"#], true),
        ("accept", [#"Accept: a/b;p="c D""#], [#"Accept: a/b;p="cD""#], false),
        ("accept", [#"Accept: a/b;p="x\"Y""#], [#"Accept: a/b;p="x\"y""#], false),
        ("cookie", ["Cookie: a", "Cookie: b"], ["Cookie: a,b"], false),
        ("cookie", ["Cookie: a", "Cookie: b"], ["Cookie: a", "cookie: b"], true),
        ("cookie", ["Cookie: a", "Cookie: b"], ["Cookie: b", "Cookie: a"], false),
        ("foo", [], [], true),
        ("foo", [], ["Foo: "], false),
        ("foo", ["Bar: 1"], ["Bar: 2"], true),
    ]

    @Test(arguments: rows)
    func selects(name: String, first: [String], second: [String], isSame: Bool) {
        #expect((Self.key(name, first) == Self.key(name, second)) == isSame)
    }

    static func key(_ name: String, _ lines: [String]) -> CacheKey {
        var hash = SipHash(1, 2)
        VaryKey.combine([Array(name.utf8)], of: DecisionTests.fields(lines), into: &hash)
        return CacheKey(hash)
    }

    static let searches: [(String, String, String, Bool)] = [
        ("params=(\"utm\")", "/a?x=1&utm=2", "/a?utm=3&x=1", true),
        ("params=(\"utm\")", "/a?x=1", "/a?x=2", false),
        ("params, except=(\"x\")", "/a?y=1&x=1", "/a?x=1&z=3", true),
        ("key-order", "/a?x=1&y=2", "/a?y=2&x=1", true),
        ("params=(\"utm\")", "/a?x=1&y=2", "/a?y=2&x=1", false),
        ("key-order", "/a?x=1&y=2&x=3", "/a?y=2&x=1&x=3", true), ("key-order", "/a?x=1&x=2", "/a?x=2&x=1", false),
        ("key-order", "/a?%78=1&y=2", "/a?y=2&%78=1", true), ("params", "/a?x=1", "/a?y=2", true),
    ]

    @Test(arguments: searches)
    func noVarySearch(field: String, first: String, second: String, isSame: Bool) throws {
        let parsed = NoVarySearch(DecisionTests.fields(["No-Vary-Search: \(field)"]))
        let rule = try #require(parsed)
        func key(_ target: String) -> CacheKey {
            var hash = SipHash(1, 2)
            Array(target.utf8).withUnsafeBytes { rule.combine($0, into: &hash) }
            return CacheKey(hash)
        }
        #expect((key(first) == key(second)) == isSame)
    }

    /// Many names in many parameters: each is found in a list that is in order, whatever order the upstream wrote.
    @Test func manyNamesOfNoVarySearch() throws {
        let names = (0..<1000).map { "n\($0 * 7 % 1000)" }
        let list = names.map { "\"\($0)\"" }.joined(separator: " ")
        let parsed = NoVarySearch(DecisionTests.fields(["No-Vary-Search: params=(\(list) \"n5\")"]))
        let rule = try #require(parsed)
        let ordered = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(rule.parameters == .allBut(ordered))
        func key(_ query: String) -> CacheKey {
            var hash = SipHash(1, 2)
            Array("/a?\(query)".utf8).withUnsafeBytes { rule.combine($0, into: &hash) }
            return CacheKey(hash)
        }
        let plain = key("x=1")
        for name in names { #expect(key("\(name)=2&x=1") == plain) }
        for name in ["m", "n", "n1000", "o"] { #expect(key("\(name)=2&x=1") != plain) }
    }
}
