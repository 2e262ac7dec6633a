import SluiceContract
import Testing

@testable import SluiceGateway

// What speaks of the content that is asked for is between client and origin, well-formed or not: a gateway that does
// not look into an answer has no say in it.
extension ForwardedRequestExam {
    static let ranges =
        [
            "bytes=0-1", "bytes=0-0, 2-3,-1", "bytes=5-", "bytes=5-1", "bytes=a-b", "bytes 0-1", "items=0-1", "bytes=",
            "bytes=0-" + String(repeating: "9", count: 40), (0..<200).map { "\($0)-\($0)" }.joined(separator: ","),
        ].map { Row("RFC 9110 §14.2 Range", "Range: \($0)", sees: ["Range: \($0)"]) }
        + ["\"a\"", "W/\"a\"", "Sun, 06 Nov 1994 08:49:37 GMT", "rubbish"].map {
            Row(
                "RFC 9110 §13.1.5 If-Range", "Range: bytes=0-1", "If-Range: \($0)",
                sees: ["If-Range: \($0)", "Range: bytes=0-1"])
        }
        + [
            Row(
                "RFC 9110 §13.1 conditions", "If-Match: *", "If-None-Match: \"a\", W/\"b\"",
                "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "If-Unmodified-Since: rubbish",
                sees: [
                    "If-Match: *", "If-None-Match: \"a\", W/\"b\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                    "If-Unmodified-Since: rubbish",
                ]),
            Row(
                "RFC 9110 §12.5 negotiation", "Accept-Encoding: gzip, identity;q=0", "Accept: */*",
                "Accept-Language: de",
                sees: ["Accept-Encoding: gzip, identity;q=0", "Accept: */*", "Accept-Language: de"]),
            Row(
                "RFC 9110 §8.6 leading zeros", line: "POST /raw/a HTTP/1.1", "Content-Length: 0005",
                content: "hello", as: "POST /v1/a HTTP/1.1", sees: ["Content-Length: 5"], body: "hello"),
            Row(
                "RFC 9110 §14.5 Content-Range of a PUT", line: "PUT /raw/a HTTP/1.1", "Content-Range: bytes 0-4/10",
                "Content-Length: 5", content: "hello", as: "PUT /v1/a HTTP/1.1",
                sees: ["Content-Range: bytes 0-4/10", "Content-Length: 5"], body: "hello"),
            Row(
                "RFC 9110 §5.6.2 every character of a token", "!#$%&'*+-.^_`|~09azAZ: a",
                sees: ["!#$%&'*+-.^_`|~09azAZ: a"]),
            Row(
                "RFC 9112 §7.1.1 blanks in extensions", line: "POST /raw/a HTTP/1.1", "Transfer-Encoding: chunked",
                content: "5 ; a = b\t;\tc\r\nhello\r\n0\r\n\r\n", as: "POST /v1/a HTTP/1.1", body: "hello"),
            Row(
                "RFC 9112 §7.1.2 trailers", line: "POST /raw/a HTTP/1.1", "Transfer-Encoding: chunked",
                "Trailer: X-Sum", content: "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", as: "POST /v1/a HTTP/1.1",
                body: "hello"),
        ]

    /// RFC 9110 §5.3: fields of one name keep their order; RFC 9110 §7.6.3: whoever forwards comes last.
    @Test func linesOfOneNameKeepTheirOrder() throws {
        let bench = try Self.bench()
        try bench.get("/raw/a", "X: 1", "Via: 1.0 a (b), 1.1 c", "Y: -", "x: 2", "Cookie: a=1", "VIA: 2 d", "X:3")
        #expect(try bench.forwarded().values("X") == ["1", "2", "3"])
        #expect(try bench.forwarded().values("Via") == ["1.0 a (b), 1.1 c", "2 d", "1.1 sluice"])
    }

    /// RFC 9112 §9.3: HTTP/1.0 keeps a connection only where it asks for it, and hears that it was granted.
    @Test(arguments: [("Connection: keep-alive\r\n", true), ("", false), ("Connection: keep-alive, close\r\n", false)])
    func keepingAnOldConnection(field: String, isKept: Bool) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET /raw/a HTTP/1.0\r\nHost: localhost\r\n\(field)\r\n")
        #expect(try bench.forwarded().values("Connection").isEmpty)
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.map { $0["Connection"] } == [isKept ? "keep-alive" : "close"])
        #expect(client.sawEnd == !isKept)
        client.reset()
        bench.expectQuiet()
    }

    /// RFC 9110 §10.1.1: a final answer instead of an interim one; then nobody waits for the content.
    @Test func aRefusalInsteadOfContinue() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        try bench.origin().answer(413)
        #expect(client.answers.map(\.status) == [413])
        #expect(client.reader.interim.isEmpty)
        client.reset()
        bench.expectQuiet()
    }
}
