import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Versions, silence, back-pressure and the end of connections to upstreams of HTTP/2.
extension HTTP2UpstreamLinkTests {
    // MARK: - Which version

    @Test func autoTakesWhatTheHandshakeSettlesOn() throws {
        let bench = try Self.bench(Self.secure)
        bench.originsSpeakHTTP2 = true
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/a") }
        #expect(bench.origins.count == 1)
        let origin = try bench.http2Origin()
        #expect(origin.streams == [1, 3, 5])
        #expect(origin.request(1)[":scheme"] == "https")
        for stream in origin.streams { origin.answer(stream, body: "ok") }
        #expect(clients.allSatisfy { $0.answers.first?.text == "ok" })
        bench.expectQuiet()
    }

    @Test func autoFallsBackToHTTP1() throws {
        let bench = try Self.bench(Self.secure)
        bench.connectsAtOnce = false
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/a") }
        // One handshake tells for all of them.
        #expect(bench.origins.count == 1)
        bench.origins[0].connect()
        #expect(bench.origins.count == 3)
        bench.connectsAtOnce = true
        bench.turn()
        for origin in bench.origins {
            #expect(origin.requests.first?.startLine == "GET /v1/a HTTP/1.1")
            origin.answer(200, body: "ok")
        }
        #expect(clients.allSatisfy { $0.answers.first?.text == "ok" })
        #expect(bench.gateway.counters.upstreamConnections == 3)
        bench.expectQuiet()
        clients[0].request("GET", "/raw/b")
        #expect(bench.origins.count == 3)
    }

    /// A server that has learnt HTTP/2 meanwhile is believed.
    @Test func autoFollowsAServerThatChanges() throws {
        let bench = try Self.bench(Self.secure)
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        bench.originsSpeakHTTP2 = true
        client.request("GET", "/raw/b")
        let origin = try bench.http2Origin()
        #expect(bench.origins.count == 2)
        origin.answer(1, body: "ok")
        #expect(client.answers.last?.text == "ok")
        #expect(bench.gateway.counters.upstreamConnections == 1)
        bench.expectQuiet()
    }

    @Test func h2InsistsOnHTTP2() throws {
        let bench = try Self.bench {
            Self.secure(&$0)
            $0.httpVersion = .h2
        }
        let client = bench.client()
        client.request("GET", "/raw/a")
        #expect(client.answers.first?.status == 502)
        #expect(client.answers.first?.text.contains("tls-failure") == true)
        bench.expectQuiet()
    }

    @Test func h1OffersNothingElse() throws {
        let bench = try Self.bench {
            Self.secure(&$0)
            $0.httpVersion = .h1
        }
        bench.originsSpeakHTTP2 = true
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.first?.text == "ok")
    }

    // MARK: - Silence

    @Test func silenceIsAskedAbout() throws {
        let bench = try Self.bench {
            $0.timeout.firstByte = .seconds(300)
            $0.timeout.total = .seconds(300)
        } _: {
            $0.limits.streamTimeout = .seconds(999)
        }
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        bench.advance(by: .seconds(31))
        #expect(origin.reader.pings == 1)
        origin.send(Wire.ping(isAck: true))
        bench.advance(by: .seconds(31))
        #expect(origin.reader.pings == 2)
        bench.advance(by: .seconds(11))
        #expect(origin.peer.isClosed)
        #expect(client.answers.first?.status == 502)
        #expect(client.answers.first?.text.contains("PING") == true)
        bench.expectQuiet()
    }

    @Test func idleConnectionsAreAskedAndThenClosed() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.answer(1, body: "ok")
        bench.advance(by: .seconds(31))
        #expect(origin.reader.pings == 1)
        origin.send(Wire.ping(isAck: true))
        #expect(!origin.peer.isClosed)
        bench.advance(by: .seconds(31))
        #expect(origin.peer.isClosed)
        #expect(origin.reader.goaways.last?.code == 0)
        #expect(bench.gateway.counters.upstreamConnections == 0)
    }

    /// To the nanosecond: the peer is asked when it has said nothing for so long.
    @Test func silenceHasItsTimeAndNoMore() throws {
        // Whole ticks of the timers, which then fire when it is over and not a little later.
        let silence: UInt64 = 1 << 33
        let bench = try Self.bench { $0.ping = .nanoseconds(silence) }
        bench.client().request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        bench.advance(by: .nanoseconds((1 << 30) - bench.gateway.now % (1 << 30)))
        origin.answer(1, body: "ok")
        bench.advance(by: .nanoseconds(silence - 1))
        #expect(origin.reader.pings == 0)
        bench.advance(by: .nanoseconds(1))
        #expect(origin.reader.pings == 1)
    }

    /// To the nanosecond: the peer is given up when the time for its answer is over.
    @Test func aPingHasItsTimeAndNoMore() throws {
        // Whole ticks of the timers, which then fire when it is over and not a little later.
        let timeout: UInt64 = 1 << 33
        let bench = try Self.bench { $0.pingTimeout = .nanoseconds(timeout) }
        bench.client().request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.answer(1, body: "ok")
        let link = try #require(bench.gateway.generation.upstreams[0].endpoint.streams.connections.first)
        bench.advance(by: .seconds(31))
        #expect(origin.reader.pings == 1)
        let due = try #require(link.pingedAt) + timeout
        bench.advance(by: .nanoseconds(due - 1 - bench.gateway.now))
        #expect(!origin.peer.isClosed)
        bench.advance(by: .nanoseconds(1))
        #expect(origin.peer.isClosed)
    }

    /// A request that is given up in silence is reason to ask whether anybody is there: once, whoever leaves then.
    @Test(arguments: [(999_999_999, 0), (1_000_000_000, 1)])
    func whoeverLeavesInSilenceAsksAfterThePeer(_ silence: Int, _ pings: Int) throws {
        let bench = try Self.bench()
        let clients = (0..<2).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/a") }
        let origin = try bench.http2Origin()
        bench.advance(by: .nanoseconds(silence))
        for client in clients { client.reset() }
        #expect(origin.reader.resets == [1, 3])
        #expect(origin.reader.pings == pings)
    }

    // MARK: - Back-pressure

    /// A client that takes nothing holds its own stream back, and no other.
    @Test func aStalledReaderHoldsItsOwnStreamOnly() throws {
        let bench = try Self.bench { _ in
        } _: {
            $0.limits.bufferedBytes = 20_000
        }
        let slow = bench.client()
        let quick = bench.client()
        slow.request("GET", "/raw/slow")
        quick.request("GET", "/raw/quick")
        let origin = try bench.http2Origin()
        #expect(origin.reader.settings[4] == 20_000)
        slow.window = 0
        origin.send(Wire.headers(1, [(":status", "200")], end: false))
        let piece = String(repeating: "x", count: 10_000)
        var sent = 0
        while sent < 200_000, sent < 20_000 + (origin.reader.windows[1] ?? 0) - 10_000 {
            origin.send(Wire.data(1, piece))
            sent += 10_000
        }
        #expect(sent <= 60_000)
        for _ in 0..<20 { origin.send(Wire.headers(3, [(":status", "103")], end: false)); break }
        origin.answer(3, body: "quick")
        #expect(quick.answers.last?.text == "quick")
        origin.send(Wire.data(1, "end", end: true))
        slow.take(.max)
        #expect(slow.answers.last?.isComplete == true)
        #expect(slow.answers.last?.bodyCount == sent + 3)
        bench.expectQuiet()
    }

    /// A client that takes nothing of an answer of which the origin has sent 27,000 bytes, more than is kept for it.
    static func stalled(
        _ fields: Wire.Fields = []
    ) throws -> (bench: Bench, client: ClientPeer, origin: HTTP2Origin) {
        let bench = try Self.bench { _ in
        } _: {
            $0.limits.bufferedBytes = 20_000
        }
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        client.window = 0
        origin.send(Wire.headers(1, [(":status", "200")] + fields, end: false))
        for _ in 0..<3 { origin.send(Wire.data(1, String(repeating: "y", count: 9_000))) }
        return (bench, client, origin)
    }

    /// What waits goes on where the connection is gone already.
    @Test func whatHasArrivedOutlivesItsConnection() throws {
        let (bench, client, origin) = try Self.stalled()
        origin.send(Wire.data(1, "end", end: true))
        origin.peer.endInput()
        #expect(client.answers.last?.isComplete != true)
        client.take(.max)
        #expect(client.answers.last?.isComplete == true)
        #expect(client.answers.last?.bodyCount == 27_003)
        bench.expectQuiet()
    }

    @Test func uploadsWaitForTheWindow() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.expect("POST")
        client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000\r\n\r\n")
        let origin = try bench.http2Origin()
        for _ in 0..<40 { client.send(String(repeating: "z", count: 10_000)) }
        #expect(origin.request(1).body.count == 65_535)
        #expect(client.unreadCount > 100_000)
        let other = bench.client()
        other.request("GET", "/raw/b")
        origin.answer(3, body: "ok")
        #expect(other.answers.first?.text == "ok")
        origin.send(Wire.windowUpdate(0, 1_000_000), Wire.windowUpdate(1, 1_000_000))
        #expect(origin.request(1).body.count == 400_000)
        #expect(origin.request(1).isComplete)
        origin.answer(1, 204)
        #expect(client.answers.first?.status == 204)
        bench.expectQuiet()
    }

    /// An upstream whose windows are wide and which reads nothing all the same.
    @Test func whoReadsNothingHoldsUploadsBack() throws {
        let bench = try Self.bench { _ in
        } _: {
            $0.limits.bufferedBytes = 20_000
        }
        let clients = (0..<2).map { _ in bench.client() }
        for client in clients {
            client.expect("POST")
            client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000\r\n\r\n")
        }
        let origin = try bench.http2Origin()
        for stream in [0, 1, 3] { origin.send(Wire.windowUpdate(stream, 1_000_000)) }
        origin.peer.window = 0
        for _ in 0..<40 {
            for client in clients { client.send(String(repeating: "z", count: 10_000)) }
        }
        #expect(origin.peer.link.outbox.count <= 20_000 + 16_393)
        #expect(clients.allSatisfy { $0.unreadCount > 200_000 })
        origin.peer.take(.max)
        for stream in [1, 3] {
            #expect(origin.request(stream).body.count == 400_000)
            #expect(origin.request(stream).isComplete)
            origin.answer(stream, 204)
        }
        #expect(clients.allSatisfy { $0.answers.first?.status == 204 })
        bench.expectQuiet()
    }

    // MARK: - The end

    @Test func aReloadLetsRequestsFinish() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        bench.replace(try RouteTable(Build.configuration([try Build.binding("GET /x", to: "fruit /x")])))
        #expect(!origin.peer.isClosed)
        origin.answer(1, body: "ok")
        #expect(client.answers.first?.text == "ok")
        #expect(origin.peer.isClosed)
        #expect(bench.gateway.counters.upstreamConnections == 0)
    }

    @Test func drainingClosesWhatIsIdle() throws {
        let bench = try Self.bench()
        bench.client().request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.answer(1, body: "ok")
        bench.gateway.drain()
        bench.turn()
        #expect(origin.peer.isClosed)
    }

    @Test(arguments: [(200, true), (503, false)])
    func healthIsAskedInHTTP2(_ status: Int, _ isHealthy: Bool) throws {
        let bench = try Self.bench {
            $0.breaker = BreakerPolicy()
            $0.health = HealthPolicy(path: "/healthz")
        }
        for round in 1...4 {
            while bench.origins.count < round { bench.advance(by: .milliseconds(100)) }
            let origin = try bench.http2Origin()
            #expect(origin.request(1)[":path"] == "/healthz")
            origin.answer(1, status)
            #expect(origin.peer.isClosed)
        }
        #expect(bench.gateway.generation.upstreams[0].endpoint.breaker.isWell == isHealthy)
    }

    /// Who resets the question or does not speak HTTP/2, where it has to be that, has not said that it is well.
    @Test(arguments: [true, false])
    func noAnswerInHTTP2IsNotHealthy(agrees: Bool) throws {
        let bench = try Self.bench {
            if !agrees {
                Self.secure(&$0)
                $0.httpVersion = .h2
            }
            $0.breaker = BreakerPolicy()
            $0.health = HealthPolicy(path: "/healthz")
        }
        for round in 1...4 {
            while bench.origins.count < round { bench.advance(by: .milliseconds(100)) }
            if agrees { try bench.http2Origin().send(Wire.reset(1)) }
            #expect(bench.origins[round - 1].isClosed)
        }
        #expect(!bench.gateway.generation.upstreams[0].endpoint.breaker.isWell)
    }
}
