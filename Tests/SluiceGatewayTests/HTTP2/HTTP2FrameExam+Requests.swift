import HTTP2Wire

// Messages: RFC 9113 §8, and what RFC 9110 says of them.
extension HTTP2FrameExam {
    static let controlData: [Row] = [
        Row("RFC 9113 §8.3.1 the four", section: method, scheme, authority, path, gives: .forwarded()),
        Row("§8.3 in any order", section: path, authority, method, scheme, gives: .forwarded()),
        Row(
            "§8.3.1 https is a scheme, too", section: method, (":scheme", "https"), authority, path, gives: .forwarded()
        ),
        Row("§8.3.1 another scheme", section: method, (":scheme", "ftp"), authority, path, gives: .status(400)),
        Row("§8.3.1 no method", section: scheme, authority, path, gives: malformed),
        Row("§8.3.1 no scheme", section: method, authority, path, gives: malformed),
        Row("§8.3.1 no path", section: method, scheme, authority, gives: malformed),
        Row("§8.3.1 two methods", section: method, method, scheme, authority, path, gives: malformed),
        Row("§8.3.1 two schemes", section: method, scheme, scheme, authority, path, gives: malformed),
        Row("§8.3.1 two authorities", section: method, scheme, authority, authority, path, gives: malformed),
        Row("§8.3.1 two paths", section: method, scheme, authority, path, path, gives: malformed),
        Row("§8.3 an unknown one", section: method, scheme, authority, path, (":user", "me"), gives: malformed),
        Row("§8.3.2 one of responses", section: method, scheme, authority, path, (":status", "200"), gives: malformed),
        Row("§8.3 behind a field", section: method, scheme, authority, ("a", "b"), path, gives: malformed),
        Row("§8.3 none at all", section: ("host", "localhost"), gives: malformed),
        Row("RFC 8441 §4 not offered", section: ("x", "y"), (":protocol", "websocket"), gives: malformed),
        Row(
            "§8.2.1 a method of two words", section: (":method", "GE T"), scheme, authority, path, gives: malformed),
        Row("§8.2.1 an empty method", section: (":method", ""), scheme, authority, path, gives: malformed),
        Row(
            "RFC 9110 §9.1 methods have a case", section: (":method", "get"), scheme, authority, path,
            gives: .status(501)),
        Row(
            "RFC 9110 §9.1 an endless method", section: (":method", String(repeating: "M", count: 40)), scheme,
            authority, path, gives: .status(501)),
        Row("RFC 9110 §9.3.8 TRACE", section: (":method", "TRACE"), scheme, authority, path, gives: .status(405)),
        Row(
            "RFC 9110 §9.3.7 OPTIONS *", section: (":method", "OPTIONS"), scheme, authority, (":path", "*"),
            gives: .status(200)),
        Row("RFC 9110 §9.3.7 GET *", section: method, scheme, authority, (":path", "*"), gives: malformed),
        Row("§8.5 CONNECT", section: (":method", "CONNECT"), (":authority", "localhost:80"), gives: .status(405)),
        Row("§8.5 CONNECT without a port", section: (":method", "CONNECT"), authority, gives: .status(400)),
        Row("§8.5 CONNECT with a path", section: (":method", "CONNECT"), scheme, authority, path, gives: malformed),
        Row("§8.5 CONNECT without an authority", section: (":method", "CONNECT"), gives: malformed),
    ]

    static let authorities: [Row] = [
        Row(
            "RFC 9113 §8.3.1 Host in its place", section: method, scheme, path, ("host", "localhost"),
            gives: .forwarded()),
        Row(
            "§8.3.1 Host that repeats it", fields: ("host", "localhost"),
            gives: .forwarded(sees: ["Host: fruit.example"])),
        Row("§8.3.1 Host that repeats it in another case", fields: ("host", "LocalHost"), gives: .forwarded()),
        Row("§8.3.1 Host that says otherwise", fields: ("host", "evil.example"), gives: .status(400)),
        Row("RFC 9110 §7.2 two Hosts", fields: ("host", "localhost"), ("host", "localhost"), gives: malformed),
        Row("§8.3.1 neither", section: method, scheme, path, gives: malformed),
        Row("§8.3.1 an empty one", section: method, scheme, (":authority", ""), path, gives: malformed),
        Row(
            "§8.3.1 an empty one beside Host", section: method, scheme, (":authority", ""), path, ("host", "localhost"),
            gives: malformed),
        Row("§8.3.1 userinfo", section: method, scheme, (":authority", "me@localhost"), path, gives: .status(400)),
        Row(
            "§8.3.1 userinfo and password", section: method, scheme, (":authority", "me:x@localhost"), path,
            gives: .status(400)),
        Row(
            "RFC 3986 §3.2 a path in it", section: method, scheme, (":authority", "localhost/raw"), path,
            gives: malformed),
        Row(
            "RFC 3986 §3.2 a blank in it", section: method, scheme, (":authority", "local host"), path, gives: malformed
        ),
        Row(
            "RFC 3986 §3.2.3 a port that is none", section: method, scheme, (":authority", "localhost:x"), path,
            gives: .status(400)),
        Row(
            "RFC 9110 §7.4 not served here", section: method, scheme, (":authority", "evil.example"), path,
            gives: .status(421)),
        Row(
            "RFC 9110 §4.2.3 another case", section: method, scheme, (":authority", "LOCALHOST:80"), path,
            gives: .forwarded()),
    ]

    static let paths: [Row] = [
        Row("RFC 9113 §8.3.1 an empty path", section: method, scheme, authority, (":path", ""), gives: malformed),
        Row("§8.3.1 no slash", section: method, scheme, authority, (":path", "raw/a"), gives: malformed),
        Row(
            "§8.3.1 an absolute URI", section: method, scheme, authority, (":path", "http://localhost/raw/a"),
            gives: malformed),
        Row("RFC 3986 §3.5 a fragment", section: method, scheme, authority, (":path", "/raw/a#b"), gives: .status(400)),
        Row("§8.2.1 a blank", section: method, scheme, authority, (":path", "/raw/a b"), gives: malformed),
        Row(
            "§8.2.1 a line's end", section: method, scheme, authority, (":path", "/raw/a HTTP/1.1\r\nx: y"),
            gives: malformed),
        Row("§8.2.1 NUL", section: method, scheme, authority, (":path", "/raw/a\0"), gives: malformed),
        Row("§8.2.1 DEL", section: method, scheme, authority, (":path", "/raw/a\u{7f}"), gives: malformed),
        Row("RFC 3986 §2 beyond ASCII", section: method, scheme, authority, (":path", "/raw/ä"), gives: .status(400)),
        Row(
            "RFC 3986 §2.1 a broken escape", section: method, scheme, authority, (":path", "/raw/%4"),
            gives: .status(400)),
        Row(
            "RFC 3986 §5.2.4 dot segments", section: method, scheme, authority, (":path", "/raw/../a"),
            gives: .status(400)),
        Row(
            "RFC 3986 §3.4 a query", section: method, scheme, authority, (":path", "/raw/a?b=/c?d"),
            gives: .forwarded(line: "GET /v1/a?b=/c?d HTTP/1.1")),
        Row(
            "RFC 9110 §15.5.5 nothing there", section: method, scheme, authority, (":path", "/nowhere"),
            gives: .status(404)),
    ]

    static let fieldRules: [Row] = [
        Row("RFC 9113 §8.2.1 a name in upper case", fields: ("X-Upper", "a"), gives: malformed),
        Row("§8.2.1 an empty name", fields: ("", "a"), gives: malformed),
        Row("§8.2.1 a blank in a name", fields: ("x y", "a"), gives: malformed),
        Row("§8.2.1 a colon in a name", fields: ("x:y", "a"), gives: malformed),
        Row("§8.2.1 a control in a name", fields: ("x\u{1}", "a"), gives: malformed),
        Row("§8.2.1 beyond ASCII in a name", fields: ("xä", "a"), gives: malformed),
        Row("§8.2.1 a line's end in a name", fields: ("x\r\ny", "a"), gives: malformed),
        Row("§8.2.1 CR in a value", fields: ("x", "a\rb"), gives: malformed),
        Row("§8.2.1 LF in a value", fields: ("x", "a\nb"), gives: malformed),
        Row("§8.2.1 NUL in a value", fields: ("x", "a\0b"), gives: malformed),
        Row("§8.2.1 a smuggled line", fields: ("x", "a\r\nTransfer-Encoding: chunked"), gives: malformed),
        Row("§8.2.1 a blank before a value", fields: ("x", " a"), gives: malformed),
        Row("§8.2.1 a blank behind a value", fields: ("x", "a "), gives: malformed),
        Row("§8.2.1 a tab before a value", fields: ("x", "\ta"), gives: malformed),
        Row("§8.2.1 an empty value", fields: ("x", ""), gives: .forwarded(sees: ["X: "])),
        Row("§8.2.1 obs-text in a value", fields: ("x", "ä"), gives: .forwarded(sees: ["X: ä"])),
        Row("§8.2.2 Connection", fields: ("connection", "close"), gives: malformed),
        Row("§8.2.2 Keep-Alive", fields: ("keep-alive", "1"), gives: malformed),
        Row("§8.2.2 Proxy-Connection", fields: ("proxy-connection", "close"), gives: malformed),
        Row("§8.2.2 Transfer-Encoding", fields: ("transfer-encoding", "chunked"), gives: malformed),
        Row("§8.2.2 Transfer-Encoding: identity", fields: ("transfer-encoding", "identity"), gives: malformed),
        Row("§8.2.2 Upgrade", fields: ("upgrade", "websocket"), gives: malformed),
        Row(
            "§8.2.2 TE: trailers", fields: ("te", "trailers"),
            gives: .forwarded(sees: ["TE: trailers", "Connection: TE"])),
        Row("§8.2.2 TE: gzip", fields: ("te", "gzip"), gives: malformed),
        Row("§8.2.2 TE: trailers and more", fields: ("te", "trailers, deflate"), gives: malformed),
        Row(
            "RFC 7540 §3.2.1 HTTP2-Settings", fields: ("http2-settings", "AAMAAABk"),
            gives: .forwarded(lacks: ["http2-settings"])),
        Row(
            "§8.2.3 cookies in pieces", fields: ("cookie", "a=1"), ("x", "y"), ("cookie", "b=2"), ("cookie", "c=3"),
            gives: .forwarded(sees: ["Cookie: a=1; b=2; c=3"])),
        Row(
            "RFC 9110 §5.3 fields that repeat", fields: ("x", "1"), ("y", "2"), ("x", "3"),
            gives: .forwarded(sees: ["X: 1, 3", "Y: 2"])),
        Row("RFC 9110 §10.1.1 another expectation", fields: ("expect", "200-ok"), gives: .status(417)),
        Row(
            "RFC 9110 §11.7.2 Proxy-Authorization", fields: ("proxy-authorization", "Basic YTpi"),
            gives: .forwarded(lacks: ["proxy-authorization"])),
        Row("RFC 3875 §4.1.18 Proxy", fields: ("proxy", "http://evil"), gives: .forwarded(lacks: ["proxy"])),
        Row("RFC 9218 §4 priority", fields: ("priority", "u=0, i"), gives: .forwarded(sees: ["Priority: u=0, i"])),
        Row(
            "RFC 9110 §7.6.2 the last hop", section: (":method", "OPTIONS"), scheme, authority, path,
            ("max-forwards", "0"), gives: .status(200)),
        Row(
            "RFC 9110 §5.4 too many fields", Wire.request(1, "GET", "/raw/a", (0..<300).map { ("x-\($0)", "a") }),
            gives: .status(431)),
        Row(
            "RFC 6585 §5 a field too large", fields: ("x", String(repeating: "a", count: 15_000)),
            gives: .forwarded(sees: ["X: " + String(repeating: "a", count: 15_000)])),
    ]

    private static func post(_ fields: (String, String)..., content: [UInt8]...) -> [UInt8] {
        Wire.request(1, "POST", "/raw/a", fields.map { ($0.0, $0.1) }, end: content.isEmpty) + content.joined()
    }

    static let lengths: [Row] = [
        Row(
            "RFC 9113 §8.1.1 a length that is right",
            post(("content-length", "4"), content: Wire.data(1, "ab"), Wire.data(1, "cd", end: true)),
            gives: .posted(sees: ["Content-Length: 4"], "abcd")),
        Row(
            "§8.1.1 too little content", post(("content-length", "5"), content: Wire.data(1, "ab", end: true)),
            gives: malformed),
        Row(
            "§8.1.1 too much content", post(("content-length", "1"), content: Wire.data(1, "ab", end: true)),
            gives: malformed),
        Row(
            "§8.1.1 content instead of none", post(("content-length", "0"), content: Wire.data(1, "ab", end: true)),
            gives: malformed),
        Row("§8.1.1 none instead of content", post(("content-length", "2")), gives: malformed),
        Row(
            "RFC 9110 §8.6 no number", post(("content-length", "4x"), content: Wire.data(1, "abcd", end: true)),
            gives: malformed),
        Row(
            "RFC 9110 §8.6 a sign", post(("content-length", "+4"), content: Wire.data(1, "abcd", end: true)),
            gives: malformed),
        Row(
            "RFC 9110 §8.6 a list", post(("content-length", "4, 4"), content: Wire.data(1, "abcd", end: true)),
            gives: malformed),
        Row(
            "RFC 9110 §8.6 two",
            post(("content-length", "4"), ("content-length", "4"), content: Wire.data(1, "abcd", end: true)),
            gives: malformed),
        Row(
            "RFC 9110 §8.6 a huge one",
            post(("content-length", "99999999999999999999"), content: Wire.data(1, "a", end: true)), gives: malformed),
        Row(
            "RFC 9112 §6.3 none said", post(content: Wire.data(1, "ab"), Wire.data(1, "cd", end: true)),
            gives: .posted(sees: ["Transfer-Encoding: chunked"], lacks: ["content-length"], "abcd")),
        Row(
            "§8.1 an empty last frame", post(content: Wire.data(1, "abcd"), Wire.data(1, end: true)),
            gives: .posted("abcd")),
        Row(
            "§6.1 padding is no content",
            post(("content-length", "2"), content: Wire.frame(0, flags: 9, stream: 1, [3, 0x61, 0x62, 0, 0, 0])),
            gives: .posted("ab")),
        Row(
            "RFC 9110 §9.3.1 a GET with content",
            Wire.request(1, "GET", "/raw/a", [("content-length", "2")], end: false), Wire.data(1, "ab", end: true),
            gives: .forwarded(sees: ["Content-Length: 2"], body: "ab")),
        Row("RFC 9110 §8.6 a POST without content", post(), gives: .posted("")),
        Row(
            "RFC 9110 §9.3.8 TRACE with content", Wire.request(1, "TRACE", "/raw/a", end: false), gives: .status(400)),
    ]

    /// What is more than was announced comes in a frame of its own.
    static let excess: [Row] = [
        Row(
            "RFC 9113 §8.1.1 more behind the announced content",
            post(("content-length", "2"), content: Wire.data(1, "ab"), Wire.data(1, "c", end: true)), gives: malformed),
        Row(
            "§8.1.1 more behind announced emptiness",
            post(("content-length", "0"), content: Wire.data(1), Wire.data(1, "cd", end: true)), gives: malformed),
        Row(
            "§8.1 announced emptiness that ends later", post(("content-length", "0"), content: Wire.data(1, end: true)),
            gives: .posted("")),
        Row(
            "§8.1 announced content that ends later",
            post(("content-length", "2"), content: Wire.data(1, "ab"), Wire.data(1, end: true)), gives: .posted("ab")),
    ]

    static let trailers: [Row] = [
        Row(
            "RFC 9113 §8.1 trailers", post(content: Wire.data(1, "ab"), Wire.headers(1, [("x-sum", "1")])),
            gives: .posted(sees: ["X-Sum: 1"], "ab")),
        Row(
            "§8.1 trailers that do not end the stream",
            post(content: Wire.data(1, "ab"), Wire.headers(1, [("x-sum", "1")], end: false)), gives: malformed),
        Row(
            "§8.1 control data in trailers", post(content: Wire.data(1, "ab"), Wire.headers(1, [(":path", "/")])),
            gives: malformed),
        Row(
            "§8.2.1 upper case in trailers", post(content: Wire.data(1, "ab"), Wire.headers(1, [("X-Sum", "1")])),
            gives: malformed),
        Row(
            "§8.2.2 Connection in trailers",
            post(content: Wire.data(1, "ab"), Wire.headers(1, [("connection", "close")])), gives: malformed),
        Row(
            "RFC 9110 §6.5.1 what trailers must not say",
            post(
                content: Wire.data(1, "ab"),
                Wire.headers(1, [("host", "evil"), ("authorization", "x"), ("x-sum", "1")])),
            gives: .posted(sees: ["X-Sum: 1"], lacks: ["authorization"], "ab")),
        Row(
            "§8.1.1 another length in trailers",
            post(content: Wire.data(1, "ab"), Wire.headers(1, [("content-length", "9")])), gives: malformed),
        Row("§8.1 trailers without content", post(content: Wire.headers(1, [("x-sum", "1")])), gives: .posted("")),
        Row(
            "§8.1.1 trailers before the length is reached",
            post(("content-length", "5"), content: Wire.data(1, "ab"), Wire.headers(1, [("x-sum", "1")])),
            gives: malformed),
    ]

    static let forwarding: [Row] = [
        Row("RFC 9110 §7.6.3 Via", fields: ("via", "1.1 a"), gives: .forwarded(sees: ["Via: 1.1 a, 2 sluice"])),
        Row(
            "RFC 9110 §7.2 Host comes from the authority", fields: ("x", "y"),
            gives: .forwarded(sees: ["Host: fruit.example", "X-Forwarded-Host: localhost"])),
        Row(
            "RFC 9112 §6.1 no framing of our own", fields: ("x", "y"),
            gives: .forwarded(lacks: ["transfer-encoding", "content-length", "connection"])),
        Row(
            "RFC 9110 §10.1.1 no content to wait with", fields: ("expect", "100-continue"),
            gives: .forwarded(lacks: ["expect"])),
    ]
}
