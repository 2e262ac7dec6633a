import SluiceContract
import Testing

@testable import SluiceGateway

/// Retries: when a request is sent once more, and when not (`Fetch+Attempts.swift`).
@Suite struct FetchAttemptsTests {
    static func bench(
        endpoints: Int = 1, retry: RetryPolicy? = RetryPolicy(), tokens: [String: String] = [:],
        _ upstream: (inout Upstream) -> Void = { _ in }, _ edit: (inout Binding) -> Void = { _ in }
    ) throws -> Bench {
        try Bench(
            Build.configuration(
                [
                    try Build.binding("ANY /raw/**", to: "fruit /**") {
                        $0.retry = retry
                        edit(&$0)
                    }
                ],
                upstreams: [
                    Build.upstream {
                        $0.alternates = (1..<endpoints).map { .tcp(host: "fruit\($0).example", port: 80, tls: false) }
                        // Chance has no say where there is enough of it.
                        $0.retryBudget.perSecond = 100
                        upstream(&$0)
                    }
                ]), tokens: tokens)
    }

    static func request(_ bench: Bench, _ method: String = "GET", body: String = "") -> ClientPeer {
        let client = bench.client()
        client.request(
            "\(method) /raw/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return client
    }

    // MARK: - No connection

    /// Nothing was sent: every method may go to another endpoint, without being asked to.
    @Test(arguments: ["GET", "POST", "PATCH"], [RetryPolicy(), nil])
    func aFailedConnectionIsTriedElsewhereAtOnce(method: String, retry: RetryPolicy?) throws {
        let bench = try Self.bench(endpoints: 2, retry: retry)
        bench.connectsAtOnce = false
        let client = Self.request(bench, method, body: "some")
        let first = try bench.origin()
        bench.connectsAtOnce = true
        first.refuse()
        let second = try bench.origin()
        #expect(second !== first)
        #expect(second.endpoint !== first.endpoint)
        #expect(second.requests.first?.text == "some")
        second.answer(200, body: "there")
        #expect(client.answers.first?.text == "there")
        #expect(bench.gateway.counters.retries == 1)
        bench.expectQuiet()
    }

    /// The `Host` field is the endpoint's own (RFC 9110 §7.2).
    @Test func everyEndpointHasItsOwnHost() throws {
        let bench = try Self.bench(endpoints: 3)
        var hosts: Set<String> = []
        for _ in 0..<40 {
            let client = Self.request(bench)
            let origin = try #require(bench.origins.last { $0.requests.last?.isHeadComplete == true })
            hosts.insert(origin.requests.last?["Host"] ?? "")
            for origin in bench.origins { origin.answer(200, "Connection: close") }
            client.reset()
        }
        #expect(hosts == ["fruit.example", "fruit1.example", "fruit2.example"])
    }

    @Test func whereNothingIsSaidTheOnlyEndpointIsTriedOnce() throws {
        let bench = try Self.bench(retry: nil)
        bench.connectsAtOnce = false
        let client = Self.request(bench)
        try bench.origin().refuse()
        #expect(client.answers.first?.status == 502)
        bench.advance(by: .seconds(5))
        #expect(bench.origins.count == 1)
    }

    /// The only endpoint is tried again after a wait, up to the number of attempts.
    @Test func attemptsAreCounted() throws {
        let bench = try Self.bench()
        bench.connectsAtOnce = false
        let client = Self.request(bench)
        for count in 1...3 {
            #expect(bench.origins.count == count)
            #expect(client.answers.isEmpty)
            try bench.origin().refuse()
            bench.advance(by: .seconds(1))
        }
        #expect(bench.origins.count == 3)
        #expect(client.answers.first?.status == 502)
        #expect(client.answers.first?.text.contains("It was tried 3 times.") == true)
        bench.expectQuiet()
    }

    // MARK: - After something was sent

    @Test(arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
    func whatMayBeRepeatedIs(method: String) throws {
        let bench = try Self.bench(endpoints: 2)
        let client = Self.request(bench, method, body: method == "PUT" ? "body" : "")
        let first = try bench.origin()
        first.reset()
        bench.advance(by: .seconds(1))
        let second = try bench.origin()
        #expect(second.endpoint !== first.endpoint)
        #expect(second.requests.first?.startLine == "\(method) /v1/x HTTP/1.1")
        #expect(second.requests.first?.text == (method == "PUT" ? "body" : ""))
        second.answer(200)
        #expect(client.answers.first?.status == 200)
        bench.expectQuiet()
    }

    /// RFC 9110 §9.2.2: who repeats a POST may have something done twice.
    @Test(arguments: ["POST", "PATCH", "LOCK"], [nil, 503])
    func whatMayNotBeRepeatedIsNot(method: String, status: Int?) throws {
        let bench = try Self.bench(endpoints: 2)
        let client = Self.request(bench, method, body: "x")
        if let status { try bench.origin().answer(status) } else { try bench.origin().reset() }
        bench.advance(by: .seconds(5))
        #expect(bench.origins.count == 1)
        #expect(client.answers.first?.status == status ?? 502)
    }

    @Test(arguments: [502, 503, 504])
    func aStatusIsRetried(status: Int) throws {
        let bench = try Self.bench(endpoints: 2)
        let client = Self.request(bench)
        try bench.origin().answer(status, body: "not now")
        #expect(client.answers.isEmpty)
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 2)
        try bench.origin().answer(200, body: "now")
        #expect(client.answers.first?.text == "now")
        // The first connection is in the pool again: its answer was read to the end.
        #expect(!bench.origins[0].isClosed)
        bench.expectQuiet()
    }

    @Test(arguments: [200, 404, 429, 500])
    func otherStatusesAreAnswers(status: Int) throws {
        let bench = try Self.bench(endpoints: 2)
        let client = Self.request(bench)
        try bench.origin().answer(status, body: "so it is")
        #expect(client.answers.first?.status == status)
        #expect(bench.origins.count == 1)
    }

    /// What an upstream says last is what the client gets.
    @Test func theLastAnswerIsTheAnswer() throws {
        let bench = try Self.bench()
        let client = Self.request(bench)
        for count in 1...3 {
            try bench.origin().answer(503, body: "\(count)")
            bench.advance(by: .seconds(1))
        }
        #expect(client.answers.count == 1)
        #expect(client.answers.first?.text == "3")
        bench.expectQuiet()
    }

    @Test func anAnswerThatNeverEndsDoesNotHoldUpTheNext() throws {
        let bench = try Self.bench()
        let client = Self.request(bench)
        try bench.origin().send("HTTP/1.1 503 X\r\nContent-Length: 1000\r\n\r\nsome")
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 2)
        #expect(bench.origins[0].isClosed)
        try bench.origin().answer(200)
        #expect(client.answers.first?.status == 200)
        bench.expectQuiet()
    }

    @Test func silenceIsRetriedWhereItIsAskedFor() throws {
        var retry = RetryPolicy()
        retry.on = [.timeout]
        let bench = try Self.bench(endpoints: 2, retry: retry) { $0.timeout.firstByte = .seconds(2) }
        let client = Self.request(bench)
        bench.advance(by: .seconds(3))
        #expect(bench.origins.count == 2)
        #expect(bench.origins[0].sawReset)
        try bench.origin().answer(200)
        #expect(client.answers.first?.status == 200)
        bench.expectQuiet()
    }

    /// Nothing is repeated once a byte of an answer has been passed on.
    @Test func whatHasBegunToArriveIsCutShort() throws {
        let bench = try Self.bench(endpoints: 2)
        let client = Self.request(bench)
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nsome")
        try bench.origin().reset()
        bench.advance(by: .seconds(5))
        #expect(bench.origins.count == 1)
        #expect(client.answers.first?.isComplete == false)
        #expect(client.isClosed)
        bench.expectQuiet()
    }

    /// A checked answer is held until it is proven, so the client has seen nothing of it.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1,2,", "no HTTP\r\n\r\n"])
    func whatIsHeldIsRetried(sent: String) throws {
        let bench = try Self.bench(endpoints: 2) { _ in
        } _: {
            $0.value = .array(.scalar(.int))
        }
        let client = Self.request(bench)
        try bench.origin().send(sent)
        try bench.origin().reset()
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 2)
        try bench.origin().answer(json: "[7]")
        #expect(client.answers.first?.text == "[7]")
        bench.expectQuiet()
    }

    // MARK: - Bodies

    /// A body that is still on its way is kept as it passes, and goes on where it was.
    @Test(arguments: [true, false])
    func aBodyInTheMiddleGoesOnElsewhere(isChunked: Bool) throws {
        let bench = try Self.bench(endpoints: 2)
        let client = bench.client()
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 10"
        func piece(_ text: String) -> String { isChunked ? "5\r\n\(text)\r\n" : text }
        client.request("PUT /raw/x HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n\(piece("first"))")
        try bench.origin().reset()
        bench.advance(by: .seconds(1))
        client.send(piece("-last") + (isChunked ? "0\r\n\r\n" : ""))
        #expect(bench.origins.count == 2)
        #expect(try bench.origin().requests.first?.text == "first-last")
        #expect(try bench.origin().requests.first?.isComplete == true)
        try bench.origin().answer(200)
        #expect(client.answers.first?.status == 200)
        bench.expectQuiet()
    }

    @Test func aLongBodyIsSentOnce() throws {
        var retry = RetryPolicy()
        retry.bodyBytesMax = 4
        let bench = try Self.bench(endpoints: 2, retry: retry)
        let client = Self.request(bench, "PUT", body: "12345")
        try bench.origin().reset()
        bench.advance(by: .seconds(5))
        #expect(bench.origins.count == 1)
        #expect(client.answers.first?.status == 502)
        bench.expectQuiet()
    }

    // MARK: - Bounds

    /// Where the only endpoint asks for patience, it gets it (RFC 9110 §10.2.3).
    @Test func retryAfterIsWaitedFor() throws {
        let bench = try Self.bench()
        let client = Self.request(bench)
        try bench.origin().answer(503, "Retry-After: 7")
        bench.advance(by: .milliseconds(6_900))
        #expect(try bench.origin().requests.count == 1)
        bench.advance(by: .milliseconds(200))
        #expect(try bench.origin().requests.count == 2)
        try bench.origin().answer(200)
        #expect(client.answers.first?.status == 200)
    }

    /// No attempt begins that could not end in time.
    @Test func whatWouldBeTooLateIsNotTried() throws {
        let bench = try Self.bench { $0.timeout.total = .seconds(5) }
        let client = Self.request(bench)
        try bench.origin().answer(503, "Retry-After: 7", body: "later")
        #expect(client.answers.first?.text == "later")
        bench.expectQuiet()
    }

    @Test func aClientThatLeavesEndsTheWait() throws {
        let bench = try Self.bench()
        let client = Self.request(bench)
        try bench.origin().answer(503, "Retry-After: 2")
        client.reset()
        bench.advance(by: .seconds(5))
        #expect(try bench.origin().requests.count == 1)
        bench.expectQuiet()
    }

    @Test func theBudgetIsAShareOfTheTraffic() throws {
        let bench = try Self.bench {
            $0.retryBudget.perSecond = 0
            $0.retryBudget.sharePercent = 20
        }
        for _ in 0..<50 {
            let client = Self.request(bench)
            while client.answers.isEmpty {
                bench.origins.last { $0.requests.last?.isHeadComplete == true && !$0.isClosed }?.answer(503)
                bench.advance(by: .milliseconds(200))
            }
            client.reset()
        }
        #expect(bench.gateway.counters.retries == 10)
    }

    // MARK: - The breaker

    @Test func whereEveryEndpointRestsTheAnswerComesAtOnce() throws {
        let bench = try Self.bench(retry: nil) {
            $0.breaker = BreakerPolicy()
            $0.breaker?.failures = 3
            $0.breaker?.rest = .seconds(2)
        }
        for _ in 0..<3 {
            _ = Self.request(bench)
            try bench.origin().reset()
        }
        let refused = Self.request(bench)
        #expect(bench.origins.count == 3)
        #expect(refused.answers.first?.status == 503)
        #expect(refused.answers.first?["Retry-After"] == "2")
        #expect(refused.answers.first?.text.contains("circuit-open") == true)
        // One tries, the others are still refused; its success lets all of them in.
        bench.advance(by: .seconds(2))
        let trial = Self.request(bench)
        #expect(bench.origins.count == 4)
        #expect(Self.request(bench).answers.first?.status == 503)
        try bench.origin().answer(200)
        #expect(trial.answers.first?.status == 200)
        _ = Self.request(bench)
        #expect(try bench.origin().requests.count == 2)
    }

    /// Without `breaker:` the only endpoint is asked, whatever it has answered.
    @Test func theOnlyEndpointNeverRests() throws {
        let bench = try Self.bench(retry: nil)
        for count in 1...30 {
            _ = Self.request(bench)
            #expect(bench.origins.count == count)
            try bench.origin().reset()
        }
    }
}
