import Testing

@testable import SluiceHTTP

/// RFC 3986 §3.2.2, RFC 9110 §7.2.
@Suite struct HostFieldTests {
    @Test(arguments: [
        ("a", "a", nil, false), ("a.example.", "a.example.", nil, false), ("a-b_c:1", "a-b_c", 1, false),
        ("127.0.0.1:65535", "127.0.0.1", 65535, false), ("LOCALHOST:80", "LOCALHOST", 80, false),
        ("[::1]", "::1", nil, true), ("[::1]:80", "::1", 80, true), ("[::]", "::", nil, true),
        ("[1::]", "1::", nil, true), ("[1:2:3:4:5:6:7:8]", "1:2:3:4:5:6:7:8", nil, true),
        ("[1:2:3:4:5:6:7::]", "1:2:3:4:5:6:7::", nil, true), ("[::ffff:1.2.3.4]", "::ffff:1.2.3.4", nil, true),
        ("[1:2:3:4:5:6:1.2.3.4]:9", "1:2:3:4:5:6:1.2.3.4", 9, true), ("[FE80::a]", "FE80::a", nil, true),
        ("a:", "a", nil, false), ("[::1]:", "::1", nil, true),
    ])
    func accepts(_ text: String, _ host: String, _ port: Int?, _ isIPv6: Bool) {
        text.withBytes { bytes in
            let field = HostField(bytes)
            #expect(field.map { String($0.host) } == host)
            #expect(field?.port == port)
            #expect(field?.isIPv6 == isIPv6)
        }
    }

    /// RFC 3986 §3.2.3: a port may be empty, and stands for none.
    @Test(arguments: [("a", "a"), ("a:", "a"), ("a:1", "a:1"), ("[::1]:", "[::1]"), ("[::1]:9", "[::1]:9")])
    func anEmptyPortIsNone(_ text: String, _ authority: String) {
        text.withBytes { bytes in
            #expect(HostField(bytes).map { String($0.authority) } == authority)
        }
    }

    @Test(arguments: [
        "", ":", ":80", "a::", "a:0", "a:080", "a:65536", "a:100000", "a:+1", "a:1a", "a: 1", "a:1:2", "a b", " a",
        "a ",
        "u@a", "u:p@a", "a/", "a?", "a#", "a\\b", "a,b", "a;b", "a%2eb", "é", "a\u{0}", "a\tb", "[", "]", "[]", "[:]",
        "[::1",
        "::1", "[::1]a", "[::1]::", "[::1]:0", "[:::]", "[::1::]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]",
        "[1:2:3:4:5:6:7:8::]", "[1:]", "[:1]", "[12345::]", "[g::]", "[fe80::1%25eth0]", "[v1.a]", "[1.2.3.4]",
        "[::1.2.3]", "[::1.2.3.256]", "[::1.2.3.4.5]", "[::1.2.3.4:5]", "[::1.2..4]", "[ ::1]",
        String(repeating: "a", count: 256),
    ])
    func refuses(_ text: String) {
        #expect(text.withBytes { HostField($0) == nil })
    }
}
