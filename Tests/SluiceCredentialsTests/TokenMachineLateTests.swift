import SluiceContract
import Testing

@testable import SluiceCredentials

/// Answers that come after they have been given up, and tokens that end unseen.
@Suite struct TokenMachineLateTests {
    private typealias Bench = TokenMachineBench

    /// A machine that has given up its first question.
    private static func givenUp() throws -> Bench {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.alarm)
        bench.take(.locked(bench.machine.record))
        bench.advance(71)
        bench.take(.alarm)
        #expect(bench.isAt(.unlock))
        return bench
    }

    private static let late = TokenAnswer.tokens(.init("a2", lifetime: 3600, refreshToken: "r2"))

    /// With rotation its refresh token is the only one that the server still takes.
    @Test func whatComesLateIsStoredAndShown() throws {
        var bench = try Self.givenUp()
        #expect(bench.answer(Self.late) == [.lock])
        bench.take(.locked(bench.machine.record))
        #expect(bench.asked == nil && bench.saved?.refreshToken == "r2" && bench.saved?.previousRefreshToken == "r1")
        // It is as old as the request for it.
        #expect(bench.saved?.obtainedAt == bench.moment.unix - 71)
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
        let shown = try #require(bench.machine.shown)
        #expect(bench.take(.refused) == [.show(shown)])
        bench.advance(60)
        bench.take(.alarm)
        bench.take(.notSaved("no space left"))
        #expect(bench.withheld?.detail.contains("no space left") == true && bench.shown == nil)
    }
}
