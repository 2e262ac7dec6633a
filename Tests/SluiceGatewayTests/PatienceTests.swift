import SluiceContract
import Testing

@testable import SluiceGateway

/// `serve: loading`: who waits no longer than `patience:`, and finds the answer later.
@Suite struct PatienceTests {
    private static func bench(
        _ edit: (inout Binding) throws -> Void = { _ in }, limits: (inout Limits) -> Void = { _ in }
    ) throws -> Bench {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "Int") {
            $0.parameters = [try Build.parameter("x", "Int?")]
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
            $0.serve = [.fresh, .stale, .loading, .default, .error]
            try edit(&$0)
        }
        var configuration = Build.configuration([binding])
        limits(&configuration.limits)
        return try Bench(configuration)
    }

    private static func ask(_ bench: Bench, _ fields: String..., for target: String = "/a?x=3") -> ClientPeer {
        let client = bench.client()
        client.request(
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        return client
    }

    @Test func theClientIsToldToAskAgain() throws {
        let bench = try Self.bench()
        let client = Self.ask(bench)
        bench.advance(by: .milliseconds(299))
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(2))
        let answer = try #require(client.answers.first)
        #expect(answer.status == 202 && answer.isComplete)
        #expect(answer["Retry-After"] == "1" && answer["Location"] == "/a?x=3")
        #expect(answer["Cache-Control"] == "no-store" && answer["Vary"] == "Prefer")
        #expect(answer["Cache-Status"] == "sluice; fwd=uri-miss; detail=loading")
        #expect(answer.text == "{\"state\":\"loading\"}\n")
        // It is asked for once, and found by who asks again.
        let other = Self.ask(bench)
        #expect(bench.origins.count == 1)
        try bench.origin().answer(json: "7")
        #expect(other.answers.first?.text == "7")
        let third = Self.ask(bench)
        #expect(third.answers.first?["Cache-Status"]?.hasPrefix("sluice; hit") == true)
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    /// Whoever is told to come back holds no connection, and so does not count where connections do.
    @Test func thereAreSoManyAnswersThatNobodyWaitsFor() throws {
        let bench = try Self.bench(limits: { $0.loading = 2 })
        let clients = (0..<3).map { number in
            defer { bench.advance(by: .milliseconds(2)) }
            return Self.ask(bench, "Prefer: wait=0", for: "/a?x=\(number)")
        }
        #expect(clients.map { $0.answers.first?.status } == [202, 202, nil])
        bench.origins[2].answer(json: "7")
        #expect(clients[2].answers.first?.text == "7")
        #expect(clients[2].answers.first?["Vary"] == "Prefer")
        #expect(clients[2].answers.first?["Preference-Applied"] == nil)
        // One more that comes for an answer that is left already costs nothing.
        let again = Self.ask(bench, "Prefer: wait=0", for: "/a?x=0")
        bench.advance(by: .milliseconds(2))
        #expect(again.answers.first?.status == 202)
        #expect(bench.gateway.counters.fillsLeft == 2)
        for place in 0..<2 { bench.origins[place].answer(json: "7") }
        #expect(bench.gateway.counters.fillsLeft == 0)
        bench.expectQuiet()
    }

    @Test func whoIsAnsweredInTimeHearsNothingOfIt() throws {
        let bench = try Self.bench()
        let client = Self.ask(bench)
        bench.advance(by: .milliseconds(200))
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n")
        try bench.origin().send("42")
        bench.advance(by: .seconds(5))
        #expect(client.answers.map(\.status) == [200])
        bench.expectQuiet()
    }

    /// RFC 7240 §4.3. A timer is a tick late at most.
    @Test(arguments: [("wait=0", 0, 2), ("wait=5", 4999, 5002), ("respond-async, WAIT=\"2\"", 1999, 2002)])
    func clientsSayHowLongTheyWait(_ preference: String, _ before: Int, _ after: Int) throws {
        let bench = try Self.bench()
        let client = Self.ask(bench, "Prefer: \(preference)")
        bench.advance(by: .milliseconds(before))
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(after - before))
        #expect(client.answers.first?.status == 202)
        #expect(client.answers.first?["Preference-Applied"]?.hasPrefix("wait=") == true)
        try bench.origin().answer(json: "7")
        bench.expectQuiet()
    }

    /// What went wrong meanwhile is told to who asks again.
    @Test func errorsAreKeptForAWhile() throws {
        let bench = try Self.bench()
        let client = Self.ask(bench)
        bench.advance(by: .milliseconds(301))
        #expect(client.answers.first?.status == 202)
        try bench.origin().answer(503)
        let again = Self.ask(bench)
        #expect(again.answers.first?.status == 503 && bench.origins.count == 1)
        bench.advance(by: .seconds(6))
        let later = Self.ask(bench)
        #expect(later.answers.isEmpty)
        try bench.origin().answer(json: "7")
        #expect(later.answers.first?.text == "7")
        bench.expectQuiet()
    }

    /// In the order of `serve:`.
    @Test func theDefaultMayComeFirst() throws {
        let bench = try Self.bench {
            $0.serve = [.fresh, .default, .loading, .error]
            $0.defaultJSON = "0"
        }
        let client = Self.ask(bench)
        bench.advance(by: .milliseconds(301))
        #expect(client.answers.first?.status == 200 && client.answers.first?.text == "0")
        try bench.origin().answer(json: "7")
        #expect(Self.ask(bench).answers.first?.text == "7")
        bench.expectQuiet()
    }

    /// Who leaves takes nothing along that others wait for, and leaves nothing behind.
    @Test func clientsLeaveAtAnyTime() throws {
        for time in [0, 299, 301] {
            let bench = try Self.bench()
            let client = Self.ask(bench)
            bench.advance(by: .milliseconds(time))
            client.reset()
            bench.advance(by: .seconds(1))
            if time > 300 { try bench.origin().answer(json: "7") }
            bench.expectQuiet()
        }
    }

    /// What may not be stored is waited for: asking again would ask the upstream again.
    @Test func whatIsNotStoredIsWaitedFor() throws {
        let bench = try Self.bench()
        let first = Self.ask(bench)
        try bench.origin().answer(
            200, "Content-Type: application/json", "Set-Cookie: a=b", "Cache-Control: no-store", body: "7")
        #expect(first.answers.first?.status == 200)
        let second = Self.ask(bench)
        bench.advance(by: .seconds(1))
        #expect(second.answers.isEmpty)
        try bench.origin().answer(json: "8")
        #expect(second.answers.first?.text == "8")
        bench.expectQuiet()
    }
}
