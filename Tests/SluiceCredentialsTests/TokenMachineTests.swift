import SluiceContract
import Testing

@testable import SluiceCredentials

/// The life of a token as facts and orders.
@Suite struct TokenMachineTests {
    private typealias Bench = TokenMachineBench

    // MARK: - What is stored

    @Test func aStoredTokenIsShownUntilShortlyBeforeItsEnd() throws {
        var bench = Bench()
        bench.take(.found(bench.record()))
        let token = try #require(bench.shown)
        #expect(token.text == "a1" && token.family == 5)
        #expect(token.usableUntil == bench.moment.now + 3570 * 1_000_000_000)
        // Renewed ahead of that, and not all at the same time.
        let alarm = try #require(bench.alarm)
        #expect(alarm < token.usableUntil && alarm > bench.moment.now + 2900 * 1_000_000_000)
    }

    @Test func aTokenWithoutAnEndIsGoodUntilItIsRefused() {
        var bench = Bench()
        bench.take(.found(bench.record(in: nil)))
        #expect(bench.shown?.usableUntil == .max && bench.alarm == .max)
        bench.take(.refused)
        #expect(bench.isAt(.lock))
        // The alarm of the question must not be that of the token.
        bench.take(.locked(bench.machine.record))
        bench.answer(.tokens(.init("a2")))
        bench.take(.saved)
        #expect(bench.shown?.text == "a2" && bench.alarm == .max)
    }

    /// There is no refresh token, so nothing is better than what is there, until it ends.
    @Test func theLastTokenIsGoodToItsEnd() throws {
        var bench = Bench()
        bench.take(.found(bench.record(refresh: nil)))
        let token = try #require(bench.shown)
        for fact in [TokenMachine.Fact.alarm, .refused, .demanded] {
            bench.advance(1000)
            #expect(bench.take(fact) == [.lock])
            bench.take(.locked(bench.machine.record))
            #expect(bench.noOtherUntil == token.usableUntil && bench.alarm == token.usableUntil)
            #expect(bench.machine.shown == token && bench.shown == nil && bench.isAt(.unlock))
        }
        bench.advance(600)
        #expect(bench.take(.alarm) == [.lock])
        bench.take(.locked(bench.machine.record))
        #expect(bench.withheld?.kind == .signInNeeded)
    }

    /// Who asks in its own name for another subject, or for more, has asked for another token.
    @Test func aTokenIsOfWhatWasAskedFor() {
        let bench = Bench(.jwtBearer) { ($0.subject, $0.scope) = ("alice", ["read"]) }
        let tokens = TokenAnswer.Tokens("a1", lifetime: 60)
        let record = TokenRecord(tokens, after: nil, .own, bench.machine.client, at: bench.moment)
        #expect(record.belongs(to: bench.machine.client))
        let edits: [(inout OAuth2Client) -> Void] = [
            { $0.subject = "bob" }, { $0.scope = ["read", "write"] }, { $0.audience = "x" }, { $0.resource = ["y"] },
            { $0.assertionIssuer = "z" }, { $0.grant = .clientCredentials },
            { $0.parameters = [.init(name: "a", value: "b")] },
        ]
        for (number, edit) in edits.enumerated() {
            var client = bench.machine.client
            edit(&client)
            #expect(!record.belongs(to: client), "edit \(number)")
            var machine = TokenMachine("fruit", client, seed: 1)
            #expect(machine.take(.found(record), at: bench.moment).isEmpty && machine.record == nil)
        }
        #expect(TokenRecord(json: record.json) == record)
        // What a person has agreed to is theirs.
        let person = Bench()
        let signedIn = TokenRecord(tokens, after: nil, .refresh("r"), person.machine.client, at: bench.moment)
        var wider = person.machine.client
        wider.scope = ["more"]
        #expect(signedIn.belongs(to: wider))
    }

    @Test func withoutASignInNothingIsAsked() {
        var bench = Bench()
        bench.take(.found(nil))
        #expect(bench.withheld?.kind == .signInNeeded)
        #expect(bench.withheld?.detail.contains("sluice login fruit") == true)
        #expect(bench.take(.wanted).isEmpty && bench.take(.refused).isEmpty && bench.take(.alarm).isEmpty)
    }

    /// No server ever sees the tokens of another one.
    @Test func tokensOfAnotherServerOrClientAreNotUsed() {
        var bench = Bench()
        var record = bench.record()
        record.server = "https://evil.example/token"
        bench.take(.found(record))
        #expect(bench.shown == nil && bench.withheld?.kind == .signInNeeded)
        record = bench.record()
        record.clientID = "other"
        bench.take(.found(record))
        #expect(bench.shown == nil)
    }

    @Test func aSignInElsewhereIsTakenUp() {
        var bench = Bench()
        bench.take(.found(nil))
        bench.take(.found(bench.record("a9")))
        #expect(bench.shown?.text == "a9")
        bench.take(.found(nil))
        #expect(bench.withheld?.kind == .signInNeeded)
    }

    @Test func whatIsDamagedIsNotWrittenOver() {
        var bench = Bench()
        bench.take(.damaged("'fruit.token' is damaged"))
        #expect(bench.withheld?.detail.contains("damaged") == true && bench.saved == nil)
    }

    // MARK: - Renewal

    @Test func aRenewalGoesByLockAskSaveShow() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.advance(3300)
        #expect(bench.take(.alarm) == [.lock])
        bench.take(.locked(bench.machine.record))
        #expect(bench.asked == .refresh("r1"))
        bench.answer(.tokens(.init("a2", lifetime: 3600, refreshToken: "r2")))
        // On disk before anybody uses it, with the one before.
        #expect(bench.shown == nil)
        #expect(bench.saved?.refreshToken == "r2" && bench.saved?.previousRefreshToken == "r1")
        #expect(bench.saved?.serial == 2 && bench.saved?.family == 5)
        bench.take(.saved)
        #expect(bench.isAt(.unlock) && bench.shown?.text == "a2")
        // The next success is the end of the one before.
        bench.advance(3500)
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        #expect(bench.asked == .refresh("r2"))
        bench.answer(.tokens(.init("a3", lifetime: 3600)))
        #expect(bench.saved?.refreshToken == "r2" && bench.saved?.previousRefreshToken == nil)
    }

    @Test func whoeverGetsTheLockSecondAsksNobody() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.advance(3300)
        bench.take(.alarm)
        bench.take(.locked(bench.record("a2", refresh: "r2", serial: 2)))
        #expect(bench.asked == nil && bench.isAt(.unlock) && bench.shown?.text == "a2")
    }

    @Test func manyWhoWaitMakeOneRenewal() {
        var bench = Bench(.clientCredentials) { $0.clientSecret = .value("s") }
        #expect(bench.take(.found(nil)).isEmpty)
        #expect(bench.take(.wanted) == [.lock])
        for _ in 0..<500 { #expect(bench.take(.wanted).isEmpty) }
        bench.take(.locked(nil))
        #expect(bench.asked == .own)
        for _ in 0..<500 { #expect(bench.take(.wanted).isEmpty) }
    }

    @Test func aLockThatNobodyAsksForAnyMoreIsGivenBack() {
        var bench = Bench()
        bench.take(.found(nil))
        #expect(bench.take(.locked(nil)) == [.unlock])
    }

    // MARK: - Failure

    @Test func theOldTokenWorksWhileTheServerDoesNot() throws {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.advance(3300)
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.answer(.unavailable("the server is down", retryAfterSeconds: nil))
        #expect(bench.isAt(.unlock) && bench.withheld == nil && bench.noOtherUntil != nil && bench.shown == nil)
        #expect(bench.machine.isUsable(at: bench.moment))
        let first = try #require(bench.alarm)
        #expect(first > bench.moment.now && first <= bench.moment.now + 1_000_000_000)
        // Each failure doubles the wait.
        bench.moment.now = first
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.answer(.unavailable("the server is down", retryAfterSeconds: nil))
        #expect(try #require(bench.alarm) > bench.moment.now + 1_000_000_000 - 1)
    }

    /// A server that is left alone for long, and a token that ends meanwhile.
    @Test func whoAsksAfterTheEndHearsWhyThereIsNoOther() throws {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.advance(3300)
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.answer(.refused(code: "invalid_client", description: nil))
        let end = try #require(bench.alarm)
        #expect(bench.withheld == nil && end == bench.machine.shown?.usableUntil)
        bench.moment.now = end
        bench.take(.alarm)
        #expect(bench.withheld?.detail.contains("invalid_client") == true)
        let next = try #require(bench.alarm)
        #expect(next > end && !bench.isAt(.lock))
        // Who has mended it need not wait.
        #expect(bench.take(.demanded) == [.lock])
    }

    /// A record that has gone while the lock was waited for is not brought back.
    @Test func whoHasSignedOutMeanwhileStaysSignedOut() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.refused)
        bench.take(.locked(nil))
        #expect(bench.asked == nil && bench.withheld?.kind == .signInNeeded)
    }

    @Test func retryAfterIsKeptTo() throws {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.answer(.unavailable("too much", retryAfterSeconds: 120))
        #expect(try #require(bench.alarm) >= bench.moment.now + 120_000_000_000)
        #expect(bench.take(.wanted).isEmpty)
    }

    @Test func whoHasNoTokenHearsWhyFromTheSecondFailureOn() {
        var bench = Bench(.clientCredentials) { $0.clientSecret = .value("s") }
        bench.take(.found(nil))
        bench.take(.wanted)
        for attempt in 1...2 {
            bench.take(.locked(nil))
            bench.answer(.unavailable("no route", retryAfterSeconds: nil))
            #expect((bench.withheld != nil) == (attempt == 2))
            bench.moment.now = bench.alarm ?? 0
            bench.take(.alarm)
        }
        bench.take(.locked(nil))
        bench.answer(.tokens(.init("a1", lifetime: 60)))
        bench.take(.saved)
        #expect(bench.shown?.text == "a1")
    }

    @Test func bothRefreshTokensAreTriedOnce() {
        var bench = Bench()
        var record = bench.record(refresh: "r2", serial: 2)
        record.previousRefreshToken = "r1"
        bench.take(.found(record))
        bench.take(.alarm)
        bench.take(.locked(record))
        #expect(bench.asked == .refresh("r2"))
        bench.answer(.refused(code: "invalid_grant", description: nil))
        #expect(bench.asked == .refresh("r1") && !bench.isAt(.unlock))
        bench.answer(.refused(code: "invalid_grant", description: "revoked"))
        // That is the end: it is written down, so that no other daemon asks either.
        #expect(bench.asked == nil && bench.saved?.signedOut?.contains("revoked") == true)
        bench.take(.saved)
        #expect(bench.withheld?.kind == .signInNeeded && bench.isAt(.unlock))
        #expect(bench.take(.wanted).isEmpty && bench.take(.alarm).isEmpty)
        var other = Bench()
        other.take(.found(bench.machine.record))
        #expect(other.withheld?.kind == .signInNeeded)
    }

    @Test func aRequestThatMakesNoSenseIsNotRepeatedSoon() throws {
        var bench = Bench(.clientCredentials) { $0.clientSecret = .value("s") }
        bench.take(.found(nil))
        bench.take(.wanted)
        bench.take(.locked(nil))
        bench.answer(.refused(code: "invalid_client", description: nil))
        #expect(bench.withheld?.detail.contains("invalid_client") == true)
        #expect(try #require(bench.alarm) >= bench.moment.now + 300_000_000_000)
    }

    @Test func anAnswerThatNeverComesIsGivenUp() throws {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.moment.now = try #require(bench.alarm)
        bench.take(.alarm)
        bench.moment.now = try #require(bench.alarm)
        bench.take(.alarm)
        #expect(bench.isAt(.unlock) && bench.alarm != nil)
        // A question that nobody has asked is answered by nobody.
        #expect(bench.answer(.tokens(.init("late")), to: 99).isEmpty)
    }

    @Test func aFullDiskKeepsNoTokenBack() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.answer(.tokens(.init("a2", lifetime: 3600, refreshToken: "r2")))
        let record = bench.saved
        bench.take(.notSaved("no space left"))
        #expect(bench.shown?.text == "a2" && !bench.isAt(.unlock))
        // It is tried again, and the lock is kept until it succeeds.
        bench.take(.alarm)
        #expect(bench.saved == record)
        bench.take(.saved)
        #expect(bench.isAt(.unlock))
    }

    /// A disk that stays full is told of once.
    @Test func aFullDiskIsNotedOnce() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.answer(.tokens(.init("a2", lifetime: 3600, refreshToken: "r2")))
        bench.take(.notSaved("no space left"))
        #expect(bench.isAt(.note(.notSaved("no space left"))))
        bench.take(.alarm)
        bench.take(.notSaved("no space left"))
        #expect(!bench.isAt(.note(.notSaved("no space left"))))
    }
}
