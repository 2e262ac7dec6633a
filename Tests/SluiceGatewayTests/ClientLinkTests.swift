import SluiceContract
import Testing

@testable import SluiceGateway

/// A client's connection: order, interim answers, leaving, time (`ClientLink.swift`).
@Suite struct ClientLinkTests {
    static func bench(_ edit: (inout Configuration) -> Void = { _ in }) throws -> Bench {
        try Bench(
            Build.configuration(
                [
                    try Build.binding("ANY /raw/**", to: "fruit /**"),
                    try Build.binding("POST /json", to: "fruit /json") {
                        $0.body = .json(.scalar(.json))
                    },
                ], edit))
    }

    // MARK: - Pipelining (RFC 9112 §9.3.2)

    @Test(arguments: [1, 20, .max])
    func answersComeInTheOrderOfRequests(pieces: Int) throws {
        let bench = try Self.bench()
        let client = bench.client()
        for _ in 0..<4 { client.expect("GET") }
        let requests = (1...4).map { "GET /\($0 == 3 ? "none" : "raw")/\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
            .joined()
        client.send(requests, inPiecesOf: pieces)
        let origin = try bench.origin()
        for id in [1, 2, 4] {
            #expect(origin.requests.last?.target == "/v1/\(id)")
            origin.answer(200, body: "\(id)")
        }
        #expect(client.answers.map(\.status) == [200, 200, 404, 200])
        #expect(client.answers.map(\.text).filter { $0.count == 1 } == ["1", "2", "4"])
        bench.expectQuiet()
    }

    /// Many requests that need no upstream are answered without recursion.
    @Test func manyRequestsInOneInput() throws {
        let bench = try Self.bench()
        let client = bench.client()
        for _ in 0..<2000 { client.expect("GET") }
        client.send(String(repeating: "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 2000))
        #expect(client.answers.count == 2000)
        #expect(client.answers.allSatisfy { $0.status == 404 && $0.isComplete })
        bench.expectQuiet()
    }

    /// Who reads no answers is not read either: heads wait with the client.
    @Test func pipelinedHeadsWaitForAClientThatReadsNothing() throws {
        let bench = try Self.bench { $0.limits.bufferedBytes = 4096 }
        let client = bench.client()
        client.window = 0
        let head = "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for _ in 0..<5000 {
            client.expect("GET")
            client.send(head)
        }
        #expect(client.outboxHighWater < 4096 + 1024)
        #expect(client.unreadCount > head.utf8.count * 4000)
        client.take(.max)
        #expect(client.answers.count == 5000)
        bench.expectQuiet()
    }

    @Test(arguments: ["Connection: close\r\n", "Connection: Close, x\r\n"])
    func closeIsTheLastAnswer(field: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(
            "GET /none HTTP/1.1\r\nHost: localhost\r\n\(field)\r\nGET /none HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.answers.count == 1)
        #expect(client.answers.first?["Connection"] == "close")
        #expect(client.isClosed)
    }

    @Test(arguments: [("", true), ("Connection: keep-alive\r\n", false)])
    func http10(field: String, closes: Bool) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET /raw/a HTTP/1.0\r\nHost: localhost\r\n\(field)\r\n")
        try bench.origin().send("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(client.answers.first?.text == "ok")
        #expect(client.reader.interim.isEmpty)
        #expect(client.isClosed == closes)
    }

    /// HTTP/1.0 knows no chunks: the end of the connection is the end, and a reset is none.
    @Test(arguments: [true, false])
    func http10GetsStreamsToTheEnd(isCut: Bool) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET /raw/a HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        if isCut { origin.endInput() } else { origin.send("0\r\n\r\n") }
        #expect(client.answers.first?.isChunked == false)
        #expect(client.answers.first?.text == "abc")
        #expect(client.answers.first?.isComplete == !isCut)
        #expect(client.sawReset == isCut)
    }

    // MARK: - Interim answers (RFC 9110 §15.2)

    @Test func interimAnswersAreForwarded() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n")
        #expect(client.reader.interim.map(\.status) == [103])
        #expect(client.reader.interim.first?["Link"] == "</a>")
        #expect(client.reader.interim.first?["X-Hop"] == nil)
        origin.send("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(client.reader.interim.map(\.status) == [103, 102])
        #expect(client.answers.first?.status == 200)
    }

    /// RFC 9110 §10.1.1: the upstream decides where the body passes through.
    @Test func expectationsPassThrough() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(
            "PUT /raw/a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        let origin = try bench.origin()
        #expect(origin.requests.first?["Expect"] == "100-continue")
        #expect(client.reader.interim.isEmpty)
        origin.send("HTTP/1.1 100 Continue\r\n\r\n")
        #expect(client.reader.interim.map(\.status) == [100])
        client.send("hello")
        #expect(origin.requests.first?.text == "hello")
        origin.answer(201)
        #expect(client.answers.first?.status == 201)
        bench.expectQuiet()
    }

    @Test func anExpectationMayBeRefusedUpstream() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(
            "PUT /raw/a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        try bench.origin().answer(417)
        #expect(client.answers.first?.status == 417)
        #expect(try bench.origin().isClosed)
        client.send("hello")
        client.request("GET", "/none")
        #expect(client.answers.last?.status == 404)
        bench.expectQuiet()
    }

    /// A body that is checked before anything goes upstream is asked for here, and the expectation ends here.
    @Test func theGatewayAsksForABodyItChecks() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(
            "POST /json HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n"
                + "Content-Length: 2\r\n\r\n")
        #expect(client.reader.interim.map(\.status) == [100])
        #expect(bench.origins.isEmpty)
        client.send("17")
        #expect(try bench.forwarded()["Expect"] == nil)
        #expect(try bench.forwarded().text == "17")
    }

    // MARK: - Leaving

    /// The upstream works for nobody any more.
    @Test(arguments: [true, false], [nil, "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"] as [String?])
    func aClientThatLeavesEndsTheFetch(byReset: Bool, begun: String?) throws {
        let bench = try Self.bench()
        bench.connectsAtOnce = begun != nil
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.origin()
        if let begun { origin.send(begun) }
        if byReset { client.reset() } else { client.endInput() }
        #expect(client.isClosed)
        #expect(bench.gateway.counters.connections == 0)
        #expect(bench.gateway.counters.exchangesOpen == 0)
        // While it is being made, a connection is kept for the next.
        if begun == nil { origin.refuse() }
        #expect(origin.isClosed)
        #expect(bench.gateway.counters.upstreamConnections == 0)
        bench.expectQuiet()
    }

    @Test(arguments: [true, false])
    func aClientThatLeavesInItsBodyEndsTheRequest(byReset: Bool) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("PUT /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nsome")
        let origin = try bench.origin()
        #expect(origin.requests.first?.text == "some")
        if byReset { client.reset() } else { client.endInput() }
        #expect(origin.sawReset)
        #expect(origin.requests.first?.isComplete == false)
        bench.expectQuiet()
    }

    /// An early answer is not lost to the body that nobody reads.
    @Test func anEarlyAnswerArrives() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("PUT /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
        client.send(String(repeating: "x", count: 1000))
        try bench.origin().answer(413, "Connection: close", body: "no")
        #expect(client.answers.first?.text == "no")
        for _ in 0..<100 { client.send(String(repeating: "x", count: 1000)) }
        #expect(client.link.ending == .lingering)
        bench.expectQuiet()
    }

    /// Whoever waits for a connection to the upstream, and leaves, waits no longer.
    @Test func aClientThatLeavesWhileItsRequestWaitsIsNoticed() throws {
        let bench = try Self.bench { $0.upstreams[0].connectionsMax = 1 }
        let first = bench.client()
        first.request("GET", "/raw/a")
        let second = bench.client()
        second.request("GET", "/raw/b")
        #expect(bench.gateway.counters.exchangesOpen == 2)
        second.endInput()
        #expect(bench.gateway.counters.exchangesOpen == 1)
        try bench.origin().answer(200, body: "a")
        #expect(first.answers.first?.text == "a")
        #expect(try bench.origin().requests.count == 1)
        bench.expectQuiet()
    }

    /// A pipelined upload begins when the answer before it is complete: no input of its own connection says so.
    @Test func aPipelinedUploadIsReadOn() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        client.expect("POST")
        client.send("POST /raw/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        for _ in 0..<10 { client.send([UInt8](repeating: UInt8(ascii: "x"), count: 10_000)) }
        let origin = try bench.origin()
        #expect(!client.link.wantsRead)
        origin.answer(200, body: "a")
        #expect(origin.requests.last?.body.count == 100_000)
        origin.answer(200, body: "b")
        #expect(client.answers.map(\.text) == ["a", "b"])
        bench.expectQuiet()
    }

    /// Whoever has pipelined more has to know that it will not be answered (RFC 9112 §9.6).
    @Test(arguments: [(100_000, "close"), (1000, nil)])
    func aConnectionWhoseRequestIsTooLongToDiscardIsAnnouncedToClose(_ length: Int, _ option: String?) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.expect("POST")
        client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n")
        try bench.origin().answer(413, body: "no")
        #expect(client.answers.first?.status == 413)
        #expect(client.answers.first?["Connection"] == option)
    }
}
