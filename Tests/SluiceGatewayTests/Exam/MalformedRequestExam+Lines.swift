extension MalformedRequestExam {
    static let lines = [
        Row("RFC 9112 §2.2 two empty lines", line: "\r\n\r\nGET /raw/a HTTP/1.1"),
        Row("RFC 9112 §2.2 bare LF", 400, "GET /raw/a HTTP/1.1\nHost: localhost\n\n"),
        Row("RFC 9112 §2.2 bare CR", 400, "GET /raw/a HTTP/1.1\rHost: localhost\r\r"),
        Row("RFC 9112 §2.2 NUL", line: "GET /raw/a\u{0} HTTP/1.1"),
        Row("RFC 9112 §3 two spaces", line: "GET  /raw/a HTTP/1.1"),
        Row("RFC 9112 §3 two spaces", line: "GET /raw/a  HTTP/1.1"),
        Row("RFC 9112 §3 tab", line: "GET\t/raw/a\tHTTP/1.1"),
        Row("RFC 9112 §3 blank first", line: " GET /raw/a HTTP/1.1"),
        Row("RFC 9112 §3 blank last", line: "GET /raw/a HTTP/1.1 "),
        Row("RFC 9112 §3 blank in the target", line: "GET /raw/a b HTTP/1.1"),
        Row("RFC 9112 §3 more words", line: "GET /raw/a HTTP/1.1 HTTP/1.1"),
        Row("RFC 9112 §3 no version", line: "GET /raw/a"),
        Row("RFC 9112 §3 no target", line: "GET HTTP/1.1"),
        Row("RFC 9110 §9.1 no token", line: "GE(T /raw/a HTTP/1.1"),
        Row("RFC 9110 §9.1 no method", line: " /raw/a HTTP/1.1"),
        Row("RFC 9112 §3 method too long", 501, line: String(repeating: "M", count: 40) + " /raw/a HTTP/1.1"),
        Row(
            "RFC 9112 §3 too long", 414, line: "GET /raw/" + String(repeating: "a", count: 20_000) + " HTTP/1.1"),
        Row("RFC 9112 §2.3 lower case", line: "GET /raw/a http/1.1"),
        Row("RFC 9112 §2.3 digits", line: "GET /raw/a HTTP/1.10"),
        Row("RFC 9112 §2.3 digits", line: "GET /raw/a HTTP/01.1"),
        Row("RFC 9112 §2.3 no minor", line: "GET /raw/a HTTP/1"),
        Row("RFC 9112 §2.3 beyond eight bits", line: "GET /raw/a HTTP/1.257"),
        Row("RFC 9112 §2.2 bare LF in the line", line: "GET\n/raw/a HTTP/1.1"),
        Row("RFC 9112 §2.2 a CR before a field", 400, "GET /raw/a HTTP/1.1\r\nHost: localhost\r\n\rX: a\r\n\r\n"),
        Row("RFC 9112 §2.2 a line of blanks", 400, "GET /raw/a HTTP/1.1\r\n \r\nHost: localhost\r\n\r\n"),
        Row("RFC 1945 §4.1 HTTP/0.9", 400, "GET /raw/a\r\n"),
        Row("RFC 9112 §2.3 blank", line: "GET /raw/a HTTP/ 1.1"),
        Row("RFC 9112 §2.3 another protocol", line: "GET /raw/a ICAP/1.1"),
        Row("RFC 9110 §15.6.6 version", 505, line: "GET /raw/a HTTP/2.0"),
        Row("RFC 9110 §15.6.6 version", 505, line: "GET /raw/a HTTP/0.9"),
        Row("RFC 9110 §15.6.6 version", 505, line: "GET /raw/a HTTP/3.0"),
        Row("RFC 8446 §4 TLS", 400, "\u{16}\u{3}\u{1}\u{0}\u{5}"),
    ]

    static let targets = [
        Row("RFC 9112 §3.2 fragment", line: "GET /raw/a#b HTTP/1.1"),
        Row("RFC 9112 §3.2 not ASCII", line: "GET /raw/é HTTP/1.1"),
        Row("RFC 9112 §3.2 control", line: "GET /raw/\u{1f} HTTP/1.1"),
        Row("RFC 9112 §3.2 no form", line: "GET raw/a HTTP/1.1"),
        Row("RFC 9112 §3.2.2 scheme", line: "GET ftp://localhost/raw/a HTTP/1.1"),
        Row("RFC 9110 §4.2.1 no host", line: "GET http:///raw/a HTTP/1.1"),
        Row("RFC 9110 §4.2.4 userinfo", line: "GET http://localhost@evil/raw/a HTTP/1.1"),
        Row("RFC 9112 §3.2.3 authority for CONNECT alone", line: "GET localhost:80 HTTP/1.1"),
        Row("RFC 9112 §3.2.3 CONNECT to a path", line: "CONNECT /raw/a HTTP/1.1"),
        Row("RFC 9112 §3.2.3 CONNECT without a port", line: "CONNECT localhost HTTP/1.1"),
        Row("RFC 9112 §3.2.4 asterisk for OPTIONS alone", line: "GET * HTTP/1.1"),
        Row("RFC 3986 §2.1 percent", line: "GET /raw/%4 HTTP/1.1"),
        Row("RFC 3986 §2.1 percent", line: "GET /raw/%u002f HTTP/1.1"),
        Row("RFC 3986 §3.3 backslash", line: "GET /raw\\a HTTP/1.1"),
        Row("RFC 3986 §3.4 quote", line: "GET /raw/a?\" HTTP/1.1"),
    ]

    static let hosts =
        [
            Row("RFC 9112 §3.2 no Host", 400, "GET /raw/a HTTP/1.1\r\n\r\n"),
            Row("RFC 9112 §3.2 no Host, absolute-form", 400, "GET http://localhost/raw/a HTTP/1.1\r\n\r\n"),
            Row("RFC 9112 §3.2 two", fields: "Host: localhost"),
            Row("RFC 9112 §3.2 two", fields: "host: evil"),
            Row("RFC 9112 §3.2 two in HTTP/1.0", 400, "GET /raw/a HTTP/1.0\r\nHost: localhost\r\nHost: evil\r\n\r\n"),
        ]
        + [
            "", "localhost, evil", "localhost evil", "localhost/raw", "user@localhost", "user:word@localhost",
            "http://localhost", "localhost:", "localhost:0", "localhost:080", "localhost:00080", "localhost:65536",
            "localhost:-1", "localhost:+80", "localhost:80:80", "localhost:8o", "localhost:80@evil", "[::1", "[::1]a",
            "[::g]", "local%68ost", "localhost?", "localhost#", "local\\host", "locälhost",
        ].map { Row("RFC 9110 §7.2 invalid", 400, "GET /raw/a HTTP/1.1\r\nHost: \($0)\r\n\r\n") }
}
