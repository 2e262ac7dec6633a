import SluiceContract
import Testing

@testable import SluiceGateway

/// Rates, pauses and requests in flight, through the corridor.
@Suite struct ExchangeAdmitTests {
    private static func bench(
        _ binding: (inout Binding) -> Void = { _ in }, upstream: (inout Upstream) -> Void = { _ in },
        token: String? = nil, _ edit: (inout Configuration) -> Void = { _ in }
    ) throws -> Bench {
        try Bench(
            Build.configuration(
                [
                    try Build.binding("ANY /raw/**", to: "fruit /**", binding),
                    try Build.binding("GET /other", to: "fruit /other"),
                ], upstreams: [Build.upstream("fruit", upstream)], edit),
            tokens: token.map { ["fruit": $0] } ?? [:])
    }

    // MARK: - Rates

    /// RFC 6585 §4; draft-ietf-httpapi-ratelimit-headers §3, §4.
    @Test func aBindingsRate() throws {
        let bench = try Self.bench { $0.rate = RateLimit(2, per: .seconds(10)) }
        let first = try bench.get("/raw/a")
        #expect(first.status == 200)
        #expect(first.values("RateLimit-Policy") == [#""binding";q=2;w=10"#])
        #expect(first.values("RateLimit") == [#""binding";r=1;t=5"#])
        try bench.get("/raw/a")
        let refused = try bench.get("/raw/a")
        #expect(refused.status == 429)
        #expect(refused["Retry-After"] == "5")
        #expect(refused.values("RateLimit") == [#""binding";r=0;t=5"#])
        #expect(refused.text.contains("rate-limited"))
        #expect(try bench.get("/other").status == 200)
        bench.advance(by: .seconds(5))
        #expect(try bench.get("/raw/a").status == 200)
    }

    /// The upstream's own fields stay; ours stand beside them (draft-ietf-httpapi-ratelimit-headers §5).
    @Test func fieldsOfTheUpstreamStay() throws {
        let bench = try Self.bench { $0.rate = RateLimit(2, per: .seconds(10)) }
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nRateLimit: \"theirs\";r=9;t=1\r\n\r\n"
        #expect(
            try bench.get("/raw/a", answer: answer).values("RateLimit") == [
                #""theirs";r=9;t=1"#, #""binding";r=1;t=5"#,
            ])
    }

    @Test func anUpstreamsRateIsThatOfAllItsBindings() throws {
        let bench = try Self.bench(upstream: { $0.rate = RateLimit(1, per: .seconds(1)) })
        #expect(try bench.get("/raw/a").status == 200)
        let refused = try bench.get("/other")
        #expect(refused.status == 429)
        #expect(refused.values("RateLimit-Policy") == [#""upstream";q=1;w=1"#])
        #expect(bench.origins.flatMap(\.requests).count == 1)
    }

    /// What never reaches the upstream costs none of its tokens.
    @Test func badParametersCostNoToken() throws {
        let bench = try Self.bench(upstream: { $0.rate = RateLimit(1, per: .seconds(1)) })
        #expect(try bench.get("/other?unknown=1").status == 400)
        #expect(try bench.get("/other").status == 200)
    }

    @Test func everyAddressHasItsOwnRate() throws {
        let bench = try Self.bench { _ in
        } _: {
            $0.clientRate = RateLimit(1, per: .seconds(1))
        }
        func status(_ client: ClientPeer) -> Int? {
            client.request("GET", "/raw/a")
            bench.origins.last { !$0.isClosed && $0.requests.count > $0.reader.messages.count - 1 }?.answer(200)
            return client.answers.last?.status
        }
        let one = bench.client(address: "127.0.0.1")
        #expect(status(one) == 200)
        #expect(status(one) == 429)
        #expect(status(bench.client(address: "127.0.0.1")) == 429)
        #expect(status(bench.client(address: "127.0.0.2")) == 200)
        let user = PeerCredentials(user: 7, group: 7)
        #expect(status(bench.client(address: "", credentials: user)) == 200)
        #expect(status(bench.client(address: "", credentials: user)) == 429)
    }

    /// A reload that leaves a limit as it was does not fill its bucket.
    @Test func countsSurviveAReload() throws {
        let bench = try Self.bench { $0.rate = RateLimit(1, per: .seconds(10)) }
        #expect(try bench.get("/raw/a").status == 200)
        let table = bench.gateway.generation.table
        bench.replace(try RouteTable(table.configuration, after: table))
        #expect(try bench.get("/raw/a").status == 429)
        var configuration = table.configuration
        configuration.bindings[0].rate = RateLimit(2, per: .seconds(10))
        bench.replace(try RouteTable(configuration, after: table))
        #expect(try bench.get("/raw/a").status == 200)
    }

    // MARK: - Pauses

    /// RFC 9110 §10.2.3: until then nothing like it is sent there; what the other bindings ask for is another matter.
    @Test(arguments: [(429, 429), (503, 503), (403, 429)])
    func retryAfterIsObeyed(status: Int, meanwhile: Int) throws {
        let bench = try Self.bench()
        let first = try bench.get(
            "/raw/a", answer: "HTTP/1.1 \(status) X\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n")
        #expect(first.status == status)
        bench.advance(by: .seconds(1))
        let refused = try bench.get("/raw/b")
        #expect(refused.status == meanwhile)
        #expect(refused["Retry-After"] == "2")
        #expect(refused.text.contains("upstream-paused"))
        #expect(bench.origins.flatMap(\.requests).count == 1)
        #expect(try bench.get("/other").status == 200)
        bench.advance(by: .seconds(2))
        #expect(try bench.get("/raw/b").status == 200)
    }

    @Test func anEmptyQuotaIsObeyed() throws {
        let bench = try Self.bench()
        try bench.get(
            "/raw/a",
            answer: "HTTP/1.1 200 OK\r\nRateLimit: \"day\";r=5;t=9, \"hour\";r=0;t=4\r\nContent-Length: 0\r\n\r\n")
        let refused = try bench.get("/raw/a")
        #expect(refused.status == 429)
        #expect(refused["Retry-After"] == "4")
        #expect(try bench.get("/other").status == 200)
        bench.advance(by: .seconds(4))
        #expect(try bench.get("/raw/a").status == 200)
    }

    /// A reload forgets no pause.
    @Test func aPauseOutlastsAReload() throws {
        let bench = try Self.bench()
        try bench.get("/raw/a", answer: "HTTP/1.1 503 X\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n")
        let table = bench.gateway.generation.table
        bench.replace(try RouteTable(table.configuration, after: table))
        #expect(try bench.get("/raw/a")["Retry-After"] == "3")
    }

    @Test func aPauseHasItsLimit() throws {
        let long = "HTTP/1.1 503 X\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n"
        let bench = try Self.bench(upstream: { $0.pauseMax = .seconds(5) })
        try bench.get("/raw/a", answer: long)
        #expect(try bench.get("/raw/a")["Retry-After"] == "5")
        let deaf = try Self.bench(upstream: { $0.pauseMax = .zero })
        try deaf.get("/raw/a", answer: long)
        #expect(try deaf.get("/raw/a").status == 200)
    }

    /// A quota of the client's own credentials holds nobody else back, unless it was spent on a token of ours.
    @Test(
        arguments: [
            ("Authorization: Bearer mine", 429, nil, false), ("Cookie: session=mine", 403, nil, false),
            ("X-API-Key: mine", 429, nil, false), ("X-API-Key: mine", 503, nil, true),
            ("X-Other: mine", 429, nil, true),
            ("Authorization: Bearer mine", 429, "ours", true), ("Cookie: session=mine", 429, "ours", true),
        ] as [(String, Int, String?, Bool)])
    func anothersQuotaIsNotOurs(field: String, status: Int, token: String?, isPaused: Bool) throws {
        let bench = try Self.bench(upstream: { if token != nil { $0.bearer = .value("x") } }, token: token)
        try bench.get(
            "/raw/a", field, answer: "HTTP/1.1 \(status) X\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n")
        #expect((try bench.get("/raw/a").status == 200) == !isPaused)
    }

    // MARK: - In flight

    private static func limited(_ concurrency: ConcurrencyLimit) throws -> Bench {
        try bench { $0.concurrency = concurrency }
    }

    @Test func theQueueIsServedInOrder() throws {
        let bench = try Self.limited(ConcurrencyLimit(1, queue: 2))
        let clients = (0..<4).map { _ in bench.client() }
        for (index, client) in clients.enumerated() { client.request("GET", "/raw/\(index)") }
        #expect(clients[3].answers.first?.status == 503)
        #expect(clients[3].answers.first?["Retry-After"] == "1")
        let origin = try bench.origin()
        for _ in 0..<3 { origin.answer(200) }
        #expect(origin.requests.map(\.startLine) == (0..<3).map { "GET /v1/\($0) HTTP/1.1" })
        #expect(clients.prefix(3).allSatisfy { $0.answers.first?.status == 200 })
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    @Test func aWaitHasItsEnd() throws {
        let bench = try Self.limited(ConcurrencyLimit(1, queue: 1, wait: .milliseconds(200)))
        bench.client().request("GET", "/raw/a")
        let late = bench.client()
        late.request("GET", "/raw/b")
        bench.advance(by: .milliseconds(199))
        #expect(late.answers.isEmpty)
        bench.advance(by: .milliseconds(3))
        #expect(late.answers.first?.status == 503)
        try bench.origin().answer(200)
        #expect(try bench.get("/raw/c").status == 200)
    }

    /// A client that leaves gives up its place, in the queue and in flight.
    @Test(arguments: [true, false])
    func aClientLeaves(byReset: Bool) throws {
        let bench = try Self.limited(ConcurrencyLimit(1, queue: 2))
        let clients = (0..<3).map { _ in bench.client() }
        for (index, client) in clients.enumerated() { client.request("GET", "/raw/\(index)") }
        func leave(_ client: ClientPeer) { if byReset { client.reset() } else { client.endInput() } }
        leave(clients[1])
        leave(clients[0])
        #expect(try bench.forwarded().startLine == "GET /v1/2 HTTP/1.1")
        try bench.origin().answer(200)
        #expect(clients[2].answers.first?.status == 200)
        bench.expectQuiet()
    }

    /// The body of a request that waits waits with it.
    @Test func aBodyWaitsToo() throws {
        let bench = try Self.limited(ConcurrencyLimit(1))
        bench.client().request("GET", "/raw/a")
        let client = bench.client()
        client.request("POST", "/raw/b", type: "text/plain", body: "hello")
        try bench.origin().answer(200)
        #expect(try bench.forwarded().text == "hello")
        try bench.origin().answer(200)
        #expect(client.answers.first?.status == 200)
        bench.expectQuiet()
    }

    /// What passes the cache by asks for room like anything else: a nominated field is not in the key.
    @Test(arguments: [true, false])
    func whatPassesTheCacheBy(isQueued: Bool) throws {
        let bench = try Self.bench(
            { $0.cache = CachePolicy() },
            upstream: { $0.concurrency = ConcurrencyLimit(1, queue: isQueued ? 1 : 0) })
        let clients = (0..<2).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/a", "Connection: x-a", "X-A: 1") }
        #expect(bench.origins.flatMap(\.requests).count == 1)
        #expect(clients[1].answers.first?.status == (isQueued ? nil : 503))
        try bench.origin().answer(200)
        if isQueued { try bench.origin().answer(200) }
        #expect(clients.map { $0.answers.first?.status } == [200, isQueued ? 200 : 503])
        #expect(bench.gateway.generation.upstreams[0].meter.gate?.inFlight == 0)
        bench.expectQuiet()
    }

    @Test func whatPassesTheCacheByTakesATokenOfTheRate() throws {
        let bench = try Self.bench(
            { $0.cache = CachePolicy() }, upstream: { $0.rate = RateLimit(1, per: .seconds(1)) })
        let statuses = try (0..<2).map { _ in try bench.get("/raw/a", "Connection: x-a", "X-A: 1").status }
        #expect(statuses == [200, 429])
    }

    /// Both limits hold, and a place at the binding is given back where the upstream has none.
    @Test func bindingAndUpstream() throws {
        let bench = try Self.bench(
            { $0.concurrency = ConcurrencyLimit(2) },
            upstream: { $0.concurrency = ConcurrencyLimit(1, queue: 0) })
        let clients = (0..<3).map { _ in bench.client() }
        for (client, target) in zip(clients, ["/raw/a", "/raw/b", "/other"]) { client.request("GET", target) }
        #expect(clients.map { $0.answers.first?.status } == [nil, 503, 503])
        #expect(bench.gateway.generation.table.routes[0].meter?.gate?.inFlight == 1)
        try bench.origin().answer(200)
        #expect(try bench.get("/other").status == 200)
        #expect(bench.gateway.generation.upstreams[0].meter.gate?.inFlight == 0)
    }

    /// A failure gives its place back like an answer.
    @Test func failuresLeave() throws {
        let bench = try Self.limited(ConcurrencyLimit(1))
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().refuse()
        #expect(client.answers.first?.status == 502)
        #expect(bench.gateway.generation.table.routes[0].meter?.gate?.inFlight == 0)
    }
}
