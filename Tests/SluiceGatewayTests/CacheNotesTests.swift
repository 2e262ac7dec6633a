import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// What is known for a while, to the nanosecond.
@Suite struct CacheNotesTests {
    private static let key = CacheKey(high: 1, low: 2)
    private static let other = CacheKey(high: 2, low: 1)

    @Test func anErrorIsKnownUntilItsTime() {
        let notes = CacheNotes()
        notes.keep(Problem(.upstreamError, status: 503, detail: "Busy."), Self.key, since: 0, until: 100)
        #expect(notes.problem(Self.key, now: 99, Epochs())?.status == 503)
        #expect(notes.problem(Self.other, now: 99, Epochs()) == nil)
        #expect(notes.problem(Self.key, now: 100, Epochs()) == nil)
    }

    /// RFC 9110 §10.2.3: the seconds count from when it was answered first. Once they are over, they are those until it
    /// is kept no more.
    @Test(arguments: [(0, 60), (1000, 59), (40_000, 20), (40_001, 20), (59_999, 1), (60_000, 30), (89_001, 1)])
    func itsRetryAfterCountsDown(milliseconds: Int, seconds: Int) {
        let notes = CacheNotes()
        var problem = Problem(.upstreamError, status: 429, detail: "Busy.")
        problem.retryAfterSeconds = 60
        notes.keep(problem, Self.key, since: 5_000_000_000, until: 95_000_000_000)
        let now = 5_000_000_000 + UInt64(milliseconds) * 1_000_000
        #expect(notes.problem(Self.key, now: now, Epochs())?.retryAfterSeconds == seconds)
    }

    @Test func whatIsForgottenIsNotKnown() {
        let notes = CacheNotes()
        notes.keep(Problem(.upstreamError, detail: "Busy."), Self.key, since: 0, until: 100)
        notes.markUncacheable(Self.key, now: 0)
        #expect(notes.isUncacheable(Self.key, now: 1))
        #expect(!notes.isUncacheable(Self.other, now: 1))
        notes.forget()
        #expect(notes.problem(Self.key, now: 1, Epochs()) == nil)
        #expect(!notes.isUncacheable(Self.key, now: 1))
    }
}
