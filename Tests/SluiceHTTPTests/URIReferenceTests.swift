import Testing

@testable import SluiceHTTP

/// RFC 3986 §5: what a reference refers to.
@Suite struct URIReferenceTests {
    private static func resolve(_ reference: String, _ base: String) -> String {
        base.withBytes { base in
            reference.withBytes { URIReference($0).resolved(against: URIReference(base)).text }
        }
    }

    /// The tables of §5.4.1 and §5.4.2, whole.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
    func resolvesTheExamples(reference: String, target: String) {
        #expect(Self.resolve(reference, "http://a/b/c/d;p?q") == target)
    }

    /// §5.2.3, and references that the tables do not have.
    @Test(arguments: [
        ("g", "http://a", "http://a/g"), ("g", "http://a?q", "http://a/g"), ("?y", "http://a", "http://a?y"),
        ("..", "http://a/b", "http://a/"), ("a/..", "http://a/b/c", "http://a/b/"),
        ("HTTP://B/x/../y", "http://a/b", "HTTP://B/y"), ("//b?y", "http://a/b", "http://b?y"),
        ("/b?y#f?#", "http://a", "http://a/b?y#f?#"), ("1:b", "http://a/b/", "http://a/b/1:b"),
    ])
    func resolvesOthers(reference: String, base: String, target: String) {
        #expect(Self.resolve(reference, base) == target)
    }

    @Test(
        arguments: [
            ("http://a", "/"), ("http://a?b", "/?b"), ("/a%2Fb?c=d%20e", "/a%2Fb?c=d%20e"), ("/a//b", "/a//b"),
            ("//a//b", nil), ("a", nil), ("/a\\b", nil), ("/a b", nil), ("/a?b\\c", nil), ("/a?b c", nil), ("/%4", nil),
            ("/a?%zz", nil), ("/%2e%2e/a", nil), ("/a/%2E", nil), ("/%00", nil), ("/\u{e9}", nil), ("/\u{7f}", nil),
            ("/a?", "/a?"), ("/a#b", "/a"),
        ] as [(String, String?)])
    func asTheTargetOfARequest(reference: String, target: String?) {
        let form = reference.withBytes { URIReference($0).originForm }
        #expect(form.map { String(decoding: $0, as: UTF8.self) } == target)
    }
}

extension URIReference {
    /// Put together again (RFC 3986 §5.3).
    fileprivate var text: String {
        func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        return (scheme.map { string($0) + ":" } ?? "") + (authority.map { "//" + string($0) } ?? "") + string(path)
            + (query.map { "?" + string($0) } ?? "") + (fragment.map { "#" + string($0) } ?? "")
    }
}
