import Testing

@testable import SluiceClient

@Suite struct CallDeadlinesTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func aCallHasItsTimeUntilItIsReadAsAStream() {
        var deadlines = CallDeadlines()
        deadlines.began(due: 10)
        #expect(!deadlines.isOverdue(at: 9) && deadlines.isOverdue(at: 10))
        deadlines.streamed(nil, at: 5)
        #expect(!deadlines.isOverdue(at: 1000))
        #expect(!deadlines.countsSilence)
    }

    @Test func aStreamMayNotBeSilent() {
        var deadlines = CallDeadlines()
        deadlines.began(due: 10)
        deadlines.streamed(.seconds(1), at: 0)
        #expect(deadlines.countsSilence)
        deadlines.progressed(.seconds(1), at: Self.second / 2)
        #expect(!deadlines.isOverdue(at: Self.second) && deadlines.isOverdue(at: Self.second * 3 / 2))
        deadlines.ended()
        #expect(!deadlines.isOverdue(at: .max - 1))
    }

    /// Progress of an answer that is taken whole gives it no more time.
    @Test func progressAloneDoesNotCountSilence() {
        var deadlines = CallDeadlines()
        deadlines.began(due: 10)
        deadlines.progressed(.seconds(1), at: 0)
        #expect(deadlines.isOverdue(at: 10))
    }

    @Test func theClockIsToldOnceOfWhatIsSooner() {
        var deadlines = CallDeadlines()
        deadlines.connecting(.seconds(2), at: 0)
        check(deadlines.untold(isConnecting: true) == 2 * Self.second)
        check(deadlines.untold(isConnecting: true) == .max)
        deadlines.began(due: 100)
        check(deadlines.untold(isConnecting: false) == 100)
        deadlines.ended()
        deadlines.began(due: 200)
        // The clock rings at 100 anyhow, and is then told what is next.
        check(deadlines.untold(isConnecting: false) == .max)
        check(deadlines.tell(isConnecting: false) == 200)
        #expect(deadlines.isConnectOverdue(at: 2 * Self.second))
    }

    /// Addresses share the time: one where nobody answers does not use up all of it.
    @Test func anAddressHasItsShareOfTheTime() {
        var deadlines = CallDeadlines()
        deadlines.connecting(.seconds(6), at: 0)
        #expect(!deadlines.isConnectOverdue(at: 5 * Self.second))
        deadlines.trying(oneOf: 3, at: 0)
        check(deadlines.untold(isConnecting: true) == 2 * Self.second)
        #expect(deadlines.isConnectOverdue(at: 2 * Self.second))
        deadlines.trying(oneOf: 2, at: 2 * Self.second)
        #expect(!deadlines.isConnectOverdue(at: 3 * Self.second) && deadlines.isConnectOverdue(at: 4 * Self.second))
        deadlines.trying(oneOf: 1, at: Self.second)
        #expect(!deadlines.isConnectOverdue(at: 5 * Self.second) && deadlines.isConnectOverdue(at: 6 * Self.second))
    }

    /// The macro cannot change what it looks at.
    private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(isSo, sourceLocation: location)
    }
}
