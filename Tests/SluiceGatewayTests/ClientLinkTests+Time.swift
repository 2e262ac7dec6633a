import SluiceContract
import Testing

@testable import SluiceGateway

// How long a client is waited for.
extension ClientLinkTests {
    @Test func anIdleClientIsLetGo() throws {
        let bench = try Self.bench { $0.limits.keepAlive = .seconds(10) }
        let client = bench.client()
        client.request("GET", "/none")
        bench.advance(by: .milliseconds(9_990))
        #expect(!client.isClosed)
        bench.advance(by: .milliseconds(20))
        #expect(client.sawEnd)
        #expect(bench.gateway.counters.connections == 0)
    }

    /// Who has never asked for anything is no client whose connection is kept, but one who is late.
    @Test func aClientThatNeverAsksIsLetGoSooner() throws {
        let bench = try Self.bench {
            $0.limits.headerTimeout = .seconds(5)
            $0.limits.keepAlive = .seconds(60)
        }
        let silent = bench.client()
        let asking = bench.client()
        bench.advance(by: .milliseconds(4_990))
        #expect(!silent.isClosed)
        asking.request("GET", "/none")
        bench.advance(by: .milliseconds(20))
        #expect(silent.sawEnd)
        #expect(silent.answers.isEmpty)
        bench.advance(by: .seconds(50))
        #expect(!asking.isClosed)
        bench.advance(by: .seconds(11))
        #expect(asking.sawEnd)
        bench.expectQuiet()
    }

    /// What waits before the first request is the handshake's: whether it is taken or not, it gives no more time, and
    /// makes nobody a slow reader of answers.
    @Test(arguments: [true, false])
    func whatWaitsBeforeARequestGivesNoTime(isTaken: Bool) throws {
        let bench = try Self.bench {
            $0.limits.headerTimeout = .seconds(5)
            $0.limits.keepAlive = .seconds(60)
        }
        let client = bench.client()
        bench.advance(by: .seconds(2))
        _ = client.link.wrote(leaving: 100)
        bench.advance(by: .seconds(2))
        if isTaken { _ = client.link.wrote(leaving: 0) }
        #expect(!client.isClosed)
        bench.advance(by: .milliseconds(1_010))
        #expect(client.sawEnd)
        bench.expectQuiet()
    }

    /// Slowly read answers are no idleness; those that nobody reads end in a way that shows, because requests may wait
    /// behind them.
    @Test(arguments: [true, false])
    func aClientThatReadsItsAnswersSlowlyIsNotIdle(reads: Bool) throws {
        let bench = try Self.bench { $0.limits.keepAlive = .seconds(10) }
        let client = bench.client()
        client.window = 0
        client.request("GET", "/raw/a")
        try bench.origin().answer(200, body: String(repeating: "x", count: 100_000))
        for _ in 0..<3 {
            bench.advance(by: .seconds(11))
            if reads { client.take(10_000) }
        }
        #expect(client.sawReset == !reads)
        client.take(.max)
        #expect((client.answers.first?.isComplete ?? false) == reads)
        bench.expectQuiet()
    }

    @Test(arguments: ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\n"])
    func aSlowHeadIs408(beginning: String) throws {
        let bench = try Self.bench { $0.limits.headerTimeout = .seconds(5) }
        let client = bench.client()
        client.expect("GET")
        client.send(beginning)
        bench.advance(by: .seconds(4))
        client.send("")
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(1_010))
        #expect(client.answers.first?.status == 408)
        #expect(client.answers.first?["Connection"] == "close")
        bench.expectQuiet()
    }

    /// A byte now and then does not make a head arrive in time.
    @Test func aHeadThatTricklesIs408() throws {
        let bench = try Self.bench { $0.limits.headerTimeout = .seconds(5) }
        let client = bench.client()
        client.expect("GET")
        for byte in "GET /raw/a" {
            client.send(String(byte))
            bench.advance(by: .seconds(1))
        }
        #expect(client.answers.first?.status == 408)
    }

    @Test func aBodyThatStopsIs408() throws {
        let bench = try Self.bench {
            $0.limits.bodyTimeout = .seconds(5)
            $0.limits.rateBytesMin = 0
        }
        let client = bench.client()
        client.request("PUT /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")
        for _ in 0..<3 {
            bench.advance(by: .seconds(4))
            client.send("x")
        }
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(5_010))
        #expect(client.answers.first?.status == 408)
        #expect(client.answers.first?["Connection"] == "close")
        #expect(try bench.origin().sawReset)
        bench.expectQuiet()
    }

    /// Every byte earns the time that it may take, and no more: a body that trickles is cut off in the end.
    @Test(arguments: [(9, false), (10, true), (1000, true)])
    func aBodyThatTricklesIs408(bytesPerSecond: Int, isInTime: Bool) throws {
        let bench = try Self.bench {
            $0.limits.bodyTimeout = .seconds(5)
            $0.limits.rateBytesMin = 10
        }
        let client = bench.client()
        client.request("PUT /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
        for _ in 0..<100 {
            bench.advance(by: .seconds(1))
            client.send(String(repeating: "x", count: bytesPerSecond))
        }
        #expect(client.answers.isEmpty == isInTime)
    }

    /// It is not the client who is late while the upstream takes nothing.
    @Test func aBodyThatIsNotReadIsNotLate() throws {
        let bench = try Self.bench {
            $0.limits.bodyTimeout = .seconds(5)
            $0.limits.bufferedBytes = 1000
        }
        let client = bench.client()
        client.request("PUT /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        let origin = try bench.origin()
        origin.window = 0
        for _ in 0..<100 { client.send(String(repeating: "x", count: 1000)) }
        // As long as it takes a little now and then: one that takes nothing at all is given up.
        for _ in 0..<3 {
            bench.advance(by: .seconds(4))
            origin.take(1)
        }
        #expect(client.answers.isEmpty)
        origin.take(.max)
        #expect(origin.requests.first?.isComplete == true)
        origin.answer(200)
        #expect(client.answers.first?.status == 200)
        bench.expectQuiet()
    }
}
