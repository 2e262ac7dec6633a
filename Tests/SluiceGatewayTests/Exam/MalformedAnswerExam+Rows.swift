extension MalformedAnswerExam {
    static let lines = [
        Row("RFC 9112 §4 no status line", "ok"),
        Row("RFC 9112 §4 HTTP/0.9", "<html></html>\r\n\r\n"),
        Row("RFC 9112 §4 junk before", line: "junk\r\nHTTP/1.1 200 OK"),
        Row("RFC 9112 §4 empty line before", line: "\r\nHTTP/1.1 200 OK"),
        Row("RFC 9112 §4 blank before", line: " HTTP/1.1 200 OK"),
        Row("RFC 9112 §4 protocol", line: "HTTQ/1.1 200 OK"),
        Row("RFC 9112 §2.3 case", line: "http/1.1 200 OK"),
        Row("RFC 9112 §2.3 version", line: "HTTP/2 200 OK"),
        Row("RFC 9112 §2.3 version", line: "HTTP/2.0 200 OK"),
        Row("RFC 9112 §2.3 version", line: "HTTP/1.10 200 OK"),
        Row("RFC 9112 §4 no code", line: "HTTP/1.1"),
        Row("RFC 9112 §4 no code", line: "HTTP/1.1 OK"),
        Row("RFC 9112 §4 two spaces", line: "HTTP/1.1  200 OK"),
        Row("RFC 9112 §4 tab", line: "HTTP/1.1\t200 OK"),
        Row("RFC 9112 §4 no space behind the code", line: "HTTP/1.1 200"),
        Row("RFC 9112 §4 two digits", line: "HTTP/1.1 20 OK"),
        Row("RFC 9112 §4 four digits", line: "HTTP/1.1 2000 OK"),
        Row("RFC 9112 §4 sign", line: "HTTP/1.1 +20 OK"),
        Row("RFC 9110 §15 code", line: "HTTP/1.1 000 OK"),
        Row("RFC 9110 §15 code", line: "HTTP/1.1 099 OK"),
        Row("RFC 9110 §15 code", line: "HTTP/1.1 600 OK"),
        Row("RFC 9110 §15 code", line: "HTTP/1.1 999 OK"),
        Row("RFC 9112 §4 control in the reason", line: "HTTP/1.1 200 O\u{0}K"),
        Row("RFC 9112 §2.2 bare CR", line: "HTTP/1.1 200 OK\rX: a"),
        Row("RFC 9112 §2.2 bare LF", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"),
        Row("RFC 9112 §4 too long", line: "HTTP/1.1 200 " + String(repeating: "a", count: 20_000)),
        Row(
            "RFC 9110 §15.2.2 unasked 101",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n"),
        Row(
            "RFC 9110 §15.2.2 unasked 101 with content",
            "HTTP/1.1 101 X\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        Row("RFC 9110 §7.8 101 in HTTP/1.0", "HTTP/1.0 101 X\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n"),
        Row("RFC 9112 §6.1 interim in chunks", "HTTP/1.1 100 X\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Row("RFC 9112 §4 no blank behind the code", line: "HTTP/1.1 200OK"),
        Row("RFC 9112 §4 tab behind the code", line: "HTTP/1.1 200\tOK"),
        Row("RFC 9112 §4 a letter in the code", line: "HTTP/1.1 20O OK"),
        Row("RFC 9112 §4 blank in the code", line: "HTTP/1.1 2 00 OK"),
        Row("RFC 9112 §4 minus", line: "HTTP/1.1 -200 OK"),
        Row("RFC 9112 §2.3 no minor version", line: "HTTP/1 200 OK"),
        Row("RFC 9112 §2.3 sign in the version", line: "HTTP/1.+1 200 OK"),
        Row("RFC 9112 §2.2 NUL before", line: "\u{0}HTTP/1.1 200 OK"),
        Row("RFC 9112 §2.2 a byte order mark before", line: "\u{feff}HTTP/1.1 200 OK"),
        Row("RFC 9110 §15.2 flood", String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 20)),
        Row("RFC 9110 §15.2 a malformed interim answer", "HTTP/1.1 103 X\r\nX : a\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
        Row(
            "RFC 9110 §8.6 interim with content", "HTTP/1.1 103 X\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n"
        ),
    ]

    static let fields = [
        "X : a", "X\t: a", " X: a", "X: a\r\n b", "X: a\r\n\tb", "X", ": a", "X(Y): a", "X\u{0}: a", "Xé: a",
        "X: a\u{0}b",
        "X: a\u{1}b", "X: \u{7f}", "X: a\rY: b", "X: a\nY: b", "X: a\r", "Connection: a b",
        "X: " + String(repeating: "a", count: 40_000), (0..<200).map { "X\($0): a" }.joined(separator: "\r\n"),
    ].map { Row("RFC 9110 §5, RFC 9112 §5", fields: "Content-Length: 2\r\n" + $0) }

    static let framing =
        [
            "Content-Length: 2\r\nContent-Length: 3", "Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2, 2",
            "Content-Length: 2, 3", "Content-Length: +2", "Content-Length: -2",
            "Content-Length: 0x2",
            "Content-Length: 2.0", "Content-Length: 2 2", "Content-Length: two", "Content-Length: ",
            "Content-Length: 99999999999999999999", "Content-Length : 2",
        ].map { Row("RFC 9110 §8.6, RFC 9112 §6.3", fields: $0) }
        + [
            "Content-Length: 2\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 2",
            "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: identity",
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: xchunked", "Transfer-Encoding: ", "Transfer-Encoding: \u{b}chunked",
            "Transfer-Encoding : chunked",
            "Transfer-Encoding:\r\n chunked",
        ].map { Row("RFC 9112 §6.1, §6.3", fields: $0) } + [
            Row("RFC 9112 §6.1 HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            Row("RFC 9110 §8.6 204 with a length", "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok"),
            Row(
                "RFC 9112 §6.1 204 with chunks",
                "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ]

    /// Answers with bytes behind their end, which are nobody's.
    static let surplus = [
        Row("RFC 9112 §6.3 bytes behind the end", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay"),
        Row(
            "RFC 9112 §6.3 a second answer",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "RFC 9112 §7.1 bytes behind the last chunk",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nay"),
        Row("RFC 9110 §9.3.2 HEAD with content", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", to: "HEAD"),
        Row(
            "RFC 9110 §9.3.2 HEAD with chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            to: "HEAD"),
        Row("RFC 9110 §15.3.5 204 with content", "HTTP/1.1 204 No Content\r\n\r\nok"),
        Row("RFC 9110 §15.4.5 304 with content", "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\nok"),
    ]
}
