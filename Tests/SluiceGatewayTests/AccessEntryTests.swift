import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// What an exchange leaves for the access log.
@Suite struct AccessEntryTests {
    private final class Log {
        var upstreams: [AccessEntry.UpstreamUse?] = []
        var caches: [AccessEntry.CacheUse?] = []
        var received: [Int] = []
        var agents: [String] = []
    }

    private let log = Log()
    private let bench: Bench

    init() throws {
        let stored = try Build.binding("GET /stored", to: "fruit /stored") { $0.cache = CachePolicy() }
        let again = try Build.binding("GET /again", to: "fruit /again") {
            $0.retry = RetryPolicy()
            $0.retry?.attempts = 3
        }
        bench = try Bench(
            Build.configuration([stored, again, try Build.binding("ANY /raw/**", to: "fruit /**")]))
        bench.gateway.accessLog = { [log] entry in
            log.upstreams.append(entry.upstream)
            log.caches.append(entry.cache)
            log.received.append(entry.receivedBytes)
            log.agents.append(
                String(decoding: entry.referer, as: UTF8.self) + "|" + String(decoding: entry.userAgent, as: UTF8.self))
        }
    }

    @Test func anUpstreamIsToldOfWithItsTime() throws {
        let client = bench.client()
        client.request("POST", "/raw/a", type: "text/plain", body: "seven b")
        bench.advance(by: .milliseconds(30))
        try bench.origin().answer(200)
        #expect(log.upstreams == [.init(name: "fruit", attempts: 1, nanoseconds: 30_000_000)])
        #expect(log.caches == [nil] && log.received == [7])
    }

    /// RFC 9110 §9.3.2: an answer to HEAD has no body, wherever it is from.
    @Test(arguments: ["/typed", "/kept", "/streamed", "/nowhere"])
    func anAnswerToHeadHasNoBytes(target: String) throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET|HEAD /typed", to: "fruit /typed", value: "JSON"),
                try Build.binding("GET|HEAD /kept", to: "fruit /kept", value: "JSON") { $0.cache = CachePolicy() },
                try Build.binding("GET|HEAD /streamed", to: "fruit /streamed", value: "JSON") { $0.holdBytes = 2 },
            ]))
        var bytes: [Int] = []
        bench.gateway.accessLog = { bytes.append($0.bytes) }
        for method in ["GET", "HEAD"] {
            let message = try bench.exchange(
                "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n",
                answer: AdminBench.answer("[1, 2, 3]", "Cache-Control: max-age=60"))
            #expect(message.isComplete && message.bodyCount == bytes.last)
        }
        #expect(bytes.first != 0 && bytes.last == 0)
    }

    /// What was answered here has no upstream.
    @Test func whatIsRefusedHasNone() throws {
        try bench.get("/nowhere")
        #expect(log.upstreams == [nil] && log.caches == [nil])
    }

    @Test func aStoredAnswerIsAHit() throws {
        let answer = AdminBench.answer("pear", "Cache-Control: max-age=60")
        try bench.get("/stored", answer: answer)
        try bench.get("/stored")
        #expect(log.upstreams.map { $0?.attempts } == [1, nil])
        #expect(log.caches == [.init(outcome: "uri-miss"), .init(outcome: "hit")])
    }

    /// Whose request it was has made the attempt.
    @Test func whoWaitsForAnotherHasMadeNoAttempt() throws {
        let clients = [bench.client(), bench.client()]
        for client in clients { client.request("GET", "/stored") }
        bench.advance(by: .milliseconds(5))
        try bench.origin().send(AdminBench.answer("pear", "Cache-Control: max-age=60"))
        #expect(log.upstreams.map { $0?.attempts }.sorted { $0 ?? 0 < $1 ?? 0 } == [0, 1])
        #expect(log.upstreams.allSatisfy { $0?.nanoseconds == 5_000_000 })
        #expect(log.caches.map { $0?.isCollapsed }.filter { $0 == true }.count == 1)
    }

    @Test func attemptsAreCountedWithConnectionsThatFail() throws {
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/again")
        try bench.origin().refuse()
        bench.advance(by: .seconds(1))
        try bench.origin().connect()
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.first?.status == 200)
        #expect(log.upstreams.map { $0?.attempts } == [2])
    }

    @Test func fieldsOfTheRequest() throws {
        try bench.get("/raw/a", "User-Agent: curl/8", "Referer: https://a.example/")
        try bench.get("/raw/a")
        #expect(log.agents == ["https://a.example/|curl/8", "|"])
    }
}
