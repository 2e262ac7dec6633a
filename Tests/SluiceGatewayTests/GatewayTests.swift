import SluiceContract
import Testing

@testable import SluiceGateway

/// New configurations, draining, counters (`Gateway.swift`).
@Suite struct GatewayTests {
    static func table(_ to: String = "fruit /a", idle: Duration = .seconds(60)) throws -> RouteTable {
        try RouteTable(
            Build.configuration(
                [try Build.binding("GET /a", to: to)], upstreams: [Build.upstream { $0.idle = idle }]))
    }

    @Test func aNewTableServesTheNextRequest() throws {
        let bench = Bench(try Self.table())
        let client = bench.client()
        client.request("GET", "/a")
        bench.replace(try Self.table("fruit /b"))
        let origin = try bench.origin()
        #expect(origin.requests.last?.target == "/v1/a")
        origin.answer(200, body: "old")
        client.request("GET", "/a")
        #expect(origin.requests.last?.target == "/v1/b")
        origin.answer(200, body: "new")
        #expect(client.answers.map(\.text) == ["old", "new"])
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    /// A request whose head has not been read whole belongs to the new table.
    @Test func aHalfReadHeadIsOfTheNewTable() throws {
        let bench = Bench(try Self.table())
        let client = bench.client()
        client.request("GET /a HTTP/1.1\r\nHost: loc")
        bench.replace(try Self.table("fruit /b"))
        client.send("alhost\r\n\r\n")
        #expect(try bench.forwarded().target == "/v1/b")
    }

    @Test func connectionsOfAChangedUpstreamAreClosedWhenTheyAreFree() throws {
        let bench = Bench(try Self.table())
        let (busy, quick) = (bench.client(), bench.client())
        busy.request("GET", "/a")
        quick.request("GET", "/a")
        let origins = bench.origins
        origins[1].answer(200)
        #expect(!origins[1].isClosed)
        bench.replace(try Self.table(idle: .seconds(5)))
        #expect(origins[1].isClosed)
        #expect(!origins[0].isClosed)
        origins[0].answer(200, body: "kept")
        #expect(busy.answers.first?.text == "kept")
        #expect(origins[0].isClosed)
        quick.request("GET", "/a")
        #expect(bench.origins.count == 3)
    }

    /// Nobody waits for it, and nobody will: the upstream is gone.
    @Test func aConnectionThatComesAfterItsUpstreamIsGoneIsClosed() throws {
        let bench = Bench(try Self.table())
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/a")
        client.reset()
        bench.replace(try Self.table(idle: .seconds(5)))
        try bench.origin().connect()
        #expect(try bench.origin().isClosed)
        #expect(bench.gateway.counters.upstreamConnections == 0)
    }

    /// What waits to be used again lets go of the configuration that it served last.
    @Test func anOldConfigurationGoes() throws {
        let bench = Bench(try Self.table())
        for _ in 0..<3 { bench.client().request("GET", "/a") }
        for origin in bench.origins { origin.answer(200, body: "a") }
        let configuration = bench.gateway.generation.table.configuration
        weak let old = bench.gateway.generation
        bench.replace(try RouteTable(configuration))
        #expect(old == nil)
    }

    /// Nothing that a gateway made keeps it.
    @Test(arguments: 0...3)
    func goesWithItsOwner(requests: Int) throws {
        weak var gateway: Gateway?
        weak var link: Link?
        do {
            let bench = Bench(try Self.table())
            gateway = bench.gateway
            let client = bench.client()
            link = client.link
            for _ in 0..<requests { client.request("GET", "/a") }
            if requests > 1 { try bench.origin().answer(200, body: "a") }
            #expect(client.answers.count == min(max(requests - 1, 0), 1))
        }
        #expect(gateway == nil)
        #expect(link == nil)
    }

    /// An owner that ends before others lets go of its connections without telling them.
    @Test(arguments: [false, true])
    func aLinkTakesItsTimersWithIt(isHTTP2: Bool) throws {
        let bench = Bench(try Self.table())
        weak var gone: Link?
        do {
            let link = bench.gateway.accepted(address: Array("127.0.0.1".utf8), isTLS: isHTTP2)
            if isHTTP2 { link.http2Agreed() }
            let kept = link.successor ?? link
            kept.connected()
            bench.gateway.takeTouched { _ in }
            gone = kept
        }
        bench.gateway.end()
        #expect(gone == nil)
        bench.gateway.advance(to: bench.gateway.now + 3_600_000_000_000)
    }

    @Test func drainingFinishesWhatIsInFlight() throws {
        let bench = Bench(try Self.table())
        let (idle, busy, reading) = (bench.client(), bench.client(), bench.client())
        idle.request("GET", "/none")
        busy.request("GET", "/a")
        reading.request("GET /none HTTP/1.1\r\n")
        bench.gateway.drain()
        bench.turn()
        #expect(idle.sawEnd)
        #expect(!busy.isClosed && !reading.isClosed)
        try bench.origin().answer(200, body: "last")
        #expect(busy.answers.first?.text == "last")
        #expect(busy.answers.first?["Connection"] == "close")
        #expect(busy.sawEnd)
        reading.send("Host: localhost\r\n\r\n")
        #expect(reading.answers.first?.status == 404)
        #expect(reading.answers.first?["Connection"] == "close")
        #expect(bench.gateway.counters.connections == 0)
        #expect(bench.gateway.counters.upstreamConnections == 0)
        bench.expectQuiet()
    }

    /// A close before the first answer looks like a crash: whoever has just connected has a moment to ask.
    @Test func drainingAwaitsTheFirstRequestOfANewConnection() throws {
        let bench = Bench(try Self.table())
        let (asking, silent) = (bench.client(), bench.client())
        bench.gateway.drain()
        bench.turn()
        #expect(!asking.isClosed && !silent.isClosed)
        asking.request("GET", "/none")
        #expect(asking.answers.first?.status == 404)
        #expect(asking.answers.first?["Connection"] == "close")
        #expect(asking.sawEnd)
        bench.advance(by: .milliseconds(400))
        #expect(!silent.isClosed)
        bench.advance(by: .milliseconds(200))
        #expect(silent.sawEnd)
        #expect(bench.gateway.counters.connections == 0)
        bench.expectQuiet()
    }

    @Test func theEndOfTheDrainEndsEverything() throws {
        let bench = Bench(try Self.table())
        let client = bench.client()
        client.request("GET", "/a")
        bench.gateway.drain()
        bench.gateway.abortAll()
        bench.turn()
        #expect(client.sawReset)
        #expect(try bench.origin().isClosed)
        #expect(bench.gateway.counters.connections == 0)
        #expect(bench.gateway.loop.timers.count == 0)
        bench.expectQuiet()
    }

    @Test func countersCount() throws {
        let bench = Bench(try Self.table())
        let client = bench.client()
        client.request("GET", "/a")
        #expect(bench.gateway.counters.exchangesOpen == 1)
        try bench.origin().answer(200)
        client.request("GET", "/none")
        let counters = bench.gateway.counters
        #expect(counters.connections == 1)
        #expect(counters.fetches == 1)
        #expect(counters.upstreamConnections == 1)
    }
}
