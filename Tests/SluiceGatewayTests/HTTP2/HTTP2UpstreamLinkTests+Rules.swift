import CNGHTTP2
import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway
@testable import SluiceHTTP2

/// What upstreams may do to a connection, by the clauses of RFC 9113.
extension HTTP2UpstreamLinkTests {
    // MARK: - HTTP_1_1_REQUIRED (§7)

    @Test func whoWantsHTTP1GetsIt() throws {
        let bench = try Self.bench(Self.secure)
        bench.originsSpeakHTTP2 = true
        let client = bench.client()
        client.request("POST", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.reset(1, code: 13))
        #expect(bench.origins.count == 2)
        #expect(bench.origins[1].link.protocols == ["http/1.1"])
        bench.origins[1].answer(200, body: "one")
        #expect(client.answers.last?.text == "one")
        // It is remembered for a while, and then no more.
        client.request("GET", "/raw/b")
        #expect(bench.origins[1].requests.count == 2)
        bench.origins[1].answer(200, body: "two")
        bench.advance(by: .seconds(61))
        bench.connectsAtOnce = true
        client.request("GET", "/raw/c")
        let again = bench.origins.count == 2 ? origin : try bench.http2Origin()
        #expect(again.streams.count == (bench.origins.count == 2 ? 2 : 1))
        client.reset()
        bench.expectQuiet()
    }

    @Test func aGoawayMaySayTheSame() throws {
        let bench = try Self.bench(Self.secure)
        bench.originsSpeakHTTP2 = true
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.frame(7, [0, 0, 0, 0, 0, 0, 0, 13]))
        #expect(bench.origins.count == 2)
        bench.origins[1].answer(200, body: "ok")
        #expect(client.answers.last?.text == "ok")
        bench.expectQuiet()
    }

    @Test func whereOnlyHTTP2IsSpokenItIsAProblem() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.http2Origin().send(Wire.reset(1, code: 13))
        #expect(client.answers.last?.status == 502)
        #expect(client.answers.last?.text.contains("protocol: h1") == true)
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    /// Whoever waited for a connection of its own when the handshake brought HTTP/2.
    @Test func whoWaitsFollowsTheVersion() throws {
        let bench = try Self.bench {
            Self.secure(&$0)
            $0.connectionsMax = 1
        }
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        bench.originsSpeakHTTP2 = true
        bench.connectsAtOnce = false
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/b") }
        #expect(bench.origins.count == 2)
        bench.connectsAtOnce = true
        bench.turn()
        let origin = try bench.http2Origin()
        #expect(origin.streams == [1, 3, 5])
        for stream in origin.streams { origin.answer(stream, body: "ok") }
        #expect(clients.allSatisfy { $0.answers.last?.text == "ok" })
        bench.expectQuiet()
    }

    // MARK: - GOAWAY (§6.8)

    /// It may be sent again, with a smaller identifier; the first one is often 2^31-1.
    @Test func goawayInTwoSteps() throws {
        let bench = try Self.bench()
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/a") }
        let origin = try bench.http2Origin()
        origin.send(Wire.frame(7, [0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]))
        #expect(bench.origins.count == 1)
        let late = bench.client()
        late.request("GET", "/raw/b")
        #expect(bench.origins.count == 2)
        let other = HTTP2Origin(bench.origins[1])
        #expect(other.streams == [1])
        origin.send(Wire.frame(7, [0, 0, 0, 3, 0, 0, 0, 0]))
        #expect(other.streams == [1, 3])
        for stream in [1, 3] { origin.answer(stream, body: "old") }
        #expect(origin.peer.isClosed)
        for stream in other.streams { other.answer(stream, body: "new") }
        #expect(clients.map { $0.answers.last?.text } == ["old", "old", "new"])
        #expect(late.answers.last?.text == "new")
        bench.expectQuiet()
    }

    /// The only connection is going away: the next one is dialled when its place is free, and nobody is lost.
    @Test func goawayOnTheOnlyConnection() throws {
        let bench = try Self.bench { $0.connectionsMax = 1 }
        let clients = (0..<2).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/a") }
        let origin = try bench.http2Origin()
        origin.send(Wire.frame(7, [0, 0, 0, 1, 0, 0, 0, 0]))
        let late = bench.client()
        late.request("GET", "/raw/b")
        #expect(bench.origins.count == 1)
        origin.answer(1, body: "old")
        #expect(origin.peer.isClosed)
        #expect(bench.origins.count == 2)
        let other = try bench.http2Origin()
        #expect(other.streams == [1, 3])
        for stream in other.streams { other.answer(stream, body: "new") }
        #expect((clients + [late]).map { $0.answers.last?.text } == ["old", "new", "new"])
        bench.expectQuiet()
    }

    // MARK: - How many (§5.1.2)

    /// Who allows no streams at present is asked by another connection, and not by one after the other.
    @Test(arguments: [0, 10]) func noStreamsAtPresent(onAnother: Int) throws {
        let bench = try Self.bench()
        let first = bench.client()
        first.request("GET", "/raw/a")
        let origin = try bench.http2Origin([3: 0])
        origin.answer(1, body: "ok")
        let clients = (0..<5).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/b") }
        let other = try bench.http2Origin([3: onAnother])
        let late = bench.client()
        late.request("GET", "/raw/b")
        #expect(bench.origins.count == 2)
        if onAnother == 0 { origin.send(Wire.settings([3: 10])) }
        #expect(origin.streams.count + other.streams.count == 7)
        for stream in origin.streams.dropFirst() { origin.answer(stream, body: "ok") }
        for stream in other.streams { other.answer(stream, body: "ok") }
        #expect(([first, late] + clients).allSatisfy { $0.answers.last?.text == "ok" })
        bench.expectQuiet()
    }

    /// §5.1.1: a connection without identifiers ends, and another one goes on.
    @Test func identifiersEnd() throws {
        let bench = try Self.bench()
        let clients = (0..<3).map { _ in bench.client() }
        clients[0].request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        let link = try #require(bench.gateway.generation.upstreams[0].endpoint.streams.connections.first)
        #expect(nghttp2_session_set_next_stream_id(link.session.handle, Int32.max) == 0)
        clients[1].request("GET", "/raw/b")
        #expect(origin.streams == [1, Int(Int32.max)])
        clients[2].request("GET", "/raw/c")
        #expect(bench.origins.count == 2)
        let other = try bench.http2Origin()
        for stream in origin.streams { origin.answer(stream, body: "old") }
        other.answer(1, body: "new")
        #expect(clients.map { $0.answers.last?.text } == ["old", "old", "new"])
        #expect(origin.peer.isClosed)
        bench.expectQuiet()
    }

    /// A crowd that finds no connection leads to one dial, and to as many more as the first one leaves waiting.
    @Test func aCrowdDialsOnce() throws {
        let bench = try Self.bench { $0.connectionsMax = 4 }
        bench.connectsAtOnce = false
        let clients = (0..<90).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/a") }
        #expect(bench.origins.count == 1)
        bench.origins[0].refuse()
        #expect(clients.allSatisfy { $0.answers.last?.status == 502 })
        #expect(bench.origins.count == 1)
        for client in clients { client.request("GET", "/raw/b") }
        #expect(bench.origins.count == 2)
        bench.connectsAtOnce = true
        bench.turn()
        let origin = try bench.http2Origin()
        #expect(bench.origins.count == 2)
        for stream in origin.streams { origin.answer(stream, body: "ok") }
        #expect(clients.allSatisfy { $0.answers.last?.text == "ok" })
        bench.expectQuiet()
    }

    // MARK: - Frames out of order (§5.1, §8.1)

    @Test(arguments: [
        ("§8.1: DATA before HEADERS", Wire.data(1, "x", end: true)),
        ("§8.1: the end on an interim response", Wire.headers(1, [(":status", "103")], end: true)),
        (
            "§8.1: an end without a response",
            Wire.headers(1, [(":status", "100")], end: false) + Wire.data(1, "", end: true)
        ),
        (
            "§8.4: a push",
            Wire.settings(isAck: true)
                + Wire.frame(5, flags: 4, stream: 1, [0, 0, 0, 2] + Wire.section([(":method", "GET")]))
        ),
        ("§6.5: SETTINGS on a stream", Wire.frame(4, stream: 1)),
        ("§6.7: a PING of 7 bytes", Wire.frame(6, [UInt8](repeating: 0, count: 7))),
        ("§6.9: a window opened by nothing", Wire.windowUpdate(0, 0)),
        ("§4.2: a frame too large", Wire.frame(0, stream: 1, [UInt8](repeating: 0, count: 16_385))),
        ("§6.1: DATA on stream 0", Wire.frame(0, [1, 2, 3])),
        ("§6.10: CONTINUATION out of nowhere", Wire.frame(9, flags: 4, stream: 1)),
        ("§5.1: HEADERS on an idle stream", Wire.headers(9, [(":status", "200")])),
    ])
    func framesOutOfOrderAreProblems(_ clause: String, _ frames: [UInt8]) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(frames)
        #expect(client.answers.first?.status == 502, "\(clause)")
        #expect(client.answers.first?.text.contains("upstream-protocol") == true, "\(clause)")
        #expect(origin.request(1).resetCode != nil || origin.peer.isClosed, "\(clause)")
        bench.expectQuiet()
    }

    /// §8.1: trailers have no control data; the answer is not whole then.
    @Test func trailersWithControlData() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200")], end: false), Wire.data(1, "text"))
        origin.send(Wire.headers(1, [(":status", "200")]))
        #expect(client.answers.first?.isComplete == false)
        #expect(client.peerSawEnd)
        bench.expectQuiet()
    }

    @Test func interimAnswersHaveALimit() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        for _ in 0..<100 { origin.send(Wire.headers(1, [(":status", "103")], end: false)) }
        #expect(client.answers.last?.status == 502)
        #expect(origin.request(1).resetCode == 1)
        bench.expectQuiet()
    }

    // MARK: - Flow control (§6.9)

    /// What arrives for a stream that nobody reads any more still counts for the connection's window.
    @Test func whatNobodyReadsOpensTheConnectionsWindow() throws {
        let bench = try Self.bench { _ in
        } _: {
            $0.limits.http2Streams = 1
            $0.limits.bufferedBytes = 65_535
        }
        let client = bench.client()
        client.request("GET", "/early")
        let origin = try bench.http2Origin()
        origin.send(
            Wire.headers(1, [(":status", "200")], end: false), Wire.data(1, "{\"values\": [1, 2], \"rest\": \""))
        #expect(client.answers.last?.text == "[1, 2]")
        #expect(origin.request(1).resetCode == 8)
        let before = origin.reader.windows[0] ?? 0
        for _ in 0..<5 { origin.send(Wire.data(1, String(repeating: "x", count: 10_000))) }
        #expect((origin.reader.windows[0] ?? 0) - before >= 32_768)
        client.request("GET", "/raw/b")
        origin.answer(3, body: "ok")
        #expect(client.answers.last?.text == "ok")
        bench.expectQuiet()
    }

    /// §6.1: padding counts, too.
    @Test func paddingOpensTheWindow() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200")], end: false))
        for _ in 0..<2_000 {
            origin.send(Wire.frame(0, flags: 8, stream: 1, [200] + [UInt8](repeating: 120, count: 210)))
        }
        #expect((origin.reader.windows[1] ?? 0) >= 2_000 * 211 - 262_144)
        origin.send(Wire.data(1, "end", end: true))
        #expect(client.answers.last?.bodyCount == 2_000 * 10 + 3)
        bench.expectQuiet()
    }

    /// §6.9.2: a smaller initial window may make a stream's window negative.
    @Test func aSmallerWindowStopsAnUpload() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.expect("POST")
        client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000\r\n\r\n")
        let origin = try bench.http2Origin()
        client.send(String(repeating: "z", count: 20_000))
        origin.send(Wire.settings([4: 10_000]))
        client.send(String(repeating: "z", count: 20_000))
        #expect(origin.request(1).body.count == 20_000)
        origin.send(Wire.windowUpdate(1, 15_000))
        #expect(origin.request(1).body.count == 25_000)
        origin.send(Wire.settings([4: 65_535]))
        #expect(origin.request(1).isComplete)
        origin.answer(1, 204)
        #expect(client.answers.last?.status == 204)
        bench.expectQuiet()
    }

    // MARK: - Gathering

    /// On a busy connection requests leave together with the next input; see `RequestGatheringTests`.
    @Test func requestsOfABusyConnectionLeaveTogether() throws {
        let bench = try Self.bench()
        let clients = (0..<20).map { _ in bench.client() }
        clients[0].request("GET", "/raw/0")
        let origin = try bench.http2Origin()
        for _ in 0..<30 { origin.send(Wire.ping()) }
        for client in clients[1...5] { client.request("GET", "/raw/a") }
        // The first leaves, and those after it until enough are under way.
        let written = origin.streams.count
        #expect(written < 6)
        for client in clients[6...10] { client.request("GET", "/raw/b") }
        #expect(origin.streams.count == written)
        origin.answer(1, body: "ok")
        #expect(origin.streams.count == 11)
        // Without an input they wait for a millisecond or two.
        for client in clients[11...12] { client.request("GET", "/raw/c") }
        #expect(origin.streams.count == 11)
        bench.advance(by: .milliseconds(3))
        #expect(origin.streams.count == 13)
        for stream in origin.streams.dropFirst() { origin.answer(stream, body: "ok") }
        #expect(clients[...12].allSatisfy { $0.answers.last?.text == "ok" })
        bench.expectQuiet()
    }

    @Test func whoMayNotWaitDoesNot() throws {
        let bench = try Self.bench { $0.gather = .zero }
        let clients = (0..<12).map { _ in bench.client() }
        clients[0].request("GET", "/raw/0")
        let origin = try bench.http2Origin()
        for _ in 0..<30 { origin.send(Wire.ping()) }
        for client in clients[1...] { client.request("GET", "/raw/a") }
        #expect(origin.streams.count == 12)
        for client in clients { client.reset() }
        bench.expectQuiet()
    }
}
