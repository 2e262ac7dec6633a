import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Requests to upstreams that speak HTTP/2.
@Suite struct HTTP2UpstreamLinkTests {
    typealias Wire = HTTP2Wire

    /// An upstream with prior knowledge, unless `edit` says otherwise.
    static func bench(
        _ upstream: (inout Upstream) -> Void = { _ in }, _ edit: (inout Configuration) -> Void = { _ in }
    ) throws -> Bench {
        let bench = try Bench(
            Build.configuration(
                [
                    try Build.binding("ANY /raw/**", to: "fruit /**"),
                    try Build.binding("GET /typed", to: "fruit /typed", value: "[Int]"),
                    try Build.binding("GET /early", to: "fruit /early", value: "[Int]") {
                        $0.parent = FieldPath("values")
                        $0.early = true
                    },
                ],
                upstreams: [
                    Build.upstream("fruit") {
                        $0.httpVersion = .h2c
                        upstream(&$0)
                    }
                ], edit))
        bench.recordsOrigins = true
        return bench
    }

    static func secure(_ upstream: inout Upstream) {
        upstream.origin = .tcp(host: "fruit.example", port: 443, tls: true)
        upstream.httpVersion = .auto
    }

    // MARK: - Requests and answers

    @Test func aRequestOfHTTP1GoesOutAsHTTP2() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(
            "GET", "/raw/a?b=c", "X-One: 1", "Cookie: a=1; b=2", "Connection: X-Hop, keep-alive", "X-Hop: 1",
            "Keep-Alive: 5", "TE: trailers")
        let origin = try bench.http2Origin()
        #expect(Array(origin.peer.bytes.prefix(24)) == Wire.magic)
        let request = origin.request(1)
        #expect(request.isComplete)
        #expect(
            request.fields.map { "\($0.name): \($0.value)" } == [
                ":method: GET", ":scheme: http", ":authority: fruit.example", ":path: /v1/a?b=c", "x-one: 1",
                "cookie: a=1", "cookie: b=2", "x-forwarded-for: 127.0.0.1", "x-forwarded-proto: http",
                "x-forwarded-host: localhost", "via: 1.1 sluice", "te: trailers",
            ])
        origin.answer(1, 200, [("x-two", "2"), ("content-length", "4")], body: "text")
        let answer = try #require(client.answers.first)
        #expect(answer.startLine == "HTTP/1.1 200 OK")
        #expect(answer["x-two"] == "2")
        #expect(answer["Via"] == "2 sluice")
        #expect(answer.values("Content-Length") == ["4"])
        #expect(answer.text == "text")
        #expect(answer.isComplete)
        bench.expectQuiet()
        // RFC 9113 §6.5.2: no push, a window that holds what may wait for the client, lists as long as heads.
        #expect(origin.reader.settings == [2: 0, 4: 262_144, 6: 32_768, 9: 1])
    }

    @Test func manyRequestsShareOneConnection() throws {
        let bench = try Self.bench()
        let clients = (0..<20).map { _ in bench.client() }
        for (index, client) in clients.enumerated() { client.request("GET", "/raw/\(index)") }
        let origin = try bench.http2Origin()
        #expect(bench.origins.count == 1)
        #expect(origin.streams == Array(stride(from: 1, to: 41, by: 2)))
        for stream in origin.streams.reversed() { origin.answer(stream, body: origin.request(stream)[":path"] ?? "") }
        for (index, client) in clients.enumerated() { #expect(client.answers.first?.text == "/v1/\(index)") }
        bench.expectQuiet()
    }

    @Test func anAnswerWithoutALengthIsChunked() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a", "TE: trailers", "Connection: TE")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "103"), ("link", "<x>")], end: false))
        origin.send(Wire.headers(1, [(":status", "200")], end: false), Wire.data(1, "one "), Wire.data(1, "two"))
        #expect(client.answers.last?.isChunked == true)
        origin.send(Wire.headers(1, [("x-sum", "7"), ("age", "9")]))
        #expect(client.reader.interim.map(\.status) == [103])
        #expect(client.answers.last?.text == "one two")
        #expect(client.answers.last?.trailers == [Message.Field(name: "x-sum", value: "7")])
        bench.expectQuiet()
    }

    @Test(arguments: [
        ("HEAD", 200, "5"), ("GET", 204, nil), ("GET", 304, "5"), ("GET", 304, nil), ("HEAD", 200, nil),
    ])
    func answersWithoutContent(_ method: String, _ status: Int, _ length: String?) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(method, "/raw/a", "If-None-Match: \"x\"")
        let origin = try bench.http2Origin()
        origin.answer(1, status, length.map { [("content-length", $0)] } ?? [])
        #expect(client.answers.first?.status == status)
        #expect(client.answers.first?.isComplete == true)
        #expect(client.answers.first?["content-length"] == (status == 204 ? nil : length))
        bench.expectQuiet()
    }

    @Test func bodiesAndTrailersGoUp() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.expect("POST")
        client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        let origin = try bench.http2Origin()
        #expect(origin.request(1).text == "hello")
        #expect(!origin.request(1).isComplete)
        client.send("6\r\n world\r\n0\r\nX-Sum: 9\r\n\r\n")
        #expect(origin.request(1).text == "hello world")
        #expect(origin.request(1).trailers.map(\.name) == ["x-sum"])
        #expect(origin.request(1)["transfer-encoding"] == nil)
        origin.answer(1, 201)
        #expect(client.answers.first?.status == 201)
        bench.expectQuiet()
    }

    @Test func oneClientOfHTTP2GoesOn() throws {
        let bench = try Self.bench()
        let client = HTTP2Client(bench)
        client.send(
            Wire.request(1, "POST", "/raw/a", [("content-length", "3")], end: false), Wire.data(1, "abc", end: true))
        let origin = try bench.http2Origin()
        #expect(origin.request(1)["content-length"] == "3")
        #expect(origin.request(1).text == "abc")
        origin.answer(1, body: "ok")
        #expect(client.answer(1).text == "ok")
        bench.expectQuiet()
    }

    @Test func typedAnswersAreChecked() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/typed")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200")], end: false))
        for piece in ["[1, ", "2,", " 3]"] { origin.send(Wire.data(1, piece)) }
        origin.send(Wire.data(1, "", end: true))
        #expect(client.answers.last?.text == "[1, 2, 3]")
        client.request("GET", "/typed")
        origin.answer(3, body: "[1, \"x\"]")
        #expect(client.answers.last?.status == 502)
        bench.expectQuiet()
    }

    /// The rest of an answer that is proven early is not read; the connection serves on.
    @Test func earlyAnswersResetTheStream() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/early")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200")], end: false), Wire.data(1, "{\"values\": [1, 2], \"rest\": ["))
        #expect(client.answers.last?.text == "[1, 2]")
        #expect(origin.request(1).resetCode == 8)
        origin.send(Wire.data(1, "late", end: true))
        client.request("GET", "/raw/b")
        origin.answer(3, body: "ok")
        #expect(client.answers.last?.text == "ok")
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    // MARK: - The pool

    @Test func thePeersSettingsSizeThePool() throws {
        let bench = try Self.bench { $0.connectionsMax = 2 }
        let first = bench.client()
        first.request("GET", "/raw/0")
        let origin = try bench.http2Origin([3: 2])
        let clients = (1...5).map { _ in bench.client() }
        for (index, client) in clients.enumerated() { client.request("GET", "/raw/\(index + 1)") }
        #expect(origin.streams == [1, 3])
        // Another one is opened, and no third; the last waits.
        #expect(bench.origins.count == 2)
        let other = HTTP2Origin(bench.origins[1], settings: [3: 2])
        #expect(other.streams.count >= 2)
        #expect(bench.gateway.generation.upstreams[0].endpoint.load == 6)
        origin.answer(1, body: "a")
        #expect(first.answers.first?.text == "a")
        for _ in 0..<3 {
            for stream in origin.streams where origin.request(stream).resetCode == nil {
                origin.answer(stream, body: "b")
            }
            for stream in other.streams { other.answer(stream, body: "c") }
        }
        for client in clients { #expect(client.answers.first?.isComplete == true) }
        bench.expectQuiet()
    }

    @Test func theQueueHasAnEnd() throws {
        let bench = try Self.bench {
            $0.connectionsMax = 1
            $0.queueMax = 1
        }
        bench.client().request("GET", "/raw/1")
        _ = try bench.http2Origin([3: 1])
        bench.client().request("GET", "/raw/2")
        let third = bench.client()
        third.request("GET", "/raw/3")
        #expect(third.answers.first?.status == 503)
    }

    @Test func whoWaitsForAConnectionHearsThatThereIsNone() throws {
        let bench = try Self.bench()
        bench.connectsAtOnce = false
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/a") }
        #expect(bench.origins.count == 1)
        bench.origins[0].refuse()
        for client in clients { #expect(client.answers.first?.status == 502) }
        bench.expectQuiet()
        for client in clients { client.request("GET", "/raw/b") }
        bench.advance(by: .seconds(3))
        for client in clients { #expect(client.answers.last?.status == 504) }
        bench.expectQuiet()
    }

    // MARK: - Streams that end early

    @Test func aRefusedRequestIsSentAgain() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("POST", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.reset(1, code: 7))
        #expect(origin.streams == [1, 3])
        origin.answer(3, body: "ok")
        #expect(client.answers.first?.text == "ok")
        bench.expectQuiet()
    }

    @Test func refusedAgainAndAgainIsAnError() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        for stream in [1, 3, 5, 7] { origin.send(Wire.reset(stream, code: 7)) }
        #expect(client.answers.first?.status == 502)
        #expect(origin.streams == [1, 3, 5, 7])
        bench.expectQuiet()
    }

    @Test func aBodyThatIsGoneIsNotSentAgain() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("POST", "/raw/a", type: "text/plain", body: "hello")
        let origin = try bench.http2Origin()
        #expect(origin.request(1).text == "hello")
        origin.send(Wire.reset(1, code: 7))
        #expect(client.answers.first?.status == 502)
        #expect(origin.streams == [1])
    }

    @Test func goawayReplaysWhatWasNotProcessed() throws {
        let bench = try Self.bench()
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("POST", "/raw/a") }
        let origin = try bench.http2Origin()
        #expect(origin.streams == [1, 3, 5])
        // The last stream that is served is the first.
        origin.send(Wire.frame(7, [0, 0, 0, 1, 0, 0, 0, 0]))
        #expect(bench.origins.count == 2)
        let other = HTTP2Origin(bench.origins[1])
        #expect(other.streams == [1, 3])
        origin.answer(1, body: "old")
        #expect(origin.peer.isClosed)
        for stream in other.streams { other.answer(stream, body: "new") }
        #expect(clients.map { $0.answers.first?.text } == ["old", "new", "new"])
        bench.expectQuiet()
    }

    @Test func aResetIsToldAsSuch() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.reset(1, code: 2))
        #expect(client.answers.first?.status == 502)
        client.request("GET", "/raw/b")
        origin.answer(3, body: "ok")
        #expect(client.answers.last?.text == "ok")
        #expect(bench.origins.count == 1)
    }

    @Test func whoLeavesCancelsTheStream() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        client.reset()
        #expect(origin.request(1).resetCode == 8)
        let other = bench.client()
        other.request("GET", "/raw/b")
        origin.answer(3, body: "ok")
        #expect(other.answers.last?.text == "ok")
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    @Test func aTimeoutCancelsTheStream() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        bench.advance(by: .seconds(16))
        #expect(client.answers.last?.status == 504)
        #expect(origin.request(1).resetCode == 8)
        // It is asked at once whether anybody is there.
        #expect(origin.reader.pings == 1)
        bench.advance(by: .seconds(11))
        #expect(origin.peer.isClosed)
        bench.expectQuiet()
    }

    @Test func anAnswerBeforeTheRequestIsOver() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.expect("POST")
        client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhello")
        let origin = try bench.http2Origin()
        origin.answer(1, 403, body: "no")
        #expect(client.answers.first?.status == 403)
        // RFC 9113 §8.1.
        #expect(origin.request(1).resetCode == 0)
        #expect(!origin.peer.isClosed)
    }
}

extension ClientPeer {
    /// The gateway has ended the connection.
    var peerSawEnd: Bool { sawEnd || sawReset }
}
