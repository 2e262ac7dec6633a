import SluiceContract
import SluiceHTTP
import SluiceSigning
import Testing

@testable import SluiceGateway

/// Credentials that change between the check of a request and its way out.
@Suite struct FetchCredentialChangesTests {
    private typealias Base = FetchCredentialTests

    private let keeper = Base.Keeper()
    private var wishes: [String] { keeper.wishes.withLock { $0 } }

    private func make(
        connectionsMax: Int = 100, _ edit: (inout Binding) -> Void = { _ in },
        upstream: (inout Upstream) -> Void = { _ in }
    ) throws -> (CredentialVault, Bench) {
        try Base.make(
            keeper, .bearer, edit,
            upstream: {
                $0.connectionsMax = connectionsMax
                upstream(&$0)
            })
    }

    private func show(_ token: String, for duration: Duration? = nil, _ vault: CredentialVault, _ bench: Bench) {
        let until = duration.map { bench.gateway.now + $0.nanosecondsClamped } ?? .max
        vault.set(.init(Array(token.utf8), usableUntil: until, family: 7))
        bench.gateway.credentialsChanged()
        bench.turn()
    }

    private func withhold(_ vault: CredentialVault, _ bench: Bench) {
        vault.withhold(Problem(.signInNeeded, detail: "run: sluice login fruit"))
        bench.gateway.credentialsChanged()
        bench.turn()
    }

    // MARK: - In the queue of a connection

    @Test func whatIsWithheldMeanwhileDoesNotGoOut() throws {
        let (vault, bench) = try make(connectionsMax: 1)
        show("one", vault, bench)
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/a/x") }
        withhold(vault, bench)
        try bench.origin().answer(200, body: "ok")
        #expect(clients[0].answers.last?.text == "ok")
        for client in clients[1...] {
            #expect(client.answers.last?.status == 503)
            #expect(client.answers.last?.text.contains("sluice login fruit") == true)
        }
        #expect(try bench.origins.count == 1 && bench.origin().requests.count == 1)
        // The connection serves the next one.
        show("two", vault, bench)
        clients[0].request("GET", "/a/x")
        #expect(try bench.forwarded()["Authorization"] == "Bearer two")
        try bench.origin().answer(200, body: "ok")
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    @Test func whatEndsMeanwhileIsWaitedFor() throws {
        let (vault, bench) = try make(connectionsMax: 1)
        show("one", for: .seconds(5), vault, bench)
        let clients = (0..<300).map { _ in bench.client() }
        for client in clients { client.request("GET", "/a/x") }
        bench.advance(by: .seconds(6))
        try bench.origin().answer(200, body: "ok")
        #expect(try bench.origin().requests.count == 1 && wishes.count == 299)
        show("two", vault, bench)
        for _ in 1..<300 {
            #expect(try bench.forwarded().values("Authorization") == ["Bearer two"])
            try bench.origin().answer(200, body: "ok")
        }
        #expect(clients.allSatisfy { $0.answers.last?.text == "ok" } && bench.origins.count == 1)
        bench.expectQuiet()
    }

    @Test(arguments: [true, false]) func whatChangesWhileAConnectionIsMade(isWithheld: Bool) throws {
        let (vault, bench) = try make()
        bench.connectsAtOnce = false
        show("one", for: .seconds(1), vault, bench)
        let client = bench.client()
        client.request("GET", "/a/x")
        if isWithheld { withhold(vault, bench) } else { bench.advance(by: .seconds(2)) }
        try bench.origin().connect()
        bench.turn()
        #expect(try bench.origin().requests.isEmpty)
        if isWithheld {
            #expect(client.answers.last?.status == 503)
        } else {
            show("two", vault, bench)
            #expect(try bench.forwarded()["Authorization"] == "Bearer two")
            try bench.origin().answer(200, body: "ok")
        }
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    /// The keeper works on a thread of its own: what a loop has judged is what it writes.
    @Test func whatIsWrittenIsWhatWasJudged() {
        let vault = CredentialVault(of: .tokens(OAuth2Client()))
        vault.set(.init(Array("one".utf8)))
        var reader = CredentialVault.Reader(vault)
        guard case .usable = reader.standing(at: 1, unix: 1) else {
            Issue.record("not usable")
            return
        }
        vault.withhold(Problem(.signInNeeded, detail: ""))
        #expect(reader.line == SecretBytes("Authorization: Bearer one\r\n"))
    }

    /// A reload has given the credential another keeper: nobody is there to ask for a better token.
    @Test func aRefusalIsTheAnswerWhereNobodyKeepsTheTokenAnyMore() throws {
        let (vault, bench) = try make()
        show("one", vault, bench)
        let client = bench.client()
        client.request("GET", "/a/x")
        vault.retire()
        try bench.origin().answer(401, body: "no")
        #expect(client.answers.last?.status == 401 && wishes.isEmpty)
        bench.expectQuiet()
    }

    /// One that waits for a better token, or for any, hears of it at once.
    @Test(arguments: [true, false]) func whoWaitsHearsThatNobodyKeepsTheTokenAnyMore(hasEnded: Bool) throws {
        let (vault, bench) = try make()
        show("one", for: .seconds(5), vault, bench)
        let client = bench.client()
        client.request("GET", "/a/x")
        try bench.origin().answer(401, body: "no")
        if hasEnded { bench.advance(by: .seconds(6)) }
        #expect(client.answers.isEmpty)
        vault.retire()
        bench.gateway.credentialsChanged()
        bench.turn()
        #expect(client.answers.last?.status == 503)
        #expect(client.answers.last?.text.contains("has been changed meanwhile") == true)
        bench.expectQuiet()
    }

    // MARK: - Clocks

    /// A machine that slept: its monotonic clock stood still.
    @Test func aTokenThatEndedInASleepIsNotShown() throws {
        let (vault, bench) = try make()
        let end = bench.gateway.loop.unixSeconds + 3600
        vault.set(.init(Array("one".utf8), usableUntil: bench.gateway.now + 3_600_000_000_000, usableUntilUnix: end))
        let client = bench.client()
        bench.gateway.date = Array("Sun, 06 Nov 1994 10:49:37 GMT".utf8)
        client.request("GET", "/a/x")
        #expect(bench.origins.isEmpty && wishes == ["secret"])
        show("two", vault, bench)
        #expect(try bench.forwarded()["Authorization"] == "Bearer two")
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }

    /// The clock is right again before the keeper has heard of anything.
    @Test func whoWaitsForWhatIsThereGetsIt() throws {
        let (vault, bench) = try make()
        let end = bench.gateway.loop.unixSeconds + 3600
        vault.set(.init(Array("one".utf8), usableUntilUnix: end))
        let client = bench.client()
        bench.gateway.date = Array("Sun, 06 Nov 1994 10:49:37 GMT".utf8)
        client.request("GET", "/a/x")
        bench.gateway.date = Array("Sun, 06 Nov 1994 08:49:47 GMT".utf8)
        bench.advance(by: .seconds(11))
        #expect(try bench.forwarded()["Authorization"] == "Bearer one")
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }

    // MARK: - Refusals beside retries and hedges

    /// A retry that the binding wants for a 401 would show the same token again.
    @Test func aRefusedTokenIsRenewedAndNotRetried() throws {
        let (vault, bench) = try make {
            $0.retry = RetryPolicy()
            $0.retry?.on.insert(.status(401))
        }
        show("one", vault, bench)
        let client = bench.client()
        client.request("GET", "/a/x")
        try bench.origin().answer(401, body: "no")
        #expect(wishes == ["another"])
        bench.advance(by: .seconds(1))
        #expect(bench.origins.flatMap(\.requests).count == 1)
        show("two", vault, bench)
        #expect(try bench.forwarded()["Authorization"] == "Bearer two")
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.last?.text == "ok")
        bench.expectQuiet()
    }

    /// Both attempts show a token that has been revoked: one renewal, and its request goes out once more.
    @Test(arguments: [true, false]) func oneOfTwoAttemptsSpeaksForBoth(isSecond: Bool) throws {
        let (vault, bench) = try make { $0.hedge = .after(.milliseconds(50)) }
        show("one", vault, bench)
        let client = bench.client()
        client.request("GET", "/a/x")
        let (first, second) = try bench.hedged()
        (isSecond ? second : first).answer(401, body: "no")
        #expect(wishes == ["another"] && client.answers.isEmpty)
        show("two", vault, bench)
        let sent = bench.origins.flatMap(\.requests)
        #expect(sent.count == 3 && sent.contains { $0["Authorization"] == "Bearer two" })
        try #require(bench.origins.last { !$0.isClosed }).answer(200, body: "ok")
        #expect(client.answers.map(\.text) == ["ok"])
        bench.expectQuiet()
    }

    /// The second attempt has the new token already: it goes on, and the refused one is over.
    @Test func theAttemptWithTheNewerTokenGoesOn() throws {
        let (vault, bench) = try make { $0.hedge = .after(.milliseconds(50)) }
        show("one", vault, bench)
        let client = bench.client()
        client.request("GET", "/a/x")
        let first = try bench.origin()
        show("two", vault, bench)
        bench.advance(by: .milliseconds(60))
        let second = try bench.origin()
        try #require(first !== second)
        first.answer(401, body: "no")
        second.answer(200, body: "ok")
        #expect(client.answers.map(\.text) == ["ok"])
        bench.expectQuiet()
    }

    // MARK: - Refusals where no other token comes

    @Test func aRefusalIsTheAnswerWhileNoOtherTokenComes() throws {
        let (vault, bench) = try make()
        show("one", vault, bench)
        vault.noOther(until: bench.gateway.now + 30_000_000_000, at: bench.gateway.now)
        for count in 1...3 {
            let client = bench.client()
            client.request("GET", "/a/x")
            try bench.origin().answer(401, body: "no")
            #expect(client.answers.map(\.text) == ["no"] && client.answers.last?.status == 401)
            #expect(bench.origins.flatMap(\.requests).count == count && wishes.count == count)
        }
        bench.advance(by: .seconds(31))
        let client = bench.client()
        client.request("GET", "/a/x")
        try bench.origin().answer(401, body: "no")
        #expect(client.answers.isEmpty)
        show("two", vault, bench)
        #expect(try bench.forwarded()["Authorization"] == "Bearer two")
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.map(\.text) == ["ok"] && vault.renewals == 2)
        bench.expectQuiet()
    }

    /// The renewal that it waits for fails: the upstream has the last word on the present token, and at once.
    @Test func whoWaitsHearsThatNoOtherTokenComes() throws {
        let (vault, bench) = try make()
        show("one", vault, bench)
        let client = bench.client()
        client.request("GET", "/a/x")
        try bench.origin().answer(401, body: "no")
        #expect(client.answers.isEmpty)
        vault.noOther(until: bench.gateway.now + 2_000_000_000, at: bench.gateway.now)
        bench.gateway.credentialsChanged()
        bench.turn()
        #expect(bench.origins.flatMap(\.requests).map { $0["Authorization"] } == ["Bearer one", "Bearer one"])
        try bench.origin().answer(401, body: "still no")
        #expect(client.answers.map(\.text) == ["still no"] && client.answers.last?.status == 401)
        #expect(wishes == ["another", "another"] && vault.renewals == 1)
        bench.expectQuiet()
    }

    /// One endpoint refuses every token at once, the other is slow and good.
    @Test(arguments: [true, false], [true, false])
    func aRefusalWithoutAnotherTokenDoesNotEndTheRival(isSecond: Bool, isGood: Bool) throws {
        let (vault, bench) = try make { $0.hedge = .after(.milliseconds(50)) }
        show("one", vault, bench)
        vault.noOther(until: bench.gateway.now + 30_000_000_000, at: bench.gateway.now)
        let client = bench.client()
        client.request("GET", "/a/x")
        let (first, second) = try bench.hedged()
        let (refusing, rival) = isSecond ? (second, first) : (first, second)
        refusing.answer(401, body: "no")
        #expect(client.answers.isEmpty && !rival.isClosed)
        rival.answer(isGood ? 200 : 401, body: "last")
        #expect(client.answers.map(\.text) == ["last"] && client.answers.last?.status == (isGood ? 200 : 401))
        #expect(bench.origins.flatMap(\.requests).count == 2)
        bench.expectQuiet()
    }

    /// The time that a request waits for another token is not the upstream's: its answers stay as quick as they are.
    @Test func theWaitForATokenIsNoLatency() throws {
        let (vault, bench) = try make { $0.hedge = .percentile(90) }
        show("0", vault, bench)
        for round in 1...20 {
            let client = bench.client()
            client.request("GET", "/a/x")
            bench.advance(by: .milliseconds(8))
            try bench.origin().answer(401, body: "no")
            bench.advance(by: .seconds(3))
            show("\(round)", vault, bench)
            bench.advance(by: .milliseconds(8))
            try #require(bench.origins.last { !$0.isClosed }).answer(200, "Connection: close", body: "ok")
            #expect(client.answers.map(\.text) == ["ok"])
        }
        let before = bench.origins.count
        bench.client().request("GET", "/a/x")
        bench.advance(by: .milliseconds(20))
        #expect(bench.origins.count == before + 2)
    }

    @Test func onlyAnotherSecretCounts() {
        let vault = CredentialVault(of: .tokens(OAuth2Client()))
        for token in ["one", "one", "two"] { vault.set(.init(Array(token.utf8))) }
        let (now, second) = (UInt64(5), UInt64(1_000_000_000))
        vault.noOther(until: now, at: now)
        #expect(vault.renewals == 2)
        var reader = CredentialVault.Reader(vault)
        reader.refresh()
        // Loops that hear of it a moment later still find it.
        #expect(vault.isLast(reader.version, at: now + second - 1) && !vault.isLast(reader.version, at: now + second))
        vault.noOther(until: now + 3 * second, at: now)
        #expect(vault.isLast(reader.version, at: now + 3 * second - 1))
        // What was said of one secret does not hold for the next.
        vault.set(.init(Array("three".utf8)))
        #expect(!vault.isLast(reader.version, at: now))
        reader.refresh()
        #expect(!vault.isLast(reader.version, at: now))
        vault.noOther(until: now, at: now)
        vault.mayChange()
        #expect(!vault.isLast(reader.version, at: now))
    }

    // MARK: - Keys of stored answers

    /// What was asked for before there was a token is no other time's and no other vault's.
    @Test func timesWithoutATokenAreToldApart() {
        var one = CredentialVault.Reader(CredentialVault(of: .tokens(OAuth2Client())))
        var other = CredentialVault.Reader(CredentialVault(of: .tokens(OAuth2Client())))
        #expect(one.identity((1, 2), of: "fruit") == one.identity((1, 2), of: "fruit"))
        #expect(one.identity((1, 2), of: "fruit") != other.identity((1, 2), of: "fruit"))
    }
}
