import SluiceContract
import Testing

@testable import SluiceCredentials

/// Tokens that an upstream refuses before their end.
@Suite struct TokenMachineRefusalTests {
    private typealias Bench = TokenMachineBench

    @Test func aRefusedTokenIsRenewedOnce() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        #expect(bench.take(.refused) == [.lock])
        #expect(bench.take(.refused).isEmpty)
        bench.take(.locked(bench.machine.record))
        bench.answer(.tokens(.init("a2", lifetime: 3600)))
        bench.take(.saved)
        // It is known from the start that no other follows soon, should an upstream refuse this one as well.
        let end = bench.moment.now + 30_000_000_000
        #expect(bench.shown?.text == "a2" && bench.noOtherUntil == end)
        // The new one is refused, too: then it is not the token.
        bench.advance(1)
        #expect(bench.take(.refused) == [.noOther(until: end)])
        bench.advance(31)
        #expect(bench.take(.refused) == [.lock])
    }

    @Test func whatAnotherDaemonHasRenewedAfterARefusalIsEnough() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        bench.take(.refused)
        bench.take(.locked(bench.record("a2", refresh: "r2", serial: 2)))
        #expect(bench.asked == nil && bench.shown?.text == "a2")
    }

    /// Another daemon has got the same token once more, with a later end.
    @Test func aRefusedTokenIsUsedToItsNewEnd() {
        var bench = Bench()
        bench.take(.found(bench.record(in: 600)))
        bench.take(.refused)
        bench.take(.locked(bench.record(in: 3600, serial: 2)))
        #expect(bench.asked != nil && bench.shown?.text == "a1")
        bench.answer(.unavailable("no route", retryAfterSeconds: nil))
        #expect(bench.noOtherUntil != nil)
        bench.advance(1800)
        #expect(bench.machine.isUsable(at: bench.moment))
    }
}
