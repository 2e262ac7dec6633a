import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Connections that their upstreams end.
extension HTTP2UpstreamLinkTests {
    /// RFC 9110 §9.2.2: a connection that has served and dies without an answer costs an idempotent request nothing.
    @Test(arguments: [true, false])
    func whatADeadConnectionHeldIsSentAgain(byReset: Bool) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.answer(1, body: "ok")
        let other = bench.client()
        client.request("GET", "/raw/b")
        other.request("POST", "/raw/c")
        if byReset { origin.peer.reset() } else { origin.peer.endInput() }
        #expect(origin.peer.isClosed)
        #expect(other.answers.first?.status == 502)
        #expect(bench.origins.count == 2)
        let fresh = try bench.http2Origin()
        fresh.answer(1, body: "again")
        #expect(client.answers.last?.text == "again")
        bench.expectQuiet()
    }

    /// A peer that ends a connection while nothing is on it costs nobody anything.
    @Test func anIdleConnectionThatIsClosedIsReplaced() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.answer(1, body: "ok")
        origin.peer.endInput()
        #expect(origin.peer.isClosed)
        #expect(bench.gateway.counters.upstreamConnections == 0)
        client.request("POST", "/raw/b")
        #expect(bench.origins.count == 2)
        try bench.http2Origin().answer(1, body: "new")
        #expect(client.answers.last?.text == "new")
        bench.expectQuiet()
    }

    /// RFC 9113 §6.8: what it was still going to serve is not waited for once it is closed.
    @Test func whoGoesAwayMayCloseBeforeItsTime() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.frame(7, [0, 0, 0, 1, 0, 0, 0, 0]))
        #expect(client.answers.isEmpty)
        origin.peer.endInput()
        #expect(client.answers.first?.status == 502)
        #expect(origin.peer.isClosed)
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    /// An upload whose stream gets no window ends, and with it the stream alone.
    @Test func anUploadThatFindsNoWindowEnds() throws {
        let bench = try Self.bench { $0.timeout.idle = .seconds(4) }
        let client = bench.client()
        client.request("PUT /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000\r\n\r\n")
        let origin = try bench.http2Origin()
        for _ in 0..<4 { client.send([UInt8](repeating: 0x78, count: 100_000)) }
        #expect(client.unreadCount > 0)
        bench.advance(by: .seconds(3))
        // Each frame that is taken counts.
        origin.send(Wire.windowUpdate(0, 1000), Wire.windowUpdate(1, 1000))
        bench.advance(by: .seconds(3))
        #expect(client.answers.isEmpty)
        bench.advance(by: .seconds(3))
        #expect(client.answers.first?.status == 504)
        #expect(client.answers.first?.text.contains("stopped taking the body") == true)
        #expect(origin.request(1).resetCode == 8)
        #expect(!origin.peer.isClosed)
        client.reset()
        bench.expectQuiet()
    }

    // MARK: - Refused before it was looked at

    /// RFC 9113 §8.7: it is safe to send it again, but nothing says that it will do any good. The first time is free;
    /// then it is `retry:` that says how often, and after which wait.
    @Test func whatIsRefusedAgainIsAnAttemptThatFailed() throws {
        let bench = try FetchAttemptsTests.bench { $0.httpVersion = .h2c }
        bench.recordsOrigins = true
        let client = FetchAttemptsTests.request(bench, "PUT", body: "some")
        let origin = try bench.http2Origin()
        origin.send(Wire.reset(1, code: 7))
        #expect(origin.streams == [1, 3])
        for stream in [3, 5, 7] {
            origin.send(Wire.reset(stream, code: 7))
            #expect(origin.streams.last == stream)
            bench.advance(by: .seconds(1))
        }
        #expect(origin.streams == [1, 3, 5, 7])
        #expect(origin.request(7).text == "some")
        #expect(client.answers.first?.status == 502)
        #expect(client.answers.first?.text.contains("It was tried 3 times.") == true)
        bench.expectQuiet()
    }

    /// Without `retry:`, the budget pays for what is sent more than twice.
    @Test(arguments: [(0, [1, 3]), (1, [1, 3, 5]), (9, [1, 3, 5, 7])])
    func whatIsRefusedAgainIsPaidFor(perSecond: Int, streams: [Int]) throws {
        let bench = try Self.bench { $0.retryBudget.perSecond = perSecond }
        let client = bench.client()
        client.request("POST", "/raw/a")
        let origin = try bench.http2Origin()
        for stream in streams {
            #expect(client.answers.isEmpty)
            origin.send(Wire.reset(stream, code: 7))
        }
        #expect(origin.streams == streams)
        #expect(client.answers.first?.status == 502)
        bench.expectQuiet()
    }
}
