import SluiceContract
import Testing

@testable import SluiceCredentials

/// Answers that come after they have been given up, and tokens that end unseen.
@Suite struct TokenMachineLateTests {
    private typealias Bench = TokenMachineBench

    /// A machine whose first question has not been answered in its time.
    private static func overdue() -> Bench {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.advance(16)
        bench.take(.alarm)
        return bench
    }

    /// A machine that has given it up.
    private static func givenUp() throws -> Bench {
        var bench = overdue()
        bench.advance(75)
        bench.take(.alarm)
        #expect(bench.isAt(.unlock))
        return bench
    }

    private static let late = TokenAnswer.tokens(.init("a2", lifetime: 3600, refreshToken: "r2"))

    // MARK: - While the answer may still come

    /// A refresh token for one use would be shown twice, and with that the sign-in is over.
    @Test func nobodyAsksWhileTheAnswerMayCome() {
        var bench = Self.overdue()
        #expect(!bench.isAt(.unlock) && !bench.isAt(.lock) && bench.asked == nil)
        #expect(bench.isAt(.note(.notRenewed("the server did not answer in time"))))
        // It is waited for, also by a daemon that ends; and what has not gone out by now does not any more.
        #expect(bench.machine.isAsking && !bench.machine.isAsked(1))
        for fact in [TokenMachine.Fact.wanted, .demanded, .found(bench.machine.record)] {
            #expect(bench.take(fact).isEmpty)
        }
        // The old token is good meanwhile, whatever an upstream says of it.
        #expect(bench.machine.isUsable(at: bench.moment))
        bench.take(.refused)
        #expect(bench.noOtherUntil != nil && bench.shown == nil)
        bench.answer(Self.late)
        #expect(bench.saved?.refreshToken == "r2" && bench.saved?.previousRefreshToken == "r1")
        bench.take(.saved)
        #expect(bench.shown?.text == "a2" && bench.isAt(.unlock) && !bench.machine.isAsking)
        #expect(bench.machine.failures == 0)
    }

    /// A connection that has ended without an answer has none to bring.
    @Test func anAnswerThatIsLostIsAskedForOnceMore() throws {
        var bench = Self.overdue()
        bench.answer(.unavailable("the connection was closed", retryAfterSeconds: nil))
        #expect(bench.isAt(.unlock) && !bench.machine.isAsking)
        bench.moment.now = try #require(bench.alarm)
        #expect(bench.take(.alarm) == [.lock])
        bench.take(.locked(bench.machine.record))
        #expect(bench.asked == .refresh("r1"))
    }

    @Test func whoHasNoTokenMeanwhileHearsWhy() throws {
        var bench = Bench()
        bench.take(.found(bench.record(in: 40)))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.advance(16)
        bench.take(.alarm)
        #expect(bench.withheld == nil && bench.alarm == bench.machine.shown?.usableUntil)
        bench.advance(24)
        bench.take(.alarm)
        #expect(bench.withheld?.detail.contains("did not answer in time") == true && !bench.isAt(.unlock))
        bench.take(.wanted)
        #expect(bench.withheld?.kind == .credentialUnavailable)
        bench.answer(Self.late)
        bench.take(.saved)
        #expect(bench.shown?.text == "a2")
    }

    /// What needs no token to be shown is asked for anew, and is nothing that could be lost.
    @Test func whatAClientAsksForItselfIsAskedForAgain() {
        var bench = Bench(.clientCredentials) { $0.clientSecret = .value("s") }
        bench.take(.found(nil))
        bench.take(.wanted)
        bench.take(.locked(nil))
        bench.advance(16)
        bench.take(.alarm)
        #expect(bench.isAt(.unlock) && !bench.machine.isAsking)
    }

    // MARK: - Behind that

    /// With rotation its refresh token is the only one that the server still takes.
    @Test func whatComesLateIsStoredAndShown() throws {
        var bench = try Self.givenUp()
        #expect(bench.answer(Self.late) == [.lock])
        bench.take(.locked(bench.machine.record))
        #expect(bench.asked == nil && bench.saved?.refreshToken == "r2" && bench.saved?.previousRefreshToken == "r1")
        // It is as old as the request for it.
        #expect(bench.saved?.obtainedAt == bench.moment.unix - 91)
        bench.take(.saved)
        #expect(bench.shown?.text == "a2" && bench.isAt(.unlock))
    }

    /// Whoever has yet to send the request sees that its time is over, and that the lock is another's.
    @Test func whatWasGivenUpIsNotAskedAnyMore() throws {
        var bench = try Self.givenUp()
        #expect(!bench.machine.isAsked(1))
        bench.advance(60)
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        #expect(bench.machine.isAsked(2) && !bench.machine.isAsked(1))
        bench.answer(.unavailable("no route", retryAfterSeconds: nil))
        #expect(!bench.machine.isAsked(2))
    }

    @Test func whatOthersHaveStoredMeanwhileIsNewer() throws {
        var bench = try Self.givenUp()
        bench.answer(Self.late)
        bench.take(.locked(bench.record("b2", refresh: "s2", serial: 2)))
        #expect(bench.saved == nil && bench.shown?.text == "b2")
    }

    /// Whoever is refused while the late answer is looked at does not wait for the end of the pause.
    @Test(arguments: [true, false])
    func whoIsRefusedMeanwhileHearsThatNoOtherTokenComes(isLocked: Bool) throws {
        var bench = try Self.givenUp()
        bench.answer(Self.late)
        #expect(bench.take(.refused).isEmpty)
        // The refresh token that the late answer has replaced is not the one that is stored.
        bench.take(isLocked ? .locked(bench.record(refresh: "other")) : .notLocked("it is held"))
        let end = try #require(bench.alarm)
        #expect(bench.noOtherUntil == end && end > bench.moment.now && bench.isAt(.unlock) == isLocked)
        #expect(bench.take(.refused) == [.noOther(until: end)])
    }

    @Test func whoHasSignedOutMeanwhileStaysSignedOut() throws {
        var bench = try Self.givenUp()
        bench.answer(Self.late)
        bench.take(.locked(nil))
        #expect(bench.saved == nil && bench.withheld?.kind == .signInNeeded)
    }

    /// The next question is on its way: what it brings is newer, and where it brings nothing the late answer counts.
    @Test(arguments: [
        (TokenAnswer.tokens(.init("a3", lifetime: 3600, refreshToken: "r3")), "r3"),
        (.unavailable("no route", retryAfterSeconds: nil), "r2"),
        (.refused(code: "invalid_grant", description: nil), "r2"),
    ])
    func theNextQuestionIsUnderWay(answer: TokenAnswer, kept: String) throws {
        var bench = try Self.givenUp()
        bench.advance(60)
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        #expect(bench.asked == .refresh("r1"))
        #expect(bench.answer(Self.late, to: 1).isEmpty)
        bench.answer(answer)
        #expect(bench.saved?.refreshToken == kept)
    }

    @Test func theLockIsWaitedForOnce() throws {
        var bench = try Self.givenUp()
        bench.advance(60)
        #expect(bench.take(.alarm) == [.lock])
        #expect(bench.answer(Self.late).isEmpty)
        bench.take(.locked(bench.machine.record))
        #expect(bench.asked == nil && bench.saved?.refreshToken == "r2")
    }

    /// The server has said that the old refresh token is no good, because there is this one.
    @Test func aSignInThatWasGivenUpIsBack() throws {
        var bench = try Self.givenUp()
        bench.advance(60)
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.answer(.refused(code: "invalid_grant", description: nil))
        bench.take(.saved)
        #expect(bench.machine.isSignedOut)
        #expect(bench.answer(Self.late, to: 1) == [.lock])
        bench.take(.notLocked("the disk is full"))
        #expect(bench.machine.isSignedOut && bench.alarm != nil)
        #expect(bench.take(.alarm) == [.lock])
        bench.take(.locked(bench.machine.record))
        bench.take(.saved)
        #expect(bench.shown?.text == "a2" && !bench.machine.isSignedOut)
    }

    @Test func aLockThatCannotBeHadLeavesItToTheNextRenewal() throws {
        var bench = try Self.givenUp()
        bench.answer(Self.late)
        bench.take(.notLocked("it is held"))
        #expect(bench.machine.isAsking)
        bench.moment.now = try #require(bench.alarm)
        #expect(bench.take(.alarm) == [.lock])
        bench.take(.locked(bench.machine.record))
        #expect(bench.saved?.refreshToken == "r2")
    }

    // MARK: - Tokens that end unseen

    /// The monotonic clock stands still while a machine sleeps.
    @Test func aTokenThatEndedInASleepIsNotUsable() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.moment.unix += 7200
        #expect(!bench.machine.isUsable(at: bench.moment))
        #expect(bench.take(.wanted) == [.lock])
    }

    /// A server whose answers take longer than its tokens live is not asked over and over.
    @Test func aTokenThatHadEndedWhenItCameIsAFailure() throws {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.advance(12)
        bench.answer(.tokens(.init("a2", lifetime: 10, refreshToken: "r2")))
        #expect(bench.saved?.refreshToken == "r2")
        bench.take(.saved)
        #expect(bench.shown == nil && bench.isAt(.unlock) && !bench.isAt(.lock))
        #expect(try #require(bench.alarm) > bench.moment.now)
    }

    /// A refusal that is heard of after the token's end is no reason to show it again.
    @Test func aRefusedTokenThatHasEndedIsRenewed() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.refused)
        bench.take(.locked(bench.machine.record))
        bench.answer(.tokens(.init("a2", lifetime: 20, refreshToken: "r2")))
        bench.take(.saved)
        bench.advance(19)
        #expect(bench.take(.refused) == [.lock])
    }

    @Test func whoWouldWaitInVainIsToldSo() {
        var bench = Bench(.clientCredentials) { $0.clientSecret = .value("s") }
        bench.take(.found(nil))
        bench.take(.wanted)
        bench.take(.locked(nil))
        bench.answer(.unavailable("too much", retryAfterSeconds: 120))
        #expect(bench.withheld?.retryAfterSeconds == 121)
        bench.take(.found(nil))
        // Nor does a file that changes make it ask before its time.
        #expect(!bench.isAt(.lock))
        bench.take(.wanted)
        #expect(bench.withheld?.kind == .credentialUnavailable)
    }

    @Test func aFullDiskIsToldOfOnceTheTokenHasEnded() throws {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.answer(.tokens(.init("a2", lifetime: 60, refreshToken: "r2")))
        bench.take(.notSaved("no space left"))
        #expect(bench.shown?.text == "a2" && bench.withheld == nil)
        bench.take(.refused)
        #expect(bench.orders.count == 1 && bench.noOtherUntil != nil)
        bench.advance(60)
        bench.take(.alarm)
        bench.take(.notSaved("no space left"))
        #expect(bench.withheld?.detail.contains("no space left") == true && bench.shown == nil)
    }
}
