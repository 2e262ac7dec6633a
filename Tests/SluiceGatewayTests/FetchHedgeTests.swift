import SluiceContract
import Testing

@testable import SluiceGateway

/// Two attempts beside each other (`HedgedRequest.swift`).
@Suite struct FetchHedgeTests {
    private static func bench(
        _ hedge: HedgePolicy = .after(.milliseconds(50)), endpoints: Int = 2, retry: RetryPolicy? = .off,
        _ upstream: (inout Upstream) -> Void = { _ in }
    ) throws -> Bench {
        try FetchAttemptsTests.bench(endpoints: endpoints, retry: retry, upstream) { $0.hedge = hedge }
    }

    /// A client whose request is with two endpoints.
    private static func hedged(_ bench: Bench) throws -> (client: ClientPeer, first: OriginPeer, second: OriginPeer) {
        let client = FetchAttemptsTests.request(bench)
        let (first, second) = try bench.hedged()
        #expect(first.endpoint !== second.endpoint)
        #expect(first.requests.first?.startLine == second.requests.first?.startLine)
        return (client, first, second)
    }

    @Test(arguments: [true, false])
    func theFirstAnswerWins(isSecond: Bool) throws {
        let bench = try Self.bench()
        let (client, first, second) = try Self.hedged(bench)
        (isSecond ? second : first).answer(200, body: "mine")
        #expect(client.answers.map(\.text) == ["mine"])
        #expect((isSecond ? first : second).sawReset)
        #expect((isSecond ? first : second).isClosed)
        #expect(bench.gateway.counters.retries == 1)
        bench.expectQuiet()
    }

    /// What is no good leaves the field to the other.
    @Test(arguments: [true, false], [nil, 500, 503])
    func aFailureDoesNotWin(isSecond: Bool, status: Int?) throws {
        let bench = try Self.bench()
        let (client, first, second) = try Self.hedged(bench)
        let (loser, winner) = isSecond ? (second, first) : (first, second)
        if let status { loser.answer(status) } else { loser.reset() }
        #expect(client.answers.isEmpty)
        winner.answer(200, body: "good")
        #expect(client.answers.map(\.text) == ["good"])
        bench.expectQuiet()
    }

    private static func typed(_ hold: Int = 1 << 20) throws -> Bench {
        let value = try Build.type("[String]")
        return try FetchAttemptsTests.bench(
            endpoints: 2, retry: .off, { _ in },
            {
                $0.hedge = .after(.milliseconds(50))
                $0.value = value
                $0.holdBytes = hold
            })
    }

    /// What has drifted from its type does not win, however early it is.
    @Test(arguments: [true, false], ["[1]", "[\"a\"", "{}", "["])
    func whatIsNotProvenDoesNotWin(isSecond: Bool, bad: String) throws {
        let bench = try Self.typed()
        let (client, first, second) = try Self.hedged(bench)
        let (loser, winner) = isSecond ? (second, first) : (first, second)
        loser.answer(json: bad)
        #expect(client.answers.isEmpty)
        #expect(!winner.isClosed)
        winner.answer(json: "[\"good\"]")
        #expect(client.answers.map(\.text) == ["[\"good\"]"])
        bench.expectQuiet()
    }

    /// Until one of them is whole both may arrive; the first that is proven is the answer.
    @Test(arguments: [true, false])
    func theFirstThatIsProvenWins(isSecond: Bool) throws {
        let bench = try Self.typed()
        let (client, first, second) = try Self.hedged(bench)
        let (loser, winner) = isSecond ? (first, second) : (second, first)
        loser.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[\"slow\",")
        winner.answer(json: "[\"good\"]")
        #expect(client.answers.map(\.text) == ["[\"good\"]"])
        #expect(loser.isClosed)
        bench.expectQuiet()
    }

    /// The same upstream's answers are stored by another binding.
    private static func besideCache() throws -> Bench {
        let other = try Build.binding("GET /other", to: "fruit /other") { $0.cache = CachePolicy() }
        let typed = try Build.binding("ANY /raw/**", to: "fruit /**", value: "[String]") {
            $0.retry = .off
            $0.hedge = .after(.milliseconds(50))
        }
        return try Bench(
            Build.configuration(
                [other, typed],
                upstreams: [
                    Build.upstream { $0.alternates = [.tcp(host: "fruit1.example", port: 80, tls: false)] }
                ]))
    }

    /// What is stored of the same upstream is nothing to a request that only reads.
    @Test(arguments: [true, false])
    func besideACacheTheFirstThatIsProvenWins(isSecond: Bool) throws {
        let bench = try Self.besideCache()
        let (client, first, second) = try Self.hedged(bench)
        let (loser, winner) = isSecond ? (first, second) : (second, first)
        loser.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[\"slow\",")
        #expect(!winner.isClosed)
        winner.answer(json: "[\"good\"]")
        #expect(client.answers.map(\.text) == ["[\"good\"]"])
        #expect(loser.isClosed)
        bench.expectQuiet()
    }

    /// The head of the answer to a change says what is stale now, which only one of the two may.
    @Test func aChangeIsDecidedByTheHead() throws {
        let bench = try Self.besideCache()
        let client = FetchAttemptsTests.request(bench, "DELETE")
        let (first, second) = try bench.hedged()
        first.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n[\"slow")
        #expect(second.isClosed)
        first.send("\"]")
        #expect(client.answers.map(\.text) == ["[\"slow\"]"])
        bench.expectQuiet()
    }

    /// The next question is conditional on the answer that was used, whichever head came last.
    @Test(arguments: [true, false]) func aPollHasTheValidatorsOfItsAnswer(rivalFails: Bool) throws {
        let bench = try WatchBench { $0.hedge = .after(.milliseconds(50)) }
        let client = bench.watch()
        let (first, second) = try bench.bench.hedged()
        first.send("HTTP/1.1 200 OK\r\nETag: \"first\"\r\nContent-Length: 3\r\n\r\n[1")
        second.send("HTTP/1.1 200 OK\r\nETag: \"second\"\r\nContent-Length: 3\r\n\r\n[2")
        if rivalFails { second.reset() }
        first.send("]")
        bench.deliver()
        #expect(second.isClosed)
        #expect(bench.texts(client).last == "data [1]")
        bench.advanceToQuestion()
        #expect(first.requests.map { $0["If-None-Match"] } == [nil, "\"first\""])
        bench.expectQuiet()
    }

    /// Past `hold:` it goes out, and there is no way back.
    @Test func whatStreamsHasWon() throws {
        let bench = try Self.typed(10)
        let (client, first, second) = try Self.hedged(bench)
        first.send("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n[\"0123456789\",\"0123456789\",")
        #expect(second.isClosed)
        first.send("1,          ]")
        #expect(client.answers.map(\.isComplete) == [false])
        client.reset()
        bench.expectQuiet()
    }

    @Test func whereBothHaveDriftedTheLastOneIsTheProblem() throws {
        let bench = try Self.typed()
        let (client, first, second) = try Self.hedged(bench)
        first.answer(json: "[1]")
        second.answer(json: "[2]")
        #expect(client.answers.map(\.status) == [502])
        bench.expectQuiet()
    }

    @Test func whereBothFailTheLastOneIsTheAnswer() throws {
        let bench = try Self.bench()
        let (client, first, second) = try Self.hedged(bench)
        first.reset()
        second.answer(500, body: "both")
        #expect(client.answers.map(\.text) == ["both"])
        bench.expectQuiet()
    }

    @Test func aFailureAfterAFailureIsRetried() throws {
        let bench = try Self.bench(retry: RetryPolicy())
        let (client, first, second) = try Self.hedged(bench)
        first.reset()
        second.reset()
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 3)
        try bench.origin().answer(200)
        #expect(client.answers.map(\.status) == [200])
        bench.expectQuiet()
    }

    @Test func whoLeavesEndsBoth() throws {
        let bench = try Self.bench()
        let (client, first, second) = try Self.hedged(bench)
        client.reset()
        #expect(first.isClosed)
        #expect(second.isClosed)
        bench.expectQuiet()
    }

    @Test func bothEndInTime() throws {
        let bench = try Self.bench { $0.timeout.total = .seconds(3) }
        let (client, first, second) = try Self.hedged(bench)
        bench.advance(by: .seconds(4))
        #expect(client.answers.map(\.status) == [504])
        #expect(first.isClosed)
        #expect(second.isClosed)
        bench.expectQuiet()
    }

    @Test func aQuickAnswerIsNotHedged() throws {
        let bench = try Self.bench()
        let client = FetchAttemptsTests.request(bench)
        try bench.origin().answer(200)
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 1)
        #expect(client.answers.count == 1)
        bench.expectQuiet()
    }

    /// The body of the first answer may take as long as it likes once its head is here.
    @Test func aHeadIsAnAnswer() throws {
        let bench = try Self.bench()
        _ = FetchAttemptsTests.request(bench)
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 1)
    }

    @Test func whatMayNotBeRepeatedIsNotHedged() throws {
        let bench = try Self.bench()
        _ = FetchAttemptsTests.request(bench, "POST", body: "x")
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 1)
    }

    @Test func theBudgetBoundsHedges() throws {
        let bench = try Self.bench {
            $0.retryBudget.perSecond = 0
            $0.retryBudget.sharePercent = 0
        }
        _ = FetchAttemptsTests.request(bench)
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 1)
    }

    @Test func theOnlyEndpointIsAskedTwice() throws {
        let bench = try Self.bench(endpoints: 1)
        let client = FetchAttemptsTests.request(bench)
        bench.advance(by: .milliseconds(60))
        #expect(bench.origins.count == 2)
        try bench.origin().answer(200)
        #expect(client.answers.count == 1)
        bench.expectQuiet()
    }

    private static func learned(_ bench: Bench, _ answers: Int, taking milliseconds: Int) throws {
        for _ in 0..<answers {
            let client = FetchAttemptsTests.request(bench)
            let origin = try #require(bench.origins.last { !$0.isClosed && $0.requests.last?.isHeadComplete == true })
            bench.advance(by: .milliseconds(milliseconds))
            origin.answer(200, "Connection: close")
            #expect(client.answers.count == 1)
            client.reset()
        }
    }

    /// Where half of all answers take longer than what is left of the time, a second request would come to nothing.
    @Test(arguments: [(150, 0), (400, 1)]) func whatCannotBeAnsweredInTimeIsNotHedged(total: Int, hedges: Int) throws {
        let bench = try Self.bench(.percentile(90)) { $0.timeout.total = .milliseconds(total) }
        try Self.learned(bench, 30, taking: 100)
        let before = bench.origins.count
        _ = FetchAttemptsTests.request(bench)
        bench.advance(by: .milliseconds(140))
        #expect(bench.origins.count == before + 1 + hedges)
    }

    /// A percentile is known once there are enough answers.
    @Test func aPercentileIsLearned() throws {
        let bench = try Self.bench(.percentile(90))
        try Self.learned(bench, 30, taking: 10)
        let before = bench.origins.count
        _ = FetchAttemptsTests.request(bench)
        bench.advance(by: .milliseconds(9))
        #expect(bench.origins.count == before + 1)
        bench.advance(by: .milliseconds(5))
        #expect(bench.origins.count == before + 2)
    }
}
