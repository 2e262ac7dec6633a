import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Exchanges over one HTTP/2 connection.
@Suite struct HTTP2LinkTests {
    typealias Wire = HTTP2Wire

    private func bench(_ edit: (inout Configuration) -> Void = { _ in }) throws -> Bench {
        try Bench(
            Build.configuration(
                [
                    try Build.binding("ANY /raw/**", to: "fruit /**"),
                    try Build.binding("GET /typed", to: "fruit /typed", value: "[Int]"),
                ], edit))
    }

    @Test(arguments: 1..<Wire.magic.count)
    func thePrefaceTellsWhereverItIsCut(_ cut: Int) throws {
        let bench = try bench()
        let client = HTTP2Client(bench, preface: Array(Wire.preface[..<cut]))
        client.send(Array(Wire.preface[cut...]), Wire.request(1, "GET", "/raw/a"))
        try bench.origin().answer(200, body: "ok")
        #expect(client.answer(1).status == 200)
        #expect(client.answer(1).text == "ok")
        #expect(bench.gateway.counters.connections == 1)
        bench.expectQuiet()
    }

    /// Also what begins like it.
    @Test(arguments: ["P", "PRI", "PRI * HTTP"])
    func http1StaysHTTP1(_ start: String) throws {
        let bench = try bench()
        let client = bench.client()
        client.expect("PRI")
        client.send(start)
        client.send(String("PRI * HTTP/1.1\r\nHost: localhost\r\n\r\n".dropFirst(start.utf8.count)))
        #expect(client.answers.first?.isComplete == true)
        #expect(client.answers.first?.status == 400)
    }

    @Test func whereItIsOffThePrefaceIsABadRequest() throws {
        let bench = try bench()
        let link = bench.gateway.accepted(address: [], isTLS: false, isHTTP2: false)
        let peer = Peer(link, bench, reader: MessageReader(answersTo: ["PRI"]))
        Wire.preface.withUnsafeBytes { link.received($0) }
        bench.carryOut()
        #expect(peer.reader.messages.first?.status == 505)
    }

    @Test func whatIsForwardedIsHTTP1() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.get(1, "/raw/a?b=c", [("x-one", "1"), ("cookie", "a=1"), ("cookie", "b=2"), ("accept", "*/*")])
        let request = try bench.forwarded()
        #expect(request.startLine == "GET /v1/a?b=c HTTP/1.1")
        #expect(request["cookie"] == "a=1; b=2")
        #expect(request["x-one"] == "1")
        #expect(request["Via"] == "2 sluice")
        #expect(request["X-Forwarded-Host"] == "localhost")
        #expect(request.values("Host") == ["fruit.example"])
        try bench.origin().answer(200, "Connection: X-Hop", "X-Hop: 1", "Keep-Alive: 1", body: "text")
        let answer = client.answer(1)
        #expect(answer.fields.map(\.name) == [":status", "date", "via", "content-length"])
        #expect(answer.text == "text")
        bench.expectQuiet()
    }

    @Test func streamsAreServedSideBySide() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(
            Wire.request(1, "GET", "/raw/1"), Wire.request(3, "GET", "/typed"), Wire.request(5, "GET", "/raw/5"))
        #expect(bench.origins.count == 3)
        bench.origins[2].answer(200, body: "five")
        bench.origins[1].answer(json: "[1, 2]")
        #expect(client.reader.ended == [5, 3])
        bench.origins[0].answer(404, body: "one")
        #expect(client.answer(1).status == 404)
        #expect(client.answer(3).text == "[1, 2]")
        #expect(client.answer(5).text == "five")
        bench.expectQuiet()
    }

    @Test func bodiesGoUpAsTheUpstreamTakesThem() throws {
        let bench = try bench { $0.limits.bufferedBytes = 1000 }
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "POST", "/raw/a", end: false))
        let origin = try bench.origin()
        origin.window = 0
        let piece = String(repeating: "x", count: 10_000)
        for _ in 0..<6 { client.send(Wire.data(1, piece)) }
        // Only what was on its way when the upstream stopped has been asked for again.
        #expect(client.reader.windows[1] ?? 0 <= 20_000)
        origin.window = .max
        origin.take(0)
        client.send(Wire.data(1, "end", end: true))
        #expect(origin.requests.last?.isComplete == true)
        #expect(origin.requests.last?.bodyCount == 60_003)
        origin.answer(200, body: "ok")
        #expect(client.answer(1).text == "ok")
        bench.expectQuiet()
    }

    @Test func aLengthIsForwarded() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(
            Wire.request(1, "PUT", "/raw/a", [("content-length", "4")], end: false), Wire.data(1, "bo"),
            Wire.data(1, "dy", end: true))
        #expect(try bench.forwarded()["Content-Length"] == "4")
        #expect(try bench.forwarded().text == "body")
    }

    /// A client that reads no answer holds up that one, no other stream, and no more memory than its share.
    @Test func aStalledStreamStopsNobodyElse() throws {
        let bench = try bench { $0.limits.bufferedBytes = 100_000 }
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 0]))
        client.get(1, "/raw/big")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n")
        let piece = String(repeating: "x", count: 50_000)
        for _ in 0..<100 { origin.send(piece) }
        #expect(origin.unreadCount > 4_500_000)
        client.send(Wire.request(3, "GET", "/raw/small"), Wire.windowUpdate(3, 100))
        bench.origins[1].answer(200, body: "small")
        #expect(client.answer(3).text == "small")
        client.send(Wire.windowUpdate(0, 20_000_000), Wire.windowUpdate(1, 20_000_000))
        for _ in 0..<100 { origin.send(piece) }
        #expect(client.answer(1).body.count == 10_000_000)
        #expect(client.answer(1).isComplete)
        bench.expectQuiet()
    }

    @Test func aResetCancelsTheUpstreamRequest() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "GET", "/raw/a"), Wire.request(3, "GET", "/raw/b"))
        client.send(Wire.reset(1))
        #expect(bench.origins[0].isClosed)
        #expect(!bench.origins[1].isClosed)
        bench.origins[1].answer(200, body: "ok")
        #expect(client.answer(3).text == "ok")
        bench.expectQuiet()
    }

    @Test func anAnswerThatIsCutShortIsReset() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.get(1, "/raw/a")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")
        origin.endInput()
        #expect(client.answer(1).resetCode == 2)
        #expect(!client.answer(1).isComplete)
        client.get(3, "/raw/b")
        #expect(!client.isEnded)
    }

    @Test func headIsAnsweredWithoutContent() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "HEAD", "/raw/a"))
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n")
        #expect(client.answer(1)["content-length"] == "1234")
        #expect(client.answer(1).isComplete)
        #expect(client.answer(1).frames.isEmpty)
        client.send(Wire.request(3, "HEAD", "/nowhere"))
        #expect(client.answer(3).status == 404)
        #expect(client.answer(3).frames.isEmpty)
        bench.expectQuiet()
    }

    @Test func interimAnswersAndTrailersPass() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.get(1, "/raw/a", [("te", "trailers")])
        let origin = try bench.origin()
        #expect(origin.requests.last?["TE"] == "trailers")
        origin.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        origin.send(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 42\r\n\r\n")
        #expect(client.answer(1).interim == [103])
        #expect(client.answer(1).text == "ok")
        #expect(client.answer(1)["content-length"] == nil)
        #expect(client.answer(1).trailers.map(\.value) == ["42"])
        #expect(client.answer(1).isComplete)
    }

    @Test func aClientThatWaitsIsToldToGoOn() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(
            Wire.request(1, "POST", "/raw/a", [("expect", "100-continue"), ("content-length", "2")], end: false))
        try bench.origin().send("HTTP/1.1 100 Continue\r\n\r\n")
        #expect(client.answer(1).interim == [100])
        client.send(Wire.data(1, "hi", end: true))
        try bench.origin().answer(200, body: "ok")
        #expect(client.answer(1).text == "ok")
    }

    @Test func problemsAreAnswers() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "GET", "/raw/a", authority: "evil.example"))
        // RFC 9110 §15.5.20.
        #expect(client.answer(1).status == 421)
        client.send(Wire.request(3, "GET", "/raw/a#b"))
        #expect(client.answer(3).status == 400)
        #expect(client.answer(3)["content-type"] == "application/problem+json")
        client.send(Wire.request(5, "POST", "/typed", end: false))
        #expect(client.answer(5).status == 405)
        #expect(client.answer(5).resetCode == 0)
        client.get(7, "/raw/ok")
        try bench.origin().answer(200, body: "ok")
        #expect(client.answer(7).text == "ok")
        bench.expectQuiet()
    }

    // MARK: - Endings

    /// RFC 9113 §6.8: no request that may be on its way is lost.
    @Test func drainingServesWhatHasBegun() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.get(1, "/raw/a")
        bench.gateway.drain()
        bench.turn()
        #expect(client.reader.goaways.map(\.last) == [Int(Int32.max)])
        client.get(3, "/raw/b")
        client.send(Wire.ping(isAck: true))
        #expect(client.reader.goaways.map(\.last) == [Int(Int32.max), 3])
        for origin in bench.origins { origin.answer(200, body: "ok") }
        #expect(client.answer(1).text == "ok")
        #expect(client.answer(3).text == "ok")
        #expect(client.peer.sawEnd)
        #expect(bench.gateway.counters.connections == 0)
    }

    /// RFC 9113 §6.8: what it has begun is served, and the connection ends behind that.
    @Test func aClientThatSaysItWillGoIsServed() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(
            Wire.request(1, "POST", "/raw/a", end: false), Wire.frame(7, [UInt8](repeating: 0, count: 8)),
            Wire.data(1, "ab", end: true))
        #expect(try bench.forwarded().text == "ab")
        #expect(!client.isEnded)
        try bench.origin().answer(200, body: "ok")
        #expect(client.answer(1).text == "ok")
        #expect(client.peer.sawEnd)
        bench.expectQuiet()
    }

    /// RFC 9110 §4.1: method and target together.
    @Test func longTargetsAreRefused() throws {
        let bench = try bench { $0.limits.requestLineBytes = 1000 }
        let client = HTTP2Client(bench)
        client.get(1, "/raw/" + String(repeating: "a", count: 1000))
        #expect(client.answer(1).status == 414)
        #expect(bench.origins.isEmpty)
        bench.expectQuiet()
    }

    @Test func drainingDoesNotWaitForPings() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        bench.gateway.drain()
        bench.turn()
        bench.advance(by: .seconds(2))
        #expect(client.peer.sawEnd)
        #expect(bench.gateway.counters.connections == 0)
    }

    @Test func idleConnectionsEnd() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.get(1, "/raw/a")
        try bench.origin().answer(200, body: "ok")
        bench.advance(by: .seconds(70))
        #expect(!client.isEnded)
        // Signs of life that ask for nothing are none.
        client.send(Wire.ping())
        bench.advance(by: .seconds(10))
        #expect(client.goaway == 0)
        #expect(client.peer.sawEnd)
    }

    @Test(arguments: [
        Wire.preface + Wire.frame(1, stream: 1, Wire.section(Wire.control())),
        Array(Wire.preface.prefix(20)), Wire.magic,
    ])
    func headsThatDoNotEndAreNotWaitedFor(_ start: [UInt8]) throws {
        let bench = try bench()
        let client = HTTP2Client(bench, preface: start)
        bench.advance(by: .seconds(9))
        #expect(!client.isEnded)
        bench.advance(by: .seconds(2))
        #expect(client.isEnded)
        bench.expectQuiet()
    }

    @Test func bodiesThatStopAreNotWaitedFor() throws {
        let bench = try bench { $0.limits.bodyTimeout = .seconds(20) }
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "POST", "/raw/a", end: false), Wire.data(1, "some"))
        bench.advance(by: .seconds(15))
        client.get(3, "/raw/b")
        bench.advance(by: .seconds(6))
        #expect(client.answer(1).status == 408)
        #expect(client.goaway == nil)
        bench.origins.last?.answer(200, body: "ok")
        #expect(client.answer(3).text == "ok")
        bench.expectQuiet()
    }

    @Test func aClientThatLeavesTakesItsRequestsAlong() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "GET", "/raw/a"), Wire.request(3, "POST", "/raw/b", end: false))
        client.peer.reset()
        #expect(bench.origins.allSatisfy { $0.isClosed })
        #expect(bench.gateway.counters.connections == 0)
        bench.expectQuiet()
    }

    @Test func aReloadServesNewStreams() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.get(1, "/raw/a")
        bench.replace(try RouteTable(Build.configuration([try Build.binding("GET /new", to: "fruit /new")])))
        client.get(3, "/new")
        #expect(bench.origins.count == 2)
        for origin in bench.origins { origin.answer(200, body: "ok") }
        #expect(client.answer(1).text == "ok")
        #expect(client.answer(3).text == "ok")
    }
}
