import SluiceContract
import TestBytes
import Testing

@testable import SluiceHTTP

/// Requests that are refused, with the status; every one of them cut at every point.
@Suite struct HTTP1ServerMachineRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var clause: String
        var status: Int
        var input: String

        init(_ clause: String, _ status: Int, _ input: String) {
            self.clause = clause
            self.status = status
            self.input = input
        }

        var testDescription: String { clause + " " + input.visible }
    }

    @Test(arguments: lines + hosts + fields + framing + chunks)
    func refuses(_ test: Case) {
        let whole = ServerTranscript(test.input, closes: false)
        #expect(whole.refusal?.kind.status == test.status, "\(whole)")
        #expect(whole.lines.last == "closed")
        for pieces in Cuts.all(Array(test.input.utf8)) {
            let cut = ServerTranscript(pieces, closes: false)
            #expect(cut == whole, "in \(pieces.count) pieces of \(pieces[0].count)")
        }
    }

    private static let host = "Host: a\r\n\r\n"

    static let lines: [Case] = [
        Case("RFC 9112 §3 no version", 400, "GET /\r\n" + host),
        Case("RFC 9112 §3 no target", 400, "GET HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3 nothing", 400, "\r\n\r\nGET / HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3 two spaces", 400, "GET  / HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3 two spaces", 400, "GET /  HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3 tab", 400, "GET\t/ HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3 tab", 400, "GET /\tHTTP/1.1\r\n" + host),
        Case("RFC 9112 §3 blank first", 400, " GET / HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3 blank last", 400, "GET / HTTP/1.1 \r\n" + host),
        Case("RFC 9112 §3 words", 400, "GET /a b HTTP/1.1\r\n" + host),
        Case("RFC 9112 §2.2 bare LF", 400, "GET / HTTP/1.1\n" + host),
        Case("RFC 9112 §2.2 bare LF", 400, "\nGET / HTTP/1.1\r\n" + host),
        Case("RFC 9112 §2.2 bare CR", 400, "GET / HTTP/1.1\rHost: a\r\n\r\n"),
        Case("RFC 9112 §2.2 bare CR", 400, "\rGET / HTTP/1.1\r\n" + host),
        Case("RFC 9112 §2.2 bare CR", 400, "GET /\rHTTP/1.1\r\n" + host),
        Case("RFC 9110 §9.1 no token", 400, "G@T / HTTP/1.1\r\n" + host),
        Case("RFC 9110 §9.1 no token", 400, "GET\u{0} / HTTP/1.1\r\n" + host),
        Case("RFC 8446 §4 TLS", 400, "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}"),
        Case("RFC 9112 §3 method length", 501, String(repeating: "A", count: 33) + " / HTTP/1.1\r\n" + host),
        Case("RFC 9112 §2.3 case", 400, "GET / http/1.1\r\n" + host),
        Case("RFC 9112 §2.3 form", 400, "GET / HTTP/1\r\n" + host),
        Case("RFC 9112 §2.3 form", 400, "GET / HTTP/1.10\r\n" + host),
        Case("RFC 9112 §2.3 form", 400, "GET / HTTP/11.1\r\n" + host),
        Case("RFC 9112 §2.3 form", 400, "GET / HTTP/+1.1\r\n" + host),
        Case("RFC 9112 §2.3 form", 400, "GET / HTTP/1,1\r\n" + host),
        Case("RFC 9112 §2.3 form", 400, "GET / HTPP/1.1\r\n" + host),
        Case("RFC 9110 §15.6.6", 505, "GET / HTTP/0.9\r\n" + host),
        Case("RFC 9110 §15.6.6", 505, "GET / HTTP/2.0\r\n" + host),
        Case("RFC 9113 §3.4 preface", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Case("RFC 9112 §3.2 fragment", 400, "GET /#a HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2 control", 400, "GET /\u{1} HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2 NUL", 400, "GET /\u{0} HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2 not ASCII", 400, "GET /é HTTP/1.1\r\n" + host),
        Case("RFC 3986 §3.3", 400, "GET /a\\b HTTP/1.1\r\n" + host),
        Case("RFC 3986 §3.3", 400, "GET /<a> HTTP/1.1\r\n" + host),
        Case("RFC 3986 §2.1", 400, "GET /%zz HTTP/1.1\r\n" + host),
        Case("RFC 3986 §2.1", 400, "GET /?a=%2 HTTP/1.1\r\n" + host),
        Case("RFC 3986 §2.1", 400, "GET /% HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2 no form", 400, "GET a HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2 no form", 400, "GET ?a HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2.2 scheme", 400, "GET ftp://a/ HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2.2 scheme", 400, "GET http:/a HTTP/1.1\r\n" + host),
        Case("RFC 9110 §4.2.1 empty host", 400, "GET http:///a HTTP/1.1\r\n" + host),
        Case("RFC 9110 §4.2.1 empty host", 400, "GET http://:80/a HTTP/1.1\r\n" + host),
        Case("RFC 9110 §4.2.4 userinfo", 400, "GET http://u:p@a/ HTTP/1.1\r\n" + host),
        Case("RFC 9110 §4.2.4 userinfo", 400, "GET http://u@a/ HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2.3 for CONNECT alone", 400, "GET a:80 HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2.3", 400, "CONNECT / HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2.3 no port", 400, "CONNECT a HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2.3 port nought", 400, "CONNECT a:0 HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2.4 for OPTIONS alone", 400, "GET * HTTP/1.1\r\n" + host),
        Case("RFC 9112 §3.2.4", 400, "OPTIONS *a HTTP/1.1\r\n" + host),
    ]

    static let hosts: [Case] = [
        Case("RFC 9112 §3.2 no Host", 400, "GET / HTTP/1.1\r\n\r\n"),
        Case("RFC 9112 §3.2 no Host, absolute-form", 400, "GET http://a/ HTTP/1.1\r\n\r\n"),
        Case("RFC 9112 §3.2 two", 400, "GET / HTTP/1.1\r\nHost: a\r\n" + host),
        Case("RFC 9112 §3.2 two", 400, "GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n"),
        Case("RFC 9112 §3.2 list", 400, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        Case("RFC 9112 §3.2 empty", 400, "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        Case("RFC 9112 §3.2 with a path", 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Case("RFC 9112 §3.2 with a blank", 400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        Case("RFC 9112 §3.2 userinfo", 400, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
        Case("RFC 9112 §3.2 port", 400, "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n"),
        Case("RFC 9112 §3.2 port", 400, "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n"),
        Case("RFC 9112 §3.2.2 invalid although outranked", 400, "GET http://a/ HTTP/1.1\r\nHost: a@b\r\n\r\n"),
    ]

    static let fields: [Case] = [
        Case("RFC 9112 §5.1 space before the colon", 400, "GET / HTTP/1.1\r\nHost : a\r\n\r\n"),
        Case("RFC 9112 §5.1 tab before the colon", 400, "GET / HTTP/1.1\r\nHost\t: a\r\n\r\n"),
        Case("RFC 9112 §5.1 blank in a name", 400, "GET / HTTP/1.1\r\nX Y: a\r\n" + host),
        Case("RFC 9112 §2.2 blank before the first", 400, "GET / HTTP/1.1\r\n X: a\r\n" + host),
        Case("RFC 9112 §5.2 obs-fold", 400, "GET / HTTP/1.1\r\nX: a\r\n b\r\n" + host),
        Case("RFC 9112 §5.2 obs-fold", 400, "GET / HTTP/1.1\r\nX: a\r\n\tb\r\n" + host),
        Case("RFC 9112 §5.2 obs-fold of nothing", 400, "GET / HTTP/1.1\r\nX: a\r\n \r\n" + host),
        Case("RFC 9110 §5.1 no name", 400, "GET / HTTP/1.1\r\n: a\r\n" + host),
        Case("RFC 9110 §5.1 no token", 400, "GET / HTTP/1.1\r\nX@: a\r\n" + host),
        Case("RFC 9110 §5.1 no token", 400, "GET / HTTP/1.1\r\nX\u{0}: a\r\n" + host),
        Case("RFC 9110 §5.1 no token", 400, "GET / HTTP/1.1\r\nXé: a\r\n" + host),
        Case("RFC 9110 §5.1 no token", 400, "GET / HTTP/1.1\r\nContent\rLength: 1\r\n" + host),
        Case("RFC 9112 §5 no colon", 400, "GET / HTTP/1.1\r\nX\r\n" + host),
        Case("RFC 9112 §5 no colon", 400, "GET / HTTP/1.1\r\nX\n" + host),
        Case("RFC 9110 §5.5 NUL", 400, "GET / HTTP/1.1\r\nX: a\u{0}b\r\n" + host),
        Case("RFC 9110 §5.5 control", 400, "GET / HTTP/1.1\r\nX: a\u{1}\r\n" + host),
        Case("RFC 9110 §5.5 DEL", 400, "GET / HTTP/1.1\r\nX: \u{7f}\r\n" + host),
        Case("RFC 9112 §2.2 bare CR", 400, "GET / HTTP/1.1\r\nX: a\rb\r\n" + host),
        Case("RFC 9112 §2.2 bare LF", 400, "GET / HTTP/1.1\r\nX: a\n" + host),
        Case("RFC 9112 §2.2 bare LF at the end", 400, "GET / HTTP/1.1\r\nHost: a\r\n\n"),
        Case("RFC 9112 §2.2 CR alone at the end", 400, "GET / HTTP/1.1\r\nHost: a\r\n\rX"),
        Case("RFC 9110 §7.6.1", 400, "GET / HTTP/1.1\r\nConnection: a b\r\n" + host),
        Case("RFC 9110 §7.6.1", 400, "GET / HTTP/1.1\r\nConnection: \"close\r\n" + host),
        Case("RFC 9110 §10.1.1", 417, "GET / HTTP/1.1\r\nExpect: cake\r\n" + host),
        Case("RFC 9110 §10.1.1 list", 417, "GET / HTTP/1.1\r\nExpect: 100-continue, x\r\n" + host),
    ]

    private static func post(_ fields: String, version: String = "1.1") -> String {
        "POST / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    static let framing: [Case] = [
        Case("RFC 9110 §9.3.8", 400, "TRACE / HTTP/1.1\r\nContent-Length: 0\r\n" + host),
        Case("RFC 9110 §9.3.6", 400, "CONNECT a:1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + host),
        Case("RFC 9112 §6.1 both", 400, post("Content-Length: 1\r\nTransfer-Encoding: chunked")),
        Case("RFC 9112 §6.1 both", 400, post("Transfer-Encoding: chunked\r\nContent-Length: 0")),
        Case("RFC 9112 §6.1 both", 400, post("Transfer-Encoding: identity\r\nContent-Length: 0")),
        Case("RFC 9112 §6.1 in HTTP/1.0", 400, post("Transfer-Encoding: chunked", version: "1.0")),
        Case("RFC 9112 §6.1 unknown", 501, post("Transfer-Encoding: gzip, chunked")),
        Case("RFC 9112 §6.1 unknown", 501, post("Transfer-Encoding: gzip")),
        Case("RFC 9112 §6.1 unknown", 501, post("Transfer-Encoding: identity")),
        Case("RFC 9112 §6.1 unknown", 501, post("Transfer-Encoding: xchunked")),
        Case("RFC 9112 §6.1 unknown", 501, post("Transfer-Encoding: chunked;q=1")),
        Case("RFC 9112 §6.1 unknown", 501, post("Transfer-Encoding: \"chunked\"")),
        Case("RFC 9112 §6.1 unknown", 501, post("Transfer-Encoding: chunked identity")),
        Case("RFC 9112 §6.1 unknown", 501, post("Transfer-Encoding: chunked, gzip, chunked")),
        Case("RFC 9112 §6.3 chunked not last", 400, post("Transfer-Encoding: chunked, gzip")),
        Case("RFC 9112 §6.3 chunked not last", 400, post("Transfer-Encoding: chunked, identity")),
        Case("RFC 9112 §6.1 control", 400, post("Transfer-Encoding: \u{b}chunked")),
        Case("RFC 9112 §6.1 twice", 400, post("Transfer-Encoding: chunked, chunked")),
        Case("RFC 9112 §6.1 twice", 400, post("Transfer-Encoding: chunked\r\ntransfer-encoding: chunked")),
        Case("RFC 9112 §6.1 empty element", 400, post("Transfer-Encoding: chunked,")),
        Case("RFC 9112 §6.1 empty", 400, post("Transfer-Encoding:")),
        Case("RFC 9112 §6.3 two", 400, post("Content-Length: 1\r\nContent-Length: 2")),
        Case("RFC 9112 §6.3 two alike", 400, post("Content-Length: 1\r\ncontent-length: 1")),
        Case("RFC 9112 §6.3 list", 400, post("Content-Length: 1, 1")),
        Case("RFC 9110 §8.6 sign", 400, post("Content-Length: -0")),
        Case("RFC 9110 §8.6 sign", 400, post("Content-Length: +1")),
        Case("RFC 9110 §8.6 sign", 400, post("Content-Length: -1")),
        Case("RFC 9110 §8.6 hexadecimal", 400, post("Content-Length: 0x1")),
        Case("RFC 9110 §8.6 fraction", 400, post("Content-Length: 1.0")),
        Case("RFC 9110 §8.6 blank", 400, post("Content-Length: 1 1")),
        Case("RFC 9110 §8.6 empty", 400, post("Content-Length:")),
        Case("RFC 9110 §8.6 overflow", 400, post("Content-Length: 9223372036854775808")),
        Case("RFC 9110 §8.6 overflow", 400, post("Content-Length: 18446744073709551617")),
        Case("RFC 9110 §8.6 digits", 400, post("Content-Length: ١")),
    ]

    private static func chunk(_ body: String) -> String {
        post("Transfer-Encoding: chunked") + body
    }

    static let chunks: [Case] = [
        Case("RFC 9112 §7.1 no size", 400, chunk("\r\n")),
        Case("RFC 9112 §7.1 no size", 400, chunk(";a\r\n")),
        Case("RFC 9112 §7.1 no size", 400, chunk("g\r\n")),
        Case("RFC 9112 §7.1 sign", 400, chunk("+1\r\nx\r\n")),
        Case("RFC 9112 §7.1 sign", 400, chunk("-1\r\nx\r\n")),
        Case("RFC 9112 §7.1 prefix", 400, chunk("0x1\r\nx\r\n")),
        Case("RFC 9112 §7.1 underscore", 400, chunk("1_0\r\n")),
        Case("RFC 9112 §7.1 blank first", 400, chunk(" 1\r\nx\r\n")),
        Case("RFC 9112 §7.1 blank last", 400, chunk("1 \r\nx\r\n")),
        Case("RFC 9112 §7.1 overflow", 400, chunk("8000000000000000\r\n")),
        Case("RFC 9112 §7.1 overflow", 400, chunk("10000000000000001\r\n")),
        Case("RFC 9112 §7.1 digits", 400, chunk("00000000000000001\r\nx\r\n")),
        Case("RFC 9112 §2.2 bare LF", 400, chunk("1\nx\r\n0\r\n\r\n")),
        Case("RFC 9112 §2.2 bare CR", 400, chunk("1\rx\r\n0\r\n\r\n")),
        Case("RFC 9112 §2.2 bare LF in an extension", 400, chunk("1;a\nx\r\n0\r\n\r\n")),
        Case("RFC 9112 §7.1 too long", 400, chunk("1\r\nxy\r\n0\r\n\r\n")),
        Case("RFC 9112 §7.1 too short", 400, chunk("3\r\nx\r\n0\r\n\r\n")),
        Case("RFC 9112 §7.1 LF behind the data", 400, chunk("1\r\nx\n0\r\n\r\n")),
        Case("RFC 9112 §7.1 CR behind the data", 400, chunk("1\r\nx\r0\r\n\r\n")),
        Case("RFC 9112 §7.1.1 no name", 400, chunk("1;\r\nx\r\n")),
        Case("RFC 9112 §7.1.1 no name", 400, chunk("1;=a\r\nx\r\n")),
        Case("RFC 9112 §7.1.1 no value", 400, chunk("1;a=\r\nx\r\n")),
        Case("RFC 9112 §7.1.1 no token", 400, chunk("1;a=@\r\nx\r\n")),
        Case("RFC 9112 §7.1.1 control", 400, chunk("1;a\u{0}\r\nx\r\n")),
        Case("RFC 9112 §7.1.1 line end in quotes", 400, chunk("1;a=\"\r\nx\"\r\n")),
        Case("RFC 9112 §7.1.2 trailer", 400, chunk("0\r\nA : b\r\n\r\n")),
        Case("RFC 9112 §7.1.2 trailer", 400, chunk("0\r\nA: b\n\r\n")),
        Case("RFC 9112 §7.1.2 trailer", 400, chunk("0\r\nrubbish\r\n\r\n")),
    ]
}
