import SluiceContract
import Testing

@testable import SluiceGateway

/// Leasing, replay and time (`Fetch.swift`).
@Suite struct FetchTests {
    static func bench(
        _ upstream: (inout Upstream) -> Void = { _ in }, _ edit: (inout Binding) -> Void = { _ in }
    ) throws -> Bench {
        try Bench(
            Build.configuration(
                [try Build.binding("ANY /raw/**", to: "fruit /**", edit)],
                upstreams: [Build.upstream("fruit", upstream)]))
    }

    /// A client that has had one answer over a connection that is now idle.
    static func warm(_ bench: Bench) throws -> ClientPeer {
        let client = bench.client()
        client.request("GET", "/raw/first")
        try bench.origin().answer(200)
        return client
    }

    static func request(_ method: String, body: String? = nil) -> String {
        guard let body else { return "\(method) /raw/x HTTP/1.1\r\nHost: localhost\r\n\r\n" }
        return "\(method) /raw/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    // MARK: - Replay

    /// RFC 9110 §9.2.2: what has no further effect when done twice is tried again on a fresh connection, once.
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "DELETE", "PUT"], [true, false])
    func anIdempotentRequestIsReplayedOnce(method: String, byReset: Bool) throws {
        let bench = try Self.bench()
        let client = try Self.warm(bench)
        client.request(Self.request(method))
        let stale = try bench.origin()
        #expect(stale.requests.count == 2)
        if byReset { stale.reset() } else { stale.endInput() }
        let fresh = try bench.origin()
        #expect(fresh !== stale)
        #expect(fresh.requests.first?.startLine == "\(method) /v1/x HTTP/1.1")
        fresh.answer(200, body: method == "HEAD" ? "" : "again")
        #expect(client.answers.count == 2)
        #expect(client.answers.last?.isComplete == true)
        bench.expectQuiet()
    }

    @Test func aReplayThatFailsIsNotReplayed() throws {
        let bench = try Self.bench()
        let client = try Self.warm(bench)
        client.request("GET", "/raw/x")
        try bench.origin().reset()
        try bench.origin().reset()
        #expect(client.answers.last?.status == 502)
        #expect(bench.origins.count == 2)
        bench.expectQuiet()
    }

    @Test(arguments: ["POST", "PATCH", "LOCK"])
    func whatIsNotIdempotentIsNotReplayed(method: String) throws {
        let bench = try Self.bench()
        let client = try Self.warm(bench)
        client.request(Self.request(method))
        try bench.origin().reset()
        #expect(client.answers.last?.status == 502)
        #expect(bench.origins.count == 1)
    }

    @Test func aBodyThatWentOutCannotBeReplayed() throws {
        let bench = try Self.bench()
        let client = try Self.warm(bench)
        client.request(Self.request("PUT", body: "hello"))
        try bench.origin().reset()
        #expect(client.answers.last?.status == 502)
        #expect(bench.origins.count == 1)
    }

    /// A body that was held to be checked is still at hand.
    @Test func aHeldBodyIsReplayed() throws {
        let bench = try Self.bench { _ in
        } _: {
            $0.body = .json(.scalar(.json))
        }
        let client = bench.client()
        client.request(Self.request("PUT", body: "[1]"))
        try bench.origin().answer(200)
        client.request(Self.request("PUT", body: "[2, 3]"))
        try bench.origin().reset()
        #expect(try bench.origin().requests.first?.text == "[2, 3]")
        try bench.origin().answer(200)
        #expect(client.answers.last?.status == 200)
    }

    @Test func aFreshConnectionThatDiesIsNoReasonForAReplay() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/x")
        try bench.origin().endInput()
        #expect(client.answers.last?.status == 502)
        #expect(bench.origins.count == 1)
    }

    @Test(arguments: ["H", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"])
    func onceTheFirstByteIsThereNothingIsReplayed(sent: String) throws {
        let bench = try Self.bench()
        let client = try Self.warm(bench)
        client.request("GET", "/raw/x")
        try bench.origin().send(sent)
        try bench.origin().reset()
        #expect(client.answers.last?.status == 502)
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    // MARK: - Connections

    @Test func connectionsAreUsedAgain() throws {
        let bench = try Self.bench()
        let client = try Self.warm(bench)
        for _ in 0..<3 {
            client.request("GET", "/raw/x")
            try bench.origin().answer(200)
        }
        #expect(bench.origins.count == 1)
        #expect(client.answers.count == 4)
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nX",
        ])
    func connectionsThatMayNotBeUsedAgainAreClosed(answer: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/x")
        try bench.origin().send(answer)
        #expect(client.answers.count == 1)
        #expect(try bench.origin().isClosed)
        #expect(bench.gateway.counters.upstreamConnections == 0)
    }

    /// RFC 9112 §9.3: an answer nobody asked for ends an idle connection, and belongs to no later request.
    @Test func bytesOnAnIdleConnectionEndIt() throws {
        let bench = try Self.bench()
        let client = try Self.warm(bench)
        try bench.origin().answer(200, body: "poison")
        #expect(try bench.origin().isClosed)
        client.request("GET", "/raw/x")
        #expect(bench.origins.count == 2)
        try bench.origin().answer(200, body: "clean")
        #expect(client.answers.last?.text == "clean")
    }

    @Test func whoFindsNoConnectionWaitsAndThenIsRefused() throws {
        let bench = try Self.bench {
            $0.connectionsMax = 1
            $0.queueMax = 1
        }
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/x") }
        #expect(bench.origins.count == 1)
        #expect(clients[2].answers.first?.status == 503)
        try bench.origin().answer(200, body: "one")
        #expect(clients[0].answers.first?.text == "one")
        try bench.origin().answer(200, body: "two")
        #expect(clients[1].answers.first?.text == "two")
        bench.expectQuiet()
    }

    @Test func whoWaitsMayLeave() throws {
        let bench = try Self.bench { $0.connectionsMax = 1 }
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/raw/x") }
        clients[1].reset()
        try bench.origin().answer(200)
        try bench.origin().answer(200, body: "two")
        #expect(clients[2].answers.first?.text == "two")
        bench.expectQuiet()
    }

    @Test(
        arguments: [
            (Problem.Kind.connectionRefused, 502), (.nameNotFound, 502), (.tlsFailure, 502), (.unreachable, 502),
        ])
    func aConnectionThatFailsIsAProblem(kind: Problem.Kind, status: Int) throws {
        let bench = try Self.bench()
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/raw/x")
        try bench.origin().refuse(kind, "the reason")
        #expect(client.answers.first?.status == status)
        #expect(client.answers.first?.text.contains(kind.rawValue) == true)
        #expect(client.answers.first?.text.contains("the reason") == true)
        bench.expectQuiet()
    }

    /// What the system or the TLS library says tells nobody which of several upstreams it is about.
    @Test(arguments: [Upstream.HTTPVersionChoice.h1, .h2c])
    func whatBreaksNamesTheUpstream(version: Upstream.HTTPVersionChoice) throws {
        let bench = try Self.bench { $0.httpVersion = version }
        bench.recordsOrigins = true
        let client = bench.client()
        client.request("GET", "/raw/x")
        try bench.origin().reset()
        let text = try #require(client.answers.first?.text)
        #expect(text.contains("The connection to 'fruit' broke: connection reset by peer."), "\(text)")
        bench.connectsAtOnce = false
        let other = bench.client()
        other.request("GET", "/raw/x")
        try bench.origin().refuse(TransportFailure(.tlsFailure, reason: "certificate has expired"))
        let refusal = try #require(other.answers.first?.text)
        #expect(refusal.contains("TLS with 'fruit': certificate has expired."), "\(refusal)")
        bench.expectQuiet()
    }

    /// A connection that nobody waits for any more is kept for the next.
    @Test func aConnectionThatComesTooLateServesTheNext() throws {
        let bench = try Self.bench()
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/raw/x")
        client.reset()
        bench.connectsAtOnce = true
        bench.turn()
        let next = bench.client()
        next.request("GET", "/raw/y")
        #expect(bench.origins.count == 1)
        #expect(try bench.origin().requests.map(\.target) == ["/v1/y"])
    }

    // MARK: - Time

    @Test func connectingHasATimeout() throws {
        let bench = try Self.bench { $0.timeout.connect = .seconds(1) }
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/raw/x")
        bench.advance(by: .milliseconds(990))
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(20))
        #expect(client.answers.first?.status == 504)
        #expect(client.answers.first?.text.contains("connect-timeout") == true)
        #expect(try bench.origin().isClosed)
        bench.expectQuiet()
    }

    @Test func theFirstByteHasATimeout() throws {
        let bench = try Self.bench { $0.timeout.firstByte = .seconds(3) }
        let client = bench.client()
        client.request("GET", "/raw/x")
        bench.advance(by: .milliseconds(2990))
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(20))
        #expect(client.answers.first?.status == 504)
        #expect(client.answers.first?.text.contains("first-byte-timeout") == true)
        #expect(try bench.origin().sawReset)
        bench.expectQuiet()
    }

    /// What is checked has to come whole within `total:`.
    @Test func aCheckedAnswerHasATotalTimeout() throws {
        let bench = try Self.bench {
            $0.timeout.total = .seconds(5)
        } _: {
            $0.value = .array(.scalar(.int))
        }
        let client = bench.client()
        client.request("GET", "/raw/x")
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[")
        for _ in 0..<4 {
            bench.advance(by: .seconds(1))
            try bench.origin().send("1,")
        }
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(1010))
        #expect(client.answers.first?.status == 504)
        #expect(client.answers.first?.text.contains("total-timeout") == true)
        bench.expectQuiet()
    }

    /// What passes through may take as long as it keeps moving; when it stops, the client can tell.
    @Test func anAnswerThatStopsIsCutShort() throws {
        let bench = try Self.bench { $0.timeout.total = .seconds(5) }
        let client = bench.client()
        client.request("GET", "/raw/x")
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in 0..<10 {
            bench.advance(by: .seconds(2))
            try bench.origin().send("some")
        }
        #expect(!client.isClosed)
        bench.advance(by: .seconds(31))
        #expect(client.isClosed)
        #expect(client.answers.first?.isComplete == false)
        #expect(try bench.origin().isClosed)
        bench.expectQuiet()
    }

    @Test func anIdleConnectionIsClosedAfterAWhile() throws {
        let bench = try Self.bench { $0.idle = .seconds(10) }
        _ = try Self.warm(bench)
        bench.advance(by: .milliseconds(9_990))
        #expect(try !bench.origin().isClosed)
        bench.advance(by: .milliseconds(20))
        #expect(try bench.origin().sawEnd)
        #expect(bench.gateway.counters.upstreamConnections == 0)
    }
}
