import SluiceContract
import Testing

@testable import SluiceGateway

/// Endpoints are asked whether they are well (`HealthCheck.swift`, `HealthProbe.swift`).
@Suite struct HealthCheckTests {
    private static func bench(_ upstream: (inout Upstream) -> Void = { _ in }) throws -> Bench {
        try FetchAttemptsTests.bench(endpoints: 1, retry: nil, tokens: ["fruit": "secret"]) {
            $0.health = HealthPolicy(path: "/healthz?deep=1")
            $0.bearer = .value("secret")
            $0.breaker = BreakerPolicy()
            upstream(&$0)
        }
    }

    /// Lets time pass until the next probe is there.
    private static func probe(_ bench: Bench) throws -> OriginPeer {
        let before = bench.origins.count
        for _ in 0..<60 where bench.origins.count == before { bench.advance(by: .milliseconds(100)) }
        try #require(bench.origins.count == before + 1)
        return try bench.origin()
    }

    /// Nothing of the upstream's own goes along, and no connection of the pool is used.
    @Test func theQuestion() throws {
        let bench = try Self.bench()
        defer { bench.gateway.drain() }
        let probe = try Self.probe(bench)
        #expect(probe.requests.first?.startLine == "GET /healthz?deep=1 HTTP/1.1")
        #expect(probe.requests.first?["Host"] == "fruit.example")
        #expect(probe.requests.first?["Authorization"] == nil)
        probe.answer(200, body: "fine")
        #expect(probe.sawEnd)
        bench.expectQuiet()
    }

    @Test(arguments: [
        "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n", "no HTTP\r\n\r\n",
    ])
    func threeFailuresTakeItOut(answer: String) throws {
        let bench = try Self.bench()
        defer { bench.gateway.drain() }
        let endpoint = bench.gateway.generation.upstreams[0].endpoint
        for _ in 0..<3 {
            #expect(endpoint.breaker.isWell)
            try Self.probe(bench).send(answer)
        }
        #expect(!endpoint.breaker.isWell)
        #expect(FetchAttemptsTests.request(bench).answers.first?.status == 503)
        for _ in 0..<2 {
            #expect(!endpoint.breaker.isWell)
            try Self.probe(bench).answer(204)
        }
        #expect(endpoint.breaker.isWell)
        #expect(bench.gateway.counters.upstreamConnections == 0)
    }

    @Test(arguments: ["silence", "refusal", "close", "slow connection"])
    func whatElseIsAFailure(kind: String) throws {
        let bench = try Self.bench { $0.health?.unhealthy = 1 }
        defer { bench.gateway.drain() }
        bench.connectsAtOnce = !["refusal", "slow connection"].contains(kind)
        let probe = try Self.probe(bench)
        switch kind {
        case "refusal": probe.refuse()
        case "close": probe.endInput()
        default: bench.advance(by: .milliseconds(1100))
        }
        #expect(!bench.gateway.generation.upstreams[0].endpoint.breaker.isWell)
        #expect(probe.isClosed)
        #expect(bench.gateway.counters.upstreamConnections == 0)
    }

    /// Where the gateway itself is short of descriptors or ports, nothing is known of the endpoint: it goes on being
    /// asked.
    @Test func ourOwnShortageIsNoFailure() throws {
        let bench = try Self.bench { $0.health?.unhealthy = 1 }
        defer { bench.gateway.drain() }
        let endpoint = bench.gateway.generation.upstreams[0].endpoint
        bench.connectsAtOnce = false
        for _ in 0..<30 {
            let client = FetchAttemptsTests.request(bench)
            try bench.origin().refuse(.overloaded, "No port is left.")
            #expect(client.answers.first?.text.contains("overloaded") == true)
        }
        try Self.probe(bench).refuse(.overloaded, "No port is left.")
        #expect(endpoint.breaker.isWell)
        try Self.probe(bench).refuse()
        #expect(!endpoint.breaker.isWell)
    }

    /// What it has not told within its time it will not tell the next probe.
    @Test func probesDoNotPileUp() throws {
        let bench = try Self.bench {
            $0.health?.every = .seconds(1)
            $0.health?.timeout = .seconds(20)
        }
        defer { bench.gateway.drain() }
        _ = try Self.probe(bench)
        bench.advance(by: .seconds(10))
        #expect(bench.origins.count == 1)
    }

    /// Nobody asks an upstream any more that is not configured, or a daemon that stops.
    @Test(arguments: [true, false])
    func itEnds(byReload: Bool) throws {
        let bench = try Self.bench()
        let probe = try Self.probe(bench)
        if byReload {
            bench.replace(try RouteTable(Build.configuration([], upstreams: [])))
        } else {
            bench.gateway.drain()
            bench.turn()
        }
        #expect(probe.isClosed)
        bench.advance(by: .seconds(60))
        #expect(bench.origins.count == 1)
        #expect(bench.gateway.loop.timers.count == 0)
    }
}
