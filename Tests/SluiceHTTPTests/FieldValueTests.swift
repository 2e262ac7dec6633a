import Testing

@testable import SluiceHTTP

@Suite struct FieldValueTests {
    /// RFC 9110 §5.5.
    @Test(arguments: [
        ("", true), ("a", true), ("a\tb c", true), ("é", true), (" a", false), ("a ", false), ("a\r\nB: c", false),
        ("a\u{0}", false), ("\u{7f}", false), (String(repeating: "x", count: 40) + "\n", false),
    ])
    func values(_ text: String, _ isValid: Bool) {
        #expect(text.withBytes { FieldValue.isValid($0) } == isValid)
    }

    /// RFC 9110 §5.6.2.
    @Test(arguments: [
        ("", false), ("X-a", true), ("!#$%&'*+-.^_`|~09", true), ("a b", false), ("a:", false), ("é", false),
    ])
    func tokens(_ text: String, _ isToken: Bool) {
        #expect(text.withBytes { FieldValue.isToken($0) } == isToken)
    }

    /// RFC 9112 §3.2.1, RFC 3986 §2.1.
    @Test(arguments: [
        ("/", true), ("/a/b%20c?d=/?&e%2F", true), ("", false), ("a", false), ("*", false), ("http://a/", false),
        ("/a b", false), ("/a%2", false), ("/a?b%zz", false), ("/a#b", false), ("/a\r\nb", false), ("/é", false),
    ])
    func targets(_ text: String, _ isTarget: Bool) {
        #expect(text.withBytes { FieldValue.isTarget($0) } == isTarget)
    }
}
