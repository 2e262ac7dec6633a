import SluiceContract
import TestBytes
import Testing

@testable import SluiceHTTP

/// Requests that are read, and what is read out of them; every one of them cut at every point.
@Suite struct HTTP1ServerMachineTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var clause: String
        var input: String
        var events: [String]

        var testDescription: String { clause + " " + input.visible }
    }

    @Test(arguments: accepted)
    func reads(_ test: Case) {
        let bytes = Array(test.input.utf8)
        for pieces in Cuts.all(bytes) {
            #expect(ServerTranscript(pieces).lines == test.events, "in \(pieces.count) pieces of \(pieces[0].count)")
        }
    }

    private static let plain = "request GET / http11 none <a> </> keep-alive | Host: a"

    static let accepted: [Case] = [
        Case(clause: "RFC 9112 §2.1", input: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", events: [plain, "end", "closed"]),
        Case(
            clause: "RFC 9112 §2.2 empty line first", input: "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            events: [plain, "end", "closed"]),
        Case(
            clause: "RFC 9112 §2.2 empty line between",
            input: "GET / HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            events: [plain, "end", plain, "end", "closed"]),
        Case(clause: "nothing", input: "", events: ["closed"]),
        Case(clause: "RFC 9112 §8", input: "GET / HT", events: ["truncated"]),
        Case(clause: "RFC 9112 §8", input: "GET / HTTP/1.1\r\nHost: a\r\n", events: ["truncated"]),
        Case(clause: "RFC 9112 §8", input: "\r\n", events: ["truncated"]),
        Case(
            clause: "RFC 9112 §5.1 blanks around the value",
            input: "GET / HTTP/1.1\r\nHost: \t a \t \r\nX:\r\nY: \r\n\r\n",
            events: ["request GET / http11 none <a> </> keep-alive | Host: a | X:  | Y: ", "end", "closed"]),
        Case(
            clause: "RFC 9110 §5.5 tab and obs-text inside a value",
            input: "GET / HTTP/1.1\r\nhOST: a\r\nX: b\tc é\r\n\r\n",
            events: ["request GET / http11 none <a> </> keep-alive | hOST: a | X: b\tc é", "end", "closed"]),
        Case(
            clause: "RFC 9110 §5.2 duplicates survive in order",
            input: "GET / HTTP/1.1\r\nB: 1\r\nHost: a\r\nb: 2\r\nB: 1\r\n\r\n",
            events: ["request GET / http11 none <a> </> keep-alive | B: 1 | Host: a | b: 2 | B: 1", "end", "closed"]),
        Case(
            clause: "RFC 9112 §3.2.1", input: "GET /a//b%2f?x=1&y=? HTTP/1.1\r\nHost: a:80\r\n\r\n",
            events: [
                "request GET /a//b%2f?x=1&y=? http11 none <a:80> </a//b%2f> ?<x=1&y=?> keep-alive | Host: a:80", "end",
                "closed",
            ]),
        Case(
            clause: "RFC 9112 §3.2.2 outranks Host", input: "GET http://b:81/c?d HTTP/1.1\r\nHost: a\r\n\r\n",
            events: ["request GET http://b:81/c?d http11 none <b:81> </c> ?<d> keep-alive | Host: a", "end", "closed"]),
        Case(
            clause: "RFC 9112 §3.2.2 no path", input: "GET HTTP://b HTTP/1.1\r\nHost: b\r\n\r\n",
            events: ["request GET HTTP://b http11 none <b> </> keep-alive | Host: b", "end", "closed"]),
        Case(
            clause: "RFC 9112 §3.2.4", input: "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
            events: ["request OPTIONS * http11 none <a> <*> keep-alive | Host: a", "end", "closed"]),
        Case(
            clause: "RFC 9112 §3.2.4 absolute", input: "OPTIONS http://a HTTP/1.1\r\nHost: a\r\n\r\n",
            events: ["request OPTIONS http://a http11 none <a> <*> keep-alive | Host: a", "end", "closed"]),
        Case(
            clause: "RFC 9112 §3.2.3", input: "CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n",
            events: ["request CONNECT b:443 http11 none <b:443> <> | Host: b:443", "end", "closed"]),
        Case(
            clause: "RFC 9110 §9.1 any token", input: "BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
            events: ["request BREW / http11 none <a> </> keep-alive | Host: a", "end", "closed"]),
        Case(
            clause: "RFC 9110 §6.2 higher minor version", input: "GET / HTTP/1.7\r\nHost: a\r\n\r\n",
            events: [plain, "end", "closed"]),
        Case(
            clause: "RFC 9112 §9.3 HTTP/1.0", input: "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n",
            events: ["request GET / http10 none <> </>", "end", "closed"]),
        Case(
            clause: "RFC 9112 §9.3 HTTP/1.0 keep-alive",
            input: "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET / HTTP/1.0\r\n\r\n",
            events: [
                "request GET / http10 none <> </> keep-alive | Connection: Keep-Alive", "end",
                "request GET / http10 none <> </>", "end", "closed",
            ]),
        Case(
            clause: "RFC 9112 §9.3 close",
            input: "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, ,CLOSE,keep-alive\r\n\r\nrubbish",
            events: [
                "request GET / http11 none <a> </> | Host: a | Connection: x, ,CLOSE,keep-alive", "end", "closed",
            ]),
        Case(
            clause: "RFC 9112 §9.3.2 pipelined",
            input: "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            events: [plain, "end", plain, "end", "closed"]),
        Case(
            clause: "RFC 9110 §10.1.1",
            input: "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
            events: [
                "request PUT / http11 length(1) <a> </> keep-alive expects-continue | Host: a | Expect: 100-Continue"
                    + " | Content-Length: 1", "body x", "end", "closed",
            ]),
        Case(
            clause: "RFC 9110 §10.1.1 without content",
            input: "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
            events: ["request GET / http11 none <a> </> keep-alive | Host: a | Expect: 100-continue", "end", "closed"]),
        Case(
            clause: "RFC 9110 §10.1.4", input: "GET / HTTP/1.1\r\nHost: a\r\nTE: gzip;q=0.5, Trailers\r\n\r\n",
            events: [
                "request GET / http11 none <a> </> keep-alive accepts-trailers | Host: a | TE: gzip;q=0.5, Trailers",
                "end", "closed",
            ]),
        Case(
            clause: "RFC 9110 §7.8",
            input: "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            events: [
                "request GET / http11 none <a> </> keep-alive upgrade | Host: a | Connection: Upgrade"
                    + " | Upgrade: websocket",
                "end", "closed",
            ]),
        Case(
            clause: "RFC 9110 §7.8 not nominated", input: "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
            events: ["request GET / http11 none <a> </> keep-alive | Host: a | Upgrade: websocket", "end", "closed"]),
        Case(
            clause: "RFC 9112 §6.2",
            input: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            events: [
                "request POST / http11 length(5) <a> </> keep-alive | Host: a | Content-Length: 5", "body hello", "end",
                plain, "end", "closed",
            ]),
        Case(
            clause: "RFC 9112 §6.2 nought", input: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
            events: [
                "request POST / http11 length(0) <a> </> keep-alive | Host: a | Content-Length: 0", "end", "closed",
            ]),
        Case(
            clause: "RFC 9110 §8.6 leading zeros",
            input: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 00000000000000000000002\r\n\r\nok",
            events: [
                "request POST / http11 length(2) <a> </> keep-alive | Host: a"
                    + " | Content-Length: 00000000000000000000002", "body ok", "end", "closed",
            ]),
        Case(
            clause: "RFC 9110 §8.6 zeros alone", input: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 00\r\n\r\n",
            events: [
                "request POST / http11 length(0) <a> </> keep-alive | Host: a | Content-Length: 00", "end", "closed",
            ]),
        Case(
            clause: "RFC 3986 §3.2.3 empty port", input: "GET / HTTP/1.1\r\nHost: a:\r\n\r\n",
            events: ["request GET / http11 none <a> </> keep-alive | Host: a:", "end", "closed"]),
        Case(
            clause: "RFC 3986 §3.2.3 empty port of a target", input: "GET http://b:/c HTTP/1.1\r\nHost: a\r\n\r\n",
            events: ["request GET http://b:/c http11 none <b> </c> keep-alive | Host: a", "end", "closed"]),
        Case(
            clause: "RFC 9112 §8 cut content", input: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell",
            events: [
                "request POST / http11 length(5) <a> </> keep-alive | Host: a | Content-Length: 5", "body hell",
                "truncated",
            ]),
        Case(
            clause: "RFC 9112 §7.1",
            input: chunked + "5\r\nhello\r\n00A;x;y=z ; q = \"a\\\";\" \t;r\r\n0123456789\r\n0\r\n\r\n"
                + "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            events: [chunkedHead, "body hello0123456789", "end", plain, "end", "closed"]),
        Case(
            clause: "RFC 9112 §7.1.2",
            input: chunked + "0;last\r\nA: b\r\nContent-Length: 7\r\nHost: evil\r\nc:d\r\n\r\n",
            events: [chunkedHead, "end | A: b | c: d", "closed"]),
        Case(
            clause: "RFC 9112 §8 cut chunk", input: chunked + "5\r\nhello\r\n",
            events: [chunkedHead, "body hello", "truncated"]),
    ]

    private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
    private static let chunkedHead =
        "request POST / http11 chunked <a> </> keep-alive | Host: a | Transfer-Encoding: Chunked"
}
