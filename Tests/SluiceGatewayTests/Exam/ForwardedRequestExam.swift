import SluiceContract
import Testing

@testable import SluiceGateway

/// Requests that are fit to be forwarded, and what a forensic origin sees of them.
@Suite struct ForwardedRequestExam {
    struct Row: Sendable, CustomTestStringConvertible {
        var clause: String
        /// What the client sends.
        var input: String
        var expected: Expectation

        init(
            _ clause: String, line: String = "GET /raw/a HTTP/1.1", host: String = "Host: localhost",
            _ fields: String..., content: String = "", as forwarded: String = "GET /v1/a HTTP/1.1", sees: [String] = [],
            lacks: [String] = [], body: String = ""
        ) {
            self.clause = clause
            input = ([line, host] + fields).filter { !$0.isEmpty }.map { $0 + "\r\n" }.joined() + "\r\n" + content
            expected = Expectation(line: forwarded, sees: sees, lacks: lacks, body: body)
        }

        var testDescription: String { clause + " " + input.prefix(120).debugDescription }
    }

    /// What the origin sees, however the client asks.
    struct Expectation: Sendable {
        var line: String
        /// Field lines, trailers among them, of which the origin sees each exactly once, and no other of the same name.
        var sees: [String]
        /// Names that the origin does not see.
        var lacks: [String]
        var body: String

        func check(_ seen: Message, _ origin: OriginPeer) {
            #expect(origin.reader.fault == nil)
            #expect(origin.requests.count == 1)
            #expect(seen.isComplete)
            #expect(seen.startLine == line)
            #expect(seen.text == body)
            #expect(seen.values("Host") == ["fruit.example"])
            #expect(seen.values("Via").last?.hasSuffix(" sluice") == true)
            for line in sees {
                let name = String(line.prefix { $0 != ":" })
                let values = (seen.fields + seen.trailers).filter { $0.name.lowercased() == name.lowercased() }
                let value = values.map(\.value).joined(separator: ", ")
                #expect(value == String(line.dropFirst(name.count + 2)), "\(name)")
            }
            for name in lacks {
                #expect((seen.fields + seen.trailers).allSatisfy { $0.name.lowercased() != name }, "\(name)")
            }
        }
    }

    @Test(arguments: targets + hopByHop + framing + fields + ranges, [1, 7, .max])
    func isForwardedAsItShould(_ row: Row, pieces: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = bench.client()
        client.request(row.input, inPiecesOf: pieces)
        let origin = try bench.origin()
        row.expected.check(try bench.forwarded(), origin)
        origin.answer(200, body: "ok")
        #expect(client.answers.map(\.text) == ["ok"])
        bench.expectQuiet()
    }
}

extension ForwardedRequestExam {
    static let targets = [
        Row("RFC 9112 §2.2 one empty line", line: "\r\nGET /raw/a HTTP/1.1"),
        Row("RFC 9112 §3.2.2 absolute-form", line: "GET http://localhost/raw/a HTTP/1.1"),
        Row(
            "RFC 9112 §3.2.2 absolute-form, case", line: "GET HTTP://LocalHost:80/raw/a?b HTTP/1.1",
            as: "GET /v1/a?b HTTP/1.1"),
        Row(
            "RFC 9112 §3.2.2 outranks Host", line: "GET http://localhost:81/raw/a HTTP/1.1", host: "Host: evil",
            sees: ["X-Forwarded-Host: localhost:81"]),
        Row("RFC 3986 §6.2.2.2 unreserved", line: "GET /raw/%61%7e HTTP/1.1", as: "GET /v1/a~ HTTP/1.1"),
        Row("RFC 3986 §2.2 reserved", line: "GET /raw/a%2Fb%3F HTTP/1.1", as: "GET /v1/a%2Fb%3F HTTP/1.1"),
        Row("RFC 3986 §3.4 query", line: "GET /raw/a?b=/../c&d=? HTTP/1.1", as: "GET /v1/a?b=/../c&d=? HTTP/1.1"),
        Row("RFC 9110 §9.1 registered method", line: "PROPFIND /raw/a HTTP/1.1", as: "PROPFIND /v1/a HTTP/1.1"),
        Row("UPnP §1.3.2 search", line: "M-SEARCH /raw/a HTTP/1.1", as: "M-SEARCH /v1/a HTTP/1.1"),
        Row("RFC 9110 §2.5 HTTP/1.0", line: "GET /raw/a HTTP/1.0", sees: ["Via: 1.0 sluice"]),
        Row("RFC 9110 §2.5 higher minor version", line: "GET /raw/a HTTP/1.2", sees: ["Via: 1.1 sluice"]),
        Row("RFC 9110 §7.2 port", host: "Host: localhost:8080", sees: ["X-Forwarded-Host: localhost:8080"]),
        Row("RFC 9110 §7.2 IPv6", host: "Host: [::1]:8080", sees: ["X-Forwarded-Host: [::1]:8080"]),
    ]

    static let hopByHop = [
        Row(
            "RFC 9110 §7.6.1 fixed set", "Keep-Alive: timeout=5", "Proxy-Connection: keep-alive",
            lacks: ["keep-alive", "proxy-connection"]),
        Row("RFC 9110 §7.6.1 nominated", "Connection: X-Hop", "X-Hop: 1", lacks: ["connection", "x-hop"]),
        Row(
            "RFC 9110 §7.6.1 nominated in any case, in lists, in several lines", "Connection: close, ,x-HOP\t,Other",
            "X-Hop: 1",
            "OTHER: 2", "connection: X-Third", "X-Third: 3", "X-End: 4", sees: ["X-End: 4"],
            lacks: ["connection", "x-hop", "other", "x-third"]),
        Row(
            "RFC 9110 §7.6.1 nominated before and behind", "X-Hop: 1", "Connection: X-Hop", "X-Hop: 2", lacks: ["x-hop"]
        ),
        Row(
            "RFC 9110 §7.6.1 nominated and ours", "Connection: Via, Host, X-Forwarded-For", "Via: 1.1 a",
            sees: ["Via: 1.1 sluice", "X-Forwarded-For: 127.0.0.1"]),
        Row(
            "RFC 9110 §7.6.1 nominated framing", line: "POST /raw/a HTTP/1.1", "Connection: Content-Length",
            "Content-Length: 5", content: "hello", as: "POST /v1/a HTTP/1.1", sees: ["Content-Length: 5"], body: "hello"
        ),
        Row(
            "RFC 9110 §7.6.1 nominated trailer", line: "POST /raw/a HTTP/1.1", "Connection: X-Hop",
            "Transfer-Encoding: chunked", content: "5\r\nhello\r\n0\r\nX-Hop: 1\r\n\r\n", as: "POST /v1/a HTTP/1.1",
            lacks: ["x-hop"], body: "hello"),
        Row("RFC 9110 §7.8 Upgrade", "Connection: Upgrade", "Upgrade: websocket", lacks: ["upgrade", "connection"]),
        Row(
            "RFC 9110 §7.8 h2c", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk",
            lacks: ["upgrade", "connection", "http2-settings"]),
        Row(
            "RFC 9110 §7.8 not nominated", "Upgrade: websocket", "HTTP2-Settings: AAMAAABk",
            lacks: ["upgrade", "http2-settings"]),
        Row("RFC 9110 §10.1.4 TE", "TE: gzip;q=0.5", "Connection: TE", lacks: ["te", "connection"]),
        Row(
            "RFC 9110 §10.1.4 trailers", "TE: gzip, trailers", "Connection: TE",
            sees: ["TE: trailers", "Connection: TE"]),
        Row(
            "RFC 9110 §10.1.4 HTTP/1.0", line: "GET /raw/a HTTP/1.0", "TE: trailers", lacks: ["te", "connection"]),
        Row("RFC 9110 §11.7.2 for this proxy", "Proxy-Authorization: Basic YTpi", lacks: ["proxy-authorization"]),
        Row("RFC 3875 §4.1.18 Proxy becomes HTTP_PROXY", "Proxy: http://evil/", lacks: ["proxy"]),
        Row(
            "RFC 3875 §4.1.18 aliases", "Content_Length: 5", "Transfer_Encoding: chunked", "X_Forwarded_For: evil",
            lacks: ["content_length", "transfer_encoding", "x_forwarded_for"]),
    ]

    static let framing = [
        Row(
            "RFC 9112 §6.2 length", line: "POST /raw/a HTTP/1.1", "content-LENGTH:  5 ", content: "hello",
            as: "POST /v1/a HTTP/1.1", sees: ["Content-Length: 5"], lacks: ["transfer-encoding"], body: "hello"),
        Row(
            "RFC 9112 §6.2 nought", line: "POST /raw/a HTTP/1.1", "Content-Length: 0", as: "POST /v1/a HTTP/1.1",
            sees: ["Content-Length: 0"], lacks: ["transfer-encoding"]),
        Row(
            "RFC 9112 §7.1 chunks", line: "POST /raw/a HTTP/1.1", "Transfer-Encoding: ChunkeD",
            content: "2;a=\"b\"\r\nhe\r\n003\r\nllo\r\n0\r\n\r\n", as: "POST /v1/a HTTP/1.1",
            sees: ["Transfer-Encoding: chunked"], lacks: ["content-length"], body: "hello"),
        Row(
            "RFC 9110 §6.5.1 trailers", line: "POST /raw/a HTTP/1.1", "Transfer-Encoding: chunked",
            content: "5\r\nhello\r\n0\r\nContent-Length: 9\r\nHost: evil\r\nAuthorization: a\r\n\r\n",
            as: "POST /v1/a HTTP/1.1", lacks: ["content-length", "authorization"], body: "hello"),
        Row(
            "RFC 9110 §9.3.1 GET with content", "Content-Length: 5", content: "hello", sees: ["Content-Length: 5"],
            body: "hello"),
        Row("RFC 9110 §10.1.1 in HTTP/1.0", line: "GET /raw/a HTTP/1.0", "Expect: 100-continue", lacks: ["expect"]),
        Row("RFC 9110 §10.1.1 without content", "Expect: 100-continue", lacks: ["expect"]),
        Row(
            "RFC 9110 §10.1.1 forwarded", line: "POST /raw/a HTTP/1.1", "Expect: 100-continue", "Content-Length: 5",
            content: "hello", as: "POST /v1/a HTTP/1.1", sees: ["Expect: 100-continue"], body: "hello"),
        Row(
            "RFC 9110 §10.1.1 said twice", line: "POST /raw/a HTTP/1.1", "Expect: 100-continue", "Content-Length: 5",
            "EXPECT: 100-Continue", content: "hello", as: "POST /v1/a HTTP/1.1", sees: ["Expect: 100-continue"],
            body: "hello"),
    ]

    static let fields = [
        Row("RFC 9110 §5.5 blanks around a value", "X:\t a  b\t ", sees: ["X: a  b"]),
        Row("RFC 9110 §5.5 empty value", "X:", sees: ["X: "]),
        Row("RFC 9110 §5.5 obs-text", "X: é", sees: ["X: é"]),
        Row("RFC 9110 §7.6.2 not for GET", "Max-Forwards: 5", sees: ["Max-Forwards: 5"]),
        Row(
            "RFC 9110 §7.6.2 counted down", line: "OPTIONS /raw/a HTTP/1.1", "Max-Forwards: 5",
            as: "OPTIONS /v1/a HTTP/1.1", sees: ["Max-Forwards: 4"]),
        Row(
            "RFC 7239 §8.1 what the client claims", "X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: https",
            "X-Forwarded-Host: evil", "Forwarded: for=1.2.3.4", "X-Real-IP: 1.2.3.4",
            sees: ["X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: http", "X-Forwarded-Host: localhost"],
            lacks: ["forwarded", "x-real-ip"]),
        Row(
            "RFC 9110 §11.6.2 without a bearer of our own", "Authorization: Basic YTpi",
            sees: ["Authorization: Basic YTpi"]),
    ]
}
