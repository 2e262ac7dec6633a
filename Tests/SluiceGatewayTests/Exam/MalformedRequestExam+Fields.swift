extension MalformedRequestExam {
    static let fields = [
        Row("RFC 9112 §5.1 space before the colon", fields: "X : a"),
        Row("RFC 9112 §5.1 tab before the colon", fields: "X\t: a"),
        Row("RFC 9112 §5.1 space before the colon", post: "Content-Length : 5", "hello"),
        Row("RFC 9112 §5.1 space before the colon", post: "Transfer-Encoding : chunked", "0\r\n\r\n"),
        Row("RFC 9112 §2.2 blank before the first field", fields: " X: a"),
        Row("RFC 9112 §5.2 obs-fold", fields: "X: a\r\n b"),
        Row("RFC 9112 §5.2 obs-fold", fields: "X: a\r\n\tb"),
        Row("RFC 9112 §5.2 obs-fold", post: "Transfer-Encoding:\r\n chunked", "0\r\n\r\n"),
        Row("RFC 9112 §5 no colon", fields: "X"),
        Row("RFC 9110 §5.1 no name", fields: ": a"),
        Row("RFC 9110 §5.1 no token", fields: "X(Y): a"),
        Row("RFC 9110 §5.1 no token", fields: "X\u{0}Y: a"),
        Row("RFC 9110 §5.1 no token", fields: "Xé: a"),
        Row("RFC 9110 §5.1 no token", fields: "\u{b}Content-Length: 5"),
        Row("RFC 9110 §5.5 NUL", fields: "X: a\u{0}b"),
        Row("RFC 9110 §5.5 control", fields: "X: a\u{8}b"),
        Row("RFC 9110 §5.5 DEL", fields: "X: a\u{7f}b"),
        Row("RFC 9112 §2.2 bare CR", fields: "X: a\rY: b"),
        Row("RFC 9112 §2.2 bare CR at the end", fields: "X: a\r"),
        Row("RFC 9112 §2.2 bare LF", fields: "X: a\nY: b"),
        Row("RFC 6585 §5 one field too large", 431, fields: "X: " + String(repeating: "a", count: 40_000)),
        Row("RFC 6585 §5 a name too large", 431, fields: String(repeating: "a", count: 40_000) + ": b"),
        Row("RFC 6585 §5 too many", 431, fields: (0..<200).map { "X\($0): a" }.joined(separator: "\r\n")),
        Row("RFC 9110 §7.6.1 no list of tokens", fields: "Connection: a b"),
        Row("RFC 9110 §10.1.1 unknown expectation", 417, post: "Expect: cake\r\nContent-Length: 5", "hello"),
    ]

    static let framing =
        [
            Row("RFC 9112 §6.1 both", post: "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
            Row("RFC 9112 §6.1 both", post: "Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"),
            Row("RFC 9112 §6.1 both", post: "Transfer-Encoding: identity\r\nContent-Length: 5", "hello"),
            Row(
                "RFC 9112 §6.1 both, nominated",
                post: "Connection: Content-Length\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"),
            Row("RFC 9112 §6.1 HTTP/1.0", post: "Transfer-Encoding: chunked", "0\r\n\r\n", version: "1.0"),
            Row("RFC 9112 §6.1 twice", post: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
            Row("RFC 9112 §6.1 twice", post: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "0\r\n\r\n"),
            Row("RFC 9112 §6.3 chunked twice", post: "Transfer-Encoding: chunked, chunked", "0\r\n\r\n"),
            Row("RFC 9112 §6.3 chunked not last", post: "Transfer-Encoding: chunked, gzip", "0\r\n\r\n"),
            Row("RFC 9112 §6.1 empty", post: "Transfer-Encoding: ", "0\r\n\r\n"),
            Row("RFC 9112 §6.1 control", post: "Transfer-Encoding: \u{b}chunked", "0\r\n\r\n"),
            Row(
                "RFC 9110 §9.3.8 TRACE with content", 400,
                "TRACE /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"),
        ]
        + ["gzip, chunked", "identity", "xchunked", "chunked;a=b", "\"chunked\"", "chunke d"].map {
            Row("RFC 9112 §6.1 unknown coding", 501, post: "Transfer-Encoding: \($0)", "0\r\n\r\n")
        }
        + [
            "5\r\nContent-Length: 6", "5\r\nContent-Length: 5", "5, 5", "5,6", "5,", "", "+5", "-5", "05", "0x5", "5.0",
            "5e0",
            "5 5", "five", "5;", "\"5\"", "９", "99999999999999999999", "9223372036854775808",
        ].map { Row("RFC 9110 §8.6 length", post: "Content-Length: \($0)", "hello") }

    static let chunks = [
        Row("RFC 9112 §7.1 no size", chunks: "\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 no digit", chunks: "g\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 sign", chunks: "-5\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 sign", chunks: "+5\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 prefix", chunks: "0x5\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 blank first", chunks: " 5\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 blank last", chunks: "5 \r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 overflow", chunks: "10000000000000005\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 overflow", chunks: "ffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 size too small", chunks: "4\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 size too large", chunks: "6\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1 nothing behind the data", chunks: "5\r\nhello0\r\n\r\n"),
        Row("RFC 9112 §2.2 bare LF", chunks: "5\nhello\n0\n\n"),
        Row("RFC 9112 §2.2 bare LF behind the data", chunks: "5\r\nhello\n0\r\n\r\n"),
        Row("RFC 9112 §2.2 bare CR behind the size", chunks: "5\rhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1.1 bare LF in an extension", chunks: "5;a\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1.1 bare CR in an extension", chunks: "5;a\rb\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1.1 NUL in an extension", chunks: "5;a=\u{0}\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1.1 open quote", chunks: "5;a=\"\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1.1 no name", chunks: "5;\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1.1 too large", chunks: "5;" + String(repeating: "a", count: 2000) + "\r\nhello\r\n0\r\n\r\n"),
        Row("RFC 9112 §7.1.2 blank before the colon", chunks: "5\r\nhello\r\n0\r\nX : a\r\n\r\n"),
        Row("RFC 9112 §7.1.2 obs-fold", chunks: "5\r\nhello\r\n0\r\nX: a\r\n b\r\n\r\n"),
        Row("RFC 9112 §7.1.2 no field", chunks: "5\r\nhello\r\n0\r\nrubbish\r\n\r\n"),
        Row("RFC 9112 §7.1.2 NUL", chunks: "5\r\nhello\r\n0\r\nX: \u{0}\r\n\r\n"),
        Row("RFC 9112 §7.1.2 bare LF", chunks: "5\r\nhello\r\n0\r\nX: a\n\r\n"),
        Row(
            "RFC 6585 §5 trailers too large", 431,
            chunks: "5\r\nhello\r\n0\r\nX: " + String(repeating: "a", count: 10_000) + "\r\n\r\n"),
    ]
}
