import Testing

@testable import SluiceRules

@Suite struct HostPortTests {
    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:8080", "::1", 8080), ("api.example:1", "api.example", 1),
    ])
    func splits(_ text: String, _ host: String, _ port: Int) throws {
        let parts = try #require(HostPort.split(text))
        #expect(parts.host == host)
        #expect(parts.port == port)
    }

    @Test(arguments: ["", "80", ":80", "::1:80", "[::1]", "a:b", "a:", "a:-1", "[x]:80", "[::1:80"])
    func refusesToSplit(_ text: String) {
        #expect(HostPort.split(text) == nil)
    }

    /// RFC 3986 §3.2.2: `dec-octet` has no leading zero.
    @Test(arguments: [
        ("127.0.0.1", true), ("0.0.0.0", true), ("256.0.0.1", false), ("1.2.3", false), ("01.2.3.4", false),
        ("1.2.3.4.5", false), ("1.2.3.+4", false),
    ])
    func knowsIPv4(_ text: String, _ isIt: Bool) {
        #expect(HostPort.isIPv4(text) == isIt)
    }

    /// RFC 4291 §2.2.
    @Test(arguments: [
        ("::1", true), ("::", true), ("2001:db8::8:800:200c:417a", true), ("1:2:3:4:5:6:7:8", true),
        ("::ffff:1.2.3.4", true), ("1:2:3:4:5:6:7", false), ("1:2:3:4:5:6:7:8:9", false), ("1::2::3", false),
        (":::", false), ("12345::", false), ("1.2.3.4::", false), ("fe80::1%eth0", false), ("", false),
        ("1:2:3:4:5:6:1.2.3.4", true), ("1:2:3:4:5:1.2.3.4", false), ("1:2:3:4:5:6:7:1.2.3.4", false),
    ])
    func knowsIPv6(_ text: String, _ isIt: Bool) {
        #expect(HostPort.isIPv6(text) == isIt)
    }

    @Test(arguments: [
        ("localhost", true), ("api.example", true), ("a_b.example", true), ("-a.example", false), ("a..b", false),
        ("", false), ("a b", false), (String(repeating: "a", count: 64), false),
    ])
    func knowsNames(_ text: String, _ isIt: Bool) {
        #expect(HostPort.isName(text) == isIt)
    }
}
