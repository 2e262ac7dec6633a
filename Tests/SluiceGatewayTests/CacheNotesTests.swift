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
        notes.keep(Problem(.upstreamError, status: 503, detail: "Busy."), Self.key, until: 100)
        #expect(notes.problem(Self.key, now: 99)?.status == 503)
        #expect(notes.problem(Self.other, now: 99) == nil)
        #expect(notes.problem(Self.key, now: 100) == nil)
    }

    @Test func whatIsForgottenIsNotKnown() {
        let notes = CacheNotes()
        notes.keep(Problem(.upstreamError, detail: "Busy."), Self.key, until: 100)
        notes.markUncacheable(Self.key, now: 0)
        #expect(notes.isUncacheable(Self.key, now: 1))
        #expect(!notes.isUncacheable(Self.other, now: 1))
        notes.forget()
        #expect(notes.problem(Self.key, now: 1) == nil)
        #expect(!notes.isUncacheable(Self.key, now: 1))
    }
}
