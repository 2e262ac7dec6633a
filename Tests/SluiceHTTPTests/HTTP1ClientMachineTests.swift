import SluiceContract
import TestBytes
import Testing

@testable import SluiceHTTP

/// Responses that are read, and what is read out of them; every one of them cut at every point.
@Suite struct HTTP1ClientMachineTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var clause: String
        var method = SluiceHTTP.Method.get
        var expectsUpgrade = false
        var input: String
        var closes = false
        var events: [String]

        var testDescription: String { clause + " " + input.visible }
    }

    @Test(arguments: read)
    func reads(_ test: Case) {
        for pieces in Cuts.all(Array(test.input.utf8)) {
            let transcript = ClientTranscript(
                pieces, to: test.method, expectsUpgrade: test.expectsUpgrade, closes: test.closes)
            #expect(transcript.lines == test.events, "in \(pieces.count) pieces of \(pieces[0].count)")
        }
    }

    static let read: [Case] = [
        Case(
            clause: "RFC 9112 §4", input: "HTTP/1.1 200 All is well\r\nContent-Length: 2\r\n\r\nok",
            events: [
                "response 200 http11 <All is well> length(2) keep-alive | Content-Length: 2", "body ok", "end reusable",
            ]),
        Case(
            clause: "RFC 9112 §4 no phrase", input: "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n",
            events: ["response 404 http11 <> length(0) keep-alive | Content-Length: 0", "end reusable"]),
        Case(
            clause: "RFC 9112 §4 no space", input: "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n",
            events: ["malformed", "closed"]),
        Case(
            clause: "RFC 9112 §6.3 HEAD", method: .head, input: "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n",
            events: ["response 200 http11 <OK> none keep-alive | Content-Length: 7", "end reusable"]),
        Case(
            clause: "RFC 9112 §6.3 HEAD", method: .head, input: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            events: ["response 200 http11 <OK> none keep-alive | Transfer-Encoding: chunked", "end reusable"]),
        Case(
            clause: "RFC 9112 §6.3 204", input: "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
            events: ["response 204 http11 <No Content> none keep-alive | Content-Length: 0", "end reusable"]),
        Case(
            clause: "RFC 9112 §6.3 304", input: "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
            events: ["response 304 http11 <Not Modified> none keep-alive | Content-Length: 9", "end reusable"]),
        Case(
            clause: "RFC 9112 §6.3 until close", input: "HTTP/1.1 200 OK\r\n\r\nall of it", closes: true,
            events: ["response 200 http11 <OK> untilClose", "body all of it", "end", "closed"]),
        Case(
            clause: "RFC 9112 §9.3 close", input: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
            events: [
                "response 200 http11 <OK> length(1) | Connection: close | Content-Length: 1", "body x", "end", "closed",
            ]),
        Case(
            clause: "RFC 9112 §9.3 HTTP/1.0", input: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
            events: ["response 200 http10 <OK> length(1) | Content-Length: 1", "body x", "end", "closed"]),
        Case(
            clause: "RFC 9112 §9.3 HTTP/1.0",
            input: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\nx",
            events: [
                "response 200 http10 <OK> length(1) keep-alive | Content-Length: 1 | Connection: keep-alive", "body x",
                "end reusable",
            ]),
        Case(
            clause: "RFC 9112 §7.1",
            input:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\n"
                + "T: u\r\nSet-Cookie: v\r\n\r\n",
            events: [
                "response 200 http11 <OK> chunked keep-alive | Transfer-Encoding: chunked", "body abc",
                "end | T: u reusable",
            ]),
        Case(
            clause: "RFC 9110 §15.2",
            input: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 N\r\n\r\n",
            events: [
                "interim 100 http11 <Continue> none keep-alive",
                "interim 103 http11 <Early Hints> none keep-alive | Link: </a>",
                "response 204 http11 <N> none keep-alive", "end reusable",
            ]),
        Case(
            clause: "RFC 9110 §15.2.2 asked for", expectsUpgrade: true,
            input: "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n\u{1}raw",
            closes: true,
            events: ["response 101 http11 <Switching> untilClose | Upgrade: x", "body \u{1}raw", "end", "closed"]),
        Case(
            clause: "RFC 9110 §9.3.6", method: .connect, input: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nraw",
            closes: true,
            events: ["response 200 http11 <OK> untilClose | Content-Length: 2", "body raw", "end", "closed"]),
        Case(
            clause: "RFC 9112 §8 length", input: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", closes: true,
            events: ["response 200 http11 <OK> length(3) keep-alive | Content-Length: 3", "body ab", "truncated"]),
        Case(
            clause: "RFC 9112 §8 chunks", input: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
            closes: true,
            events: [
                "response 200 http11 <OK> chunked keep-alive | Transfer-Encoding: chunked", "body ab", "truncated",
            ]),
        Case(clause: "RFC 9112 §8 head", input: "HTTP/1.1 200 OK\r\nA: b", closes: true, events: ["truncated"]),
        Case(clause: "RFC 9112 §9.4 nothing", input: "", closes: true, events: ["truncated before first byte"]),
    ]

    struct Malformed: Sendable, CustomTestStringConvertible {
        var clause: String
        var input: String
        var method = SluiceHTTP.Method.get

        init(_ clause: String, _ input: String, to method: SluiceHTTP.Method = .get) {
            self.clause = clause
            self.input = input
            self.method = method
        }

        var testDescription: String { clause + " " + input.visible }
    }

    @Test(arguments: malformed)
    func refuses(_ test: Malformed) {
        let whole = ClientTranscript(test.input, to: test.method)
        #expect(whole.isMalformed, "\(whole)")
        for pieces in Cuts.all(Array(test.input.utf8)) {
            #expect(
                ClientTranscript(pieces, to: test.method) == whole, "in \(pieces.count) pieces of \(pieces[0].count)")
        }
    }

    private static func response(_ fields: String, status: String = "200 OK", version: String = "1.1") -> String {
        "HTTP/\(version) \(status)\r\n\(fields)\r\n\r\n"
    }

    static let malformed: [Malformed] = [
        Malformed("RFC 9112 §4", "HTTP/1.1 2000 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "HTTP/1.1 20 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "HTTP/1.1  200 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "HTTP/1.1\t200 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "HTTP/1.1 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "HTTP/2 200 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "HTTP/2.0 200 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "http/1.1 200 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "ICY 200 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "\r\nHTTP/1.1 200 OK\r\n\r\n"),
        Malformed("RFC 9112 §4", "{\"a\": 1}"),
        Malformed("RFC 9112 §4", "HTTP/1.1 200 O\u{0}K\r\n\r\n"),
        Malformed("RFC 9112 §2.2", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"),
        Malformed("RFC 9112 §2.2", "HTTP/1.1 200 OK\rContent-Length: 0\r\n\r\n"),
        Malformed("RFC 9110 §15", "HTTP/1.1 099 Low\r\n\r\n"),
        Malformed("RFC 9110 §15", "HTTP/1.1 600 High\r\n\r\n"),
        Malformed("RFC 9112 §5.1", response("A : b")),
        Malformed("RFC 9112 §5.2", response("A: b\r\n c")),
        Malformed("RFC 9110 §5.5", response("A: b\u{0}")),
        Malformed("RFC 9112 §2.2", response("A: b\nC: d")),
        Malformed("RFC 9112 §6.3 both", response("Content-Length: 1\r\nTransfer-Encoding: chunked")),
        Malformed("RFC 9112 §6.3 both", response("Content-Length: 1\r\nTransfer-Encoding: chunked"), to: .head),
        Malformed("RFC 9112 §6.3 differing", response("Content-Length: 1\r\nContent-Length: 2")),
        Malformed("RFC 9112 §6.3 repeated", response("Content-Length: 1\r\nContent-Length: 1")),
        Malformed("RFC 9112 §6.3 list", response("Content-Length: 1, 2")),
        Malformed("RFC 9110 §8.6", response("Content-Length: x")),
        Malformed("RFC 9110 §8.6", response("Content-Length: -1")),
        Malformed("RFC 9110 §8.6", response("Content-Length:")),
        Malformed("RFC 9110 §8.6", response("Content-Length: 99999999999999999999")),
        Malformed("RFC 9112 §6.1", response("Transfer-Encoding: gzip, chunked")),
        Malformed("RFC 9112 §6.1", response("Transfer-Encoding: gzip")),
        Malformed("RFC 9112 §6.1", response("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")),
        Malformed("RFC 9112 §6.1 in HTTP/1.0", response("Transfer-Encoding: chunked", version: "1.0")),
        Malformed("RFC 9112 §6.1 in 204", response("Transfer-Encoding: chunked", status: "204 No Content")),
        Malformed("RFC 9112 §6.1 in 103", response("Transfer-Encoding: chunked", status: "103 Early Hints")),
        Malformed("RFC 9110 §8.6 in 204", response("Content-Length: 1", status: "204 No Content")),
        Malformed("RFC 9110 §8.6 in 103", response("Content-Length: 1", status: "103 Early Hints")),
        Malformed("RFC 9110 §15.2.2 unasked", response("Upgrade: x", status: "101 Switching Protocols")),
        Malformed("RFC 9110 §7.6.1", response("Connection: a b")),
        Malformed("RFC 9112 §7.1", response("Transfer-Encoding: chunked") + "x\r\n"),
        Malformed("RFC 9112 §7.1", response("Transfer-Encoding: chunked") + "1\nx\r\n0\r\n\r\n"),
        Malformed("RFC 9112 §7.1", response("Transfer-Encoding: chunked") + "2\r\nabc\r\n0\r\n\r\n"),
        Malformed("RFC 9112 §7.1", response("Transfer-Encoding: chunked") + "0\r\nA : b\r\n\r\n"),
    ]
}
