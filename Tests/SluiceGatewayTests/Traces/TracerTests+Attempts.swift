import SluiceContract
import Testing

@testable import SluiceGateway

/// Attempts and what leads from one to the next.
extension TracerTests {
    private static func retrying(endpoints: Int = 1, _ edit: (inout Binding) -> Void = { _ in }) throws -> TraceBench {
        try TraceBench(
            [
                try Build.binding("ANY /raw/**", to: "fruit /**") {
                    $0.retry = RetryPolicy()
                    edit(&$0)
                }
            ],
            upstreams: [
                Build.upstream {
                    $0.alternates = (1..<endpoints).map { .tcp(host: "fruit\($0).example", port: 80, tls: false) }
                    $0.retryBudget.perSecond = 100
                }
            ])
    }

    @Test func everyAttemptHasASpan() throws {
        let traced = try Self.retrying()
        let client = traced.bench.client()
        client.request("GET", "/raw/x")
        try traced.bench.origin().answer(503)
        let first = try traced.sentParent()
        traced.bench.advance(by: .seconds(1))
        try traced.bench.origin().answer(200, body: "ok")
        let second = try traced.sentParent()
        #expect(client.answers.map(\.status) == [200])
        #expect(traced.attempts.map { "\($0.id)" } == [first[2], second[2]])
        #expect(traced.attempts.map { $0["http.response.status_code"] } == ["503", "200"])
        #expect(traced.attempts.map { $0["http.request.resend_count"] } == [nil, "1"])
        #expect(traced.attempts.map { $0["sluice.attempt.cause"] } == ["first", "retry"])
        let events = try #require(traced.server?.shownEvents)
        #expect(events.count == 1 && events[0].hasPrefix("sluice.retry sluice.retry.cause=503 sluice.retry.delay_ms="))
        #expect(traced.server?.status == .unset)
        traced.bench.expectQuiet()
    }

    @Test func aConnectionThatFailsIsAnAttempt() throws {
        let traced = try TraceBench([try Build.binding("GET /a", to: "fruit /a")])
        traced.bench.connectsAtOnce = false
        let client = traced.bench.client()
        client.request("GET", "/a")
        traced.bench.advance(by: .milliseconds(5))
        try traced.bench.origin().refuse()
        #expect(client.answers.map(\.status) == [502])
        let attempt = try #require(traced.attempts.first)
        #expect(traced.attempts.count == 1)
        #expect(attempt["error.type"] == "connect" && attempt["http.response.status_code"] == nil)
        #expect(attempt.id.isValid && attempt.endedAt - attempt.startedAt == 5_000_000)
        #expect(traced.server?["error.type"] == "connection-refused" && traced.server?.status == .error)
        #expect(traced.server?["sluice.problem"] == "connection-refused")
    }

    /// Of two beside each other, one wins, and each has its own parent to tell the upstream.
    @Test func hedgesAreToldApart() throws {
        let traced = try Self.retrying(endpoints: 2) { $0.hedge = .after(.milliseconds(50)) }
        let client = traced.bench.client()
        client.request("GET", "/raw/x")
        let first = try traced.bench.origin()
        traced.bench.advance(by: .milliseconds(60))
        let second = try traced.bench.origin()
        second.answer(200, body: "ok")
        #expect(client.answers.map(\.status) == [200])
        let sent = [first, second].map { $0.requests.first?["traceparent"]?.split(separator: "-")[2] }
        #expect(sent[0] != sent[1])
        let causes = traced.attempts.map {
            [$0["sluice.attempt.cause"], $0["sluice.attempt.outcome"], $0["error.type"]]
        }
        #expect(causes == [["first", "abandoned", nil], ["hedge", "answered", nil]])
        #expect(traced.attempts.map { "\($0.id)" } == sent.map { $0.map(String.init) })
        #expect(traced.server?.shownEvents == ["sluice.hedge"])
        traced.bench.expectQuiet()
    }

    @Test func aReplayIsAnAttempt() throws {
        let traced = try TraceBench([try Build.binding("GET /a", to: "fruit /a")])
        try traced.bench.get("/a")
        let client = traced.bench.client()
        client.request("GET", "/a")
        try traced.bench.origin().reset()
        try traced.bench.origin().answer(200)
        #expect(client.answers.map(\.status) == [200])
        #expect(traced.attempts.map { $0["sluice.attempt.cause"] } == ["first", "first", "replay"])
        #expect(traced.attempts.map { $0["sluice.attempt.outcome"] } == ["answered", "lost", "answered"])
    }

    @Test func driftIsAnEvent() throws {
        let type = try Build.type("[Int]")
        let traced = try TraceBench([try Build.binding("GET /a", to: "fruit /a") { $0.value = type }])
        let client = traced.bench.client()
        client.request("GET", "/a")
        try traced.bench.origin().answer(json: "[1,\"a\"]")
        #expect(client.answers.map(\.status) == [502])
        #expect(
            traced.server?.shownEvents == [
                "sluice.type_fault sluice.type_fault.path=$[1] sluice.type_fault.expected=Int "
                    + "sluice.type_fault.found=string \"a\""
            ])
        #expect(traced.server?["error.type"] == "type-mismatch")
        #expect(traced.attempts.first?.status == .unset)
    }

    // MARK: - The cache

    private static func caching(_ policy: CachePolicy = CachePolicy()) throws -> TraceBench {
        try TraceBench([try Build.binding("GET /a", to: "fruit /a") { $0.cache = policy }])
    }

    private static let fresh =
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1\r\n\r\n1"

    /// Whoever began the fill has its attempts; who waits for it, or finds it stored, has none.
    @Test func aFillBelongsToWhoBeganIt() throws {
        let traced = try Self.caching()
        let clients = [traced.bench.client(), traced.bench.client()]
        for client in clients { client.request("GET", "/a") }
        try traced.bench.origin().send(Self.fresh)
        #expect(clients.flatMap { $0.answers.map(\.status) } == [200, 200])
        try traced.bench.get("/a")
        let servers = traced.spans.filter { $0.kind == .server }
        #expect(servers.map { $0["sluice.cache.outcome"] } == ["uri-miss", "uri-miss", "hit"])
        #expect(servers.map { $0["sluice.cache.collapsed"] } == [nil, "true", nil])
        #expect(servers.map(\.shownEvents).first == ["sluice.cache sluice.cache.outcome=uri-miss"])
        #expect(traced.attempts.map(\.parent) == [servers[0].id])
        traced.bench.expectQuiet()
    }

    /// It is answered at once, and the attempt that follows is told when it is over.
    @Test func anAttemptMayEndLater() throws {
        var policy = CachePolicy()
        policy.staleWhileRevalidate = .seconds(100)
        let traced = try Self.caching(policy)
        try traced.bench.get("/a", answer: Self.fresh)
        traced.bench.advance(by: .seconds(70))
        let client = traced.bench.client()
        client.request("GET", "/a")
        #expect(client.answers.map(\.text) == ["1"])
        #expect(traced.spans.count == 3)
        let server = try #require(traced.server)
        traced.bench.advance(by: .milliseconds(30))
        try traced.bench.origin().send(Self.fresh)
        #expect(traced.spans.count == 4)
        #expect(traced.attempts.last?.parent == server.id)
        #expect(traced.attempts.last.map { $0.endedAt - server.endedAt } == 30_000_000)
        traced.bench.expectQuiet()
    }

    /// Nobody has seen an answer, and nothing has failed.
    @Test func aClientThatLeavesIsNoError() throws {
        let traced = try TraceBench([try Build.binding("GET /a", to: "fruit /a")])
        let client = traced.bench.client()
        client.request("GET", "/a")
        client.reset()
        #expect(traced.server?["http.response.status_code"] == nil)
        #expect(traced.server?.status == .unset)
        #expect(traced.attempts.map { $0["sluice.attempt.outcome"] } == ["abandoned"])
    }

    /// Each stream is a request, and the version is told.
    @Test func streamsAreTraced() throws {
        let traced = try TraceBench([try Build.binding("GET /a", to: "fruit /a")])
        let client = HTTP2Client(traced.bench)
        client.get(1, "/a", [("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")])
        try traced.bench.origin().answer(200)
        #expect(traced.server?["network.protocol.version"] == "2")
        #expect(traced.server.map { "\($0.trace)" } == "0af7651916cd43dd8448eb211c80319c")
    }
}
