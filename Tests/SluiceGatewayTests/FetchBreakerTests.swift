import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// What the breaker is told of an attempt (`AttemptState.swift`): one verdict, once it is known.
@Suite struct FetchBreakerTests {
    private typealias Wire = HTTP2Wire

    enum Verdict {
        case succeeded, failed, neither
    }

    private static func breaker(_ upstream: inout Upstream) {
        upstream.breaker = BreakerPolicy()
        upstream.breaker?.failures = 3
        upstream.breaker?.rest = .seconds(2)
        upstream.timeout.total = .seconds(3)
        upstream.timeout.idle = .seconds(4)
    }

    private static func bench(value: String? = nil) throws -> Bench {
        let value = try value.map { try Build.type($0) }
        return try FetchAttemptsTests.bench(retry: .off, breaker) { $0.value = value }
    }

    private static func upstream(_ bench: Bench) -> UpstreamRuntime { bench.gateway.generation.upstreams[0] }

    private static func fail(_ bench: Bench, _ count: Int) {
        let upstream = upstream(bench)
        for _ in 0..<count { upstream.failed(upstream.endpoint, at: bench.gateway.now) }
    }

    /// The verdict since there were two failures in a row, of which three are too many.
    private static func verdict(_ bench: Bench) -> Verdict {
        let upstream = upstream(bench)
        if !upstream.endpoint.breaker.isWell { return .failed }
        fail(bench, 1)
        return upstream.endpoint.breaker.isWell ? .succeeded : .neither
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let verdict: Verdict
        /// The binding checks the answer.
        let isTyped: Bool
        let happens: @Sendable (Bench, ClientPeer, OriginPeer) -> Void

        init(
            _ name: String, _ verdict: Verdict, isTyped: Bool = false,
            _ happens: @escaping @Sendable (Bench, ClientPeer, OriginPeer) -> Void
        ) {
            (self.name, self.verdict, self.isTyped, self.happens) = (name, verdict, isTyped, happens)
        }

        var testDescription: String { name }
    }

    private static let cut = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1,"
    private static let events =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let rows: [Row] = [
        Row("whole", .succeeded) { $2.answer(200, body: "text") },
        Row("whole and empty", .succeeded) { $2.answer(200) },
        Row("whole and checked", .succeeded, isTyped: true) { $2.answer(json: "[1]") },
        Row("an error of the client", .succeeded) { $2.answer(404, body: "none") },
        Row("an answer that has drifted", .succeeded, isTyped: true) { $2.answer(json: "{}") },
        Row("an error", .failed) { $2.answer(500, body: "no") },
        Row("no answer", .failed) { $2.reset() },
        Row("no answer in time", .failed) { bench, _, _ in bench.advance(by: .seconds(5)) },
        Row("only a head", .neither) { $2.send(cut) },
        Row("cut", .failed) {
            $2.send(cut)
            $2.reset()
        },
        Row("closed in the middle", .failed) {
            $2.send(cut)
            $2.endInput()
        },
        Row("cut and checked", .failed, isTyped: true) {
            $2.send(cut)
            $2.reset()
        },
        Row("silent behind the head", .failed) { bench, _, origin in
            origin.send(cut)
            bench.advance(by: .seconds(5))
        },
        Row("checked, and late behind the head", .failed, isTyped: true) { bench, _, origin in
            origin.send(cut)
            bench.advance(by: .seconds(5))
        },
        Row("the client leaves", .neither) { _, client, _ in client.reset() },
        Row("the client leaves in the middle", .neither) { _, client, origin in
            origin.send(cut)
            client.reset()
        },
        Row("nobody reads what is cut", .neither) { _, client, origin in
            client.window = 0
            origin.send("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n")
            for _ in 0..<8 { origin.send([UInt8](repeating: 0x78, count: 500_000)) }
            origin.reset()
        },
        Row("a stream of events has begun", .succeeded) { $2.send(events) },
        Row("a stream of events ends", .succeeded) {
            $2.send(events)
            $2.reset()
        },
    ]

    @Test(arguments: rows) func anAttemptHasOneVerdict(row: Row) throws {
        let bench = try Self.bench(value: row.isTyped ? "[Int]" : nil)
        Self.fail(bench, 2)
        let client = FetchAttemptsTests.request(bench)
        row.happens(bench, client, try bench.origin())
        #expect(Self.verdict(bench) == row.verdict)
        client.reset()
        bench.expectQuiet()
    }

    /// The upstream may wait for what the client owes.
    @Test func whoWaitsForTheClientHasNotFailed() throws {
        let bench = try Self.bench()
        Self.fail(bench, 2)
        let client = bench.client()
        client.request("PUT /raw/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nxxxxx")
        try bench.origin().send(Self.cut)
        bench.advance(by: .seconds(5))
        #expect(client.isClosed)
        #expect(Self.verdict(bench) == .neither)
        bench.expectQuiet()
    }

    @Test func anErrorThatIsCutCountsOnce() throws {
        let bench = try Self.bench()
        Self.fail(bench, 1)
        let client = FetchAttemptsTests.request(bench)
        try bench.origin().send("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nno")
        try bench.origin().reset()
        #expect(Self.upstream(bench).endpoint.breaker.isWell)
        client.reset()
        bench.expectQuiet()
    }

    /// Answers that begin well and are cut are failures in a row.
    @Test func anEndpointWhoseAnswersAreCutRests() throws {
        let bench = try Self.bench(value: "[Int]")
        for _ in 0..<3 {
            let client = FetchAttemptsTests.request(bench)
            try bench.origin().send(Self.cut)
            try bench.origin().reset()
            #expect(client.answers.first?.status == 502)
        }
        #expect(FetchAttemptsTests.request(bench).answers.first?.text.contains("circuit-open") == true)
        #expect(bench.origins.count == 3)
        bench.expectQuiet()
    }

    // MARK: - Trials

    /// The head of an answer does not bring an endpoint back, its end does.
    @Test func aTrialSucceedsWithItsWholeAnswer() throws {
        let bench = try Self.bench()
        Self.fail(bench, 3)
        bench.advance(by: .seconds(2))
        let client = FetchAttemptsTests.request(bench)
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx")
        #expect(Self.upstream(bench).endpoint.breaker.state == .halfOpen)
        try bench.origin().send("y")
        #expect(Self.upstream(bench).endpoint.breaker.state == .closed)
        #expect(client.answers.map(\.text) == ["xy"])
        bench.expectQuiet()
    }

    /// After another rest, another request tries.
    @Test(arguments: [true, false]) func aTrialThatIsGivenUpIsFollowedByAnother(hasHead: Bool) throws {
        let bench = try Self.bench()
        Self.fail(bench, 3)
        bench.advance(by: .seconds(2))
        let client = FetchAttemptsTests.request(bench)
        if hasHead { try bench.origin().send(Self.cut) }
        client.reset()
        #expect(Self.upstream(bench).endpoint.breaker.state == .halfOpen)
        #expect(FetchAttemptsTests.request(bench).answers.map(\.status) == [503])
        bench.advance(by: .seconds(2))
        let other = FetchAttemptsTests.request(bench)
        try bench.origin().answer(200)
        #expect(other.answers.map(\.status) == [200])
        #expect(Self.upstream(bench).endpoint.breaker.isWell)
        bench.expectQuiet()
    }

    // MARK: - Without an end

    /// How a tunnel ends says nothing of the endpoint.
    @Test func aTunnelSucceedsWithItsHead() throws {
        let bench = try ExchangeTunnelTests.bench(Self.breaker)
        Self.fail(bench, 2)
        let (_, origin) = try ExchangeTunnelTests.open(bench)
        origin.reset()
        #expect(Self.verdict(bench) == .succeeded)
        bench.expectQuiet()
    }

    @Test func aCallOfGRPCSucceedsWithItsHead() throws {
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("POST /fruit.Search/**", to: "fruit /fruit.Search/**") { $0.upgrade = .grpc }],
                upstreams: [
                    Build.upstream {
                        $0.httpVersion = .h2c
                        $0.basePath = ""
                        Self.breaker(&$0)
                    }
                ]))
        bench.recordsOrigins = true
        Self.fail(bench, 2)
        let client = HTTP2Client(bench)
        client.send(
            Wire.request(
                1, "POST", "/fruit.Search/Find", [("content-type", "application/grpc"), ("te", "trailers")], end: false)
        )
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200"), ("content-type", "application/grpc")], end: false))
        #expect(Self.verdict(bench) == .succeeded)
    }

    @Test func aStreamThatIsResetBehindItsHeadFails() throws {
        let bench = try HTTP2UpstreamLinkTests.bench(Self.breaker)
        Self.fail(bench, 2)
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200")], end: false), Wire.reset(1))
        #expect(Self.verdict(bench) == .failed)
        client.reset()
        bench.expectQuiet()
    }
}
