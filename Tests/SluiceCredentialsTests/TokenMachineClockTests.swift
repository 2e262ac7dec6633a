import SluiceContract
import Testing

@testable import SluiceCredentials

/// Clocks that step, and tokens that end.
@Suite struct TokenMachineClockTests {
    private typealias Bench = TokenMachineBench

    /// A clock that was set back makes no token live longer than it was made for.
    @Test func aClockThatWasSetBackProlongsNothing() throws {
        var bench = Bench()
        let record = bench.record()
        bench.moment.unix -= 86_400
        bench.take(.found(record))
        #expect(try #require(bench.shown).usableUntil <= bench.moment.now + 3600 * 1_000_000_000)
    }

    @Test func aTokenThatHasEndedIsRenewedAtOnce() {
        var bench = Bench()
        let record = bench.record()
        bench.advance(4000)
        bench.take(.found(record))
        #expect(bench.shown == nil && bench.isAt(.lock))
    }
}
