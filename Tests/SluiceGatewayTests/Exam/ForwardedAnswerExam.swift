import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers that are fit to be forwarded, and what the client sees of them.
@Suite struct ForwardedAnswerExam {
    struct Row: Sendable, CustomTestStringConvertible {
        var clause: String
        var answer: String
        var request: String
        var expected: Expectation

        init(
            _ clause: String, _ answer: String, asking: String = "", line: String = "GET /raw/a HTTP/1.1",
            body: String = "ok", sees: [String] = [], lacks: [String] = [], trailers: [String] = []
        ) {
            self.clause = clause
            self.answer = answer
            request = "\(line)\r\nHost: localhost\r\n\(asking)\r\n"
            expected = Expectation(body: body, sees: sees, lacks: lacks, trailers: trailers)
        }

        /// A 200 with the fields and `ok`.
        init(_ clause: String, fields: String..., sees: [String] = [], lacks: [String] = []) {
            let lines = fields.map { $0 + "\r\n" }.joined()
            self.init(clause, "HTTP/1.1 200 OK\r\n\(lines)Content-Length: 2\r\n\r\nok", sees: sees, lacks: lacks)
        }

        var testDescription: String { clause + " " + answer.prefix(120).debugDescription }
    }

    /// What the client sees, whatever it speaks.
    struct Expectation: Sendable {
        var body: String
        var sees: [String]
        var lacks: [String]
        var trailers: [String]

        func check(_ seen: Message) {
            #expect(seen.isComplete)
            #expect(seen.text == body)
            #expect(seen.values("Date").count == 1)
            for line in sees {
                let name = String(line.prefix { $0 != ":" })
                #expect(seen[name] == String(line.dropFirst(name.count + 2)), "\(name)")
            }
            for name in lacks { #expect(seen.fields.allSatisfy { $0.name.lowercased() != name }, "\(name)") }
            #expect(seen.trailers.map { "\($0.name): \($0.value)" } == trailers)
        }
    }

    @Test(arguments: fields + framing + ranges + statuses, [1, 7, .max])
    func isForwardedAsItShould(_ row: Row, pieces: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = bench.client()
        client.request(row.request)
        let origin = try bench.origin()
        origin.send(row.answer, inPiecesOf: pieces)
        origin.endInput()
        let seen = try #require(client.answers.first)
        #expect(client.reader.fault == nil)
        #expect(client.answers.count == 1)
        row.expected.check(seen)
        bench.expectQuiet()
    }

    /// RFC 9110 §15.2, RFC 8297 §2: interim answers go to clients that can take them, asked for or not, without what is
    /// of this hop.
    @Test(arguments: [("HTTP/1.1", [103, 100, 102]), ("HTTP/1.0", [])])
    func interimAnswers(version: String, seen: [Int]) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = bench.client()
        client.request("GET /raw/a \(version)\r\nHost: localhost\r\n\r\n")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: X\r\nX: a\r\nContent-Length: 0\r\n\r\n")
        origin.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n")
        #expect(client.reader.interim.map(\.status) == seen)
        #expect(client.reader.interim.first.map { $0.fields.map(\.name) } == (seen.isEmpty ? nil : ["Link"]))
        origin.answer(200, body: "ok")
        #expect(client.answers.map(\.text) == ["ok"])
        bench.expectQuiet()
    }
}

extension ForwardedAnswerExam {
    static let fields = [
        Row(
            "RFC 9110 §7.6.1 fixed set", fields: "Connection: keep-alive", "Keep-Alive: timeout=5",
            "Proxy-Connection: keep-alive", "TE: a", "Upgrade: h2c",
            lacks: ["connection", "keep-alive", "proxy-connection", "te", "upgrade"]),
        Row(
            "RFC 9110 §7.6.1 nominated", fields: "X-Hop: 1", "Connection: close, x-hop ,,OTHER", "Other: 2", "X-End: 3",
            sees: ["X-End: 3"], lacks: ["connection", "x-hop", "other"]),
        Row(
            "RFC 9110 §7.6.1 nominated framing", fields: "Connection: Content-Length, Date",
            "Date: Sun, 06 Nov 1994 08:49:37 GMT", sees: ["Content-Length: 2"]),
        Row("RFC 9110 §7.6.3 Via", fields: "X: a", sees: ["Via: 1.1 sluice"]),
        Row("RFC 9110 §7.6.3 Via goes on", fields: "Via: 1.1 a", sees: ["Via: 1.1 a, 1.1 sluice"]),
        Row(
            "RFC 9110 §11.7 between proxies", fields: "Proxy-Authenticate: Basic", "Proxy-Authentication-Info: a",
            lacks: ["proxy-authenticate", "proxy-authentication-info"]),
        Row("RFC 9110 §5.5 blanks", fields: "X:\ta  b \t", sees: ["X: a  b"]),
        Row(
            "RFC 9110 §6.6.1 Date stays", fields: "Date: Mon, 07 Nov 1994 08:49:37 GMT",
            sees: ["Date: Mon, 07 Nov 1994 08:49:37 GMT"]),
        Row("RFC 9110 §6.6.2 Trailer without trailers", fields: "Trailer: X", lacks: ["trailer"]),
    ]

    /// RFC 9110 §14: parts of a representation, as the origin cut them.
    static let ranges = [
        Row(
            "RFC 9110 §15.3.7 one part",
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2-3/9\r\nContent-Length: 2\r\n\r\nok",
            asking: "Range: bytes=2-3\r\n", sees: ["Content-Range: bytes 2-3/9", "Content-Length: 2"]),
        Row(
            "RFC 9110 §14.6 several parts",
            "HTTP/1.1 206 X\r\nContent-Type: multipart/byteranges; boundary=a\r\nContent-Length: 5\r\n\r\n--a--",
            asking: "Range: bytes=0-0,2-3\r\n", body: "--a--",
            sees: ["Content-Type: multipart/byteranges; boundary=a"], lacks: ["content-range"]),
        Row(
            "RFC 9110 §15.5.17 none", "HTTP/1.1 416 X\r\nContent-Range: bytes */9\r\nContent-Length: 0\r\n\r\n",
            asking: "Range: bytes=9-\r\n", body: "", sees: ["Content-Range: bytes */9", "Content-Length: 0"]),
        Row(
            "RFC 9110 §14.2 ignored", "HTTP/1.1 200 OK\r\nAccept-Ranges: none\r\nContent-Length: 2\r\n\r\nok",
            asking: "Range: bytes=0-0\r\n", sees: ["Accept-Ranges: none"]),
        Row(
            "RFC 9110 §15.3.7 in chunks",
            "HTTP/1.1 206 X\r\nContent-Range: bytes 2-3/*\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            sees: ["Content-Range: bytes 2-3/*"]),
    ]

    /// RFC 9110 §15: what a status means is for the client, known or not; only 1xx, 204 and 304 change the framing.
    static let statuses =
        [200, 202, 205, 226, 299, 300, 399, 402, 418, 499, 501, 505, 511, 599].map {
            Row("RFC 9110 §15", "HTTP/1.1 \($0) X\r\nContent-Length: 2\r\n\r\nok", sees: ["Content-Length: 2"])
        }
        + [
            Row("RFC 9112 §4 obs-text in the reason", "HTTP/1.1 200 é\r\nContent-Length: 2\r\n\r\nok"),
            Row("RFC 9110 §5.5 obs-text", fields: "X: é", sees: ["X: é"]),
            Row("RFC 9110 §5.5 no value", fields: "X:", sees: ["X: "]),
            Row(
                "RFC 9112 §6.3 304 in chunks", "HTTP/1.1 304 X\r\nTransfer-Encoding: chunked\r\n\r\n", body: "",
                lacks: ["transfer-encoding"]),
            Row(
                "RFC 9112 §6.3 HEAD in chunks", "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n",
                line: "HEAD /raw/a HTTP/1.1", body: "", lacks: ["content-length"]),
            Row(
                "RFC 9112 §9.3 HTTP/1.0 that is kept",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
                sees: ["Via: 1.0 sluice"], lacks: ["connection"]),
        ]

    private static let trailers =
        "HTTP/1.1 200 OK\r\nTrailer: X\r\nConnection: X-Hop\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
        + "X: a\r\nContent-Length: 9\r\nX-Hop: 1\r\n\r\n"

    static let framing = [
        Row("RFC 9112 §4 no reason", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok", sees: ["Content-Length: 2"]),
        Row(
            "RFC 9112 §6.3 close", "HTTP/1.1 200 OK\r\n\r\nok", sees: ["Transfer-Encoding: chunked"],
            lacks: ["content-length"]),
        Row("RFC 9112 §6.3 close in HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nok", sees: ["Via: 1.0 sluice"]),
        Row(
            "RFC 9112 §6.3 close for HTTP/1.0", "HTTP/1.1 200 OK\r\n\r\nok", line: "GET /raw/a HTTP/1.0",
            sees: ["Connection: close"], lacks: ["transfer-encoding", "content-length"]),
        Row(
            "RFC 9112 §7.1 chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\n1;a=b\r\no\r\n01\r\nk\r\n0\r\n\r\n",
            sees: ["Transfer-Encoding: chunked"], lacks: ["content-length"]),
        Row(
            "RFC 9112 §7.1 chunks for HTTP/1.0",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            line: "GET /raw/a HTTP/1.0", sees: ["Connection: close"], lacks: ["transfer-encoding", "content-length"]),
        Row("RFC 9110 §6.5.1 trailers unasked", trailers, lacks: ["trailer"]),
        Row(
            "RFC 9110 §6.5.1 trailers", trailers, asking: "TE: trailers\r\nConnection: TE\r\n", sees: ["Trailer: X"],
            trailers: ["X: a"]),
        Row("RFC 9110 §6.5.1 trailers for HTTP/1.0", trailers, asking: "TE: trailers\r\n", line: "GET /raw/a HTTP/1.0"),
        Row("RFC 9110 §8.6 zeros", "HTTP/1.1 200 OK\r\nContent-Length: 002\r\n\r\nok", sees: ["Content-Length: 2"]),
        Row(
            "RFC 9110 §9.3.2 HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", line: "HEAD /raw/a HTTP/1.1",
            body: "",
            sees: ["Content-Length: 5"]),
        Row(
            "RFC 9110 §15.3.5 204", "HTTP/1.1 204 No Content\r\n\r\n", body: "",
            lacks: ["content-length", "transfer-encoding"]),
        Row(
            "RFC 9110 §8.6 204 with nought", "HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n", body: "",
            lacks: ["content-length"]),
        Row(
            "RFC 9110 §15.4.5 304", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 5\r\n\r\n", body: "",
            sees: ["ETag: \"a\""]),
    ]
}
