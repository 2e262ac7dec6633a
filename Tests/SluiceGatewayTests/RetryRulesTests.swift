import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct RetryRulesTests {
    /// Exponential with full jitter: anything below the bound, and the bound doubles up to its own.
    @Test(arguments: [(1, 100), (2, 200), (3, 400), (4, 500), (9, 500), (100, 500)] as [(Int, UInt64)])
    func waitsAreBelowADoublingBound(attempts: Int, milliseconds: UInt64) {
        var policy = RetryPolicy()
        policy.backoff = .milliseconds(100)
        policy.backoffMax = .milliseconds(500)
        let rules = RetryRules(policy, endpoints: 1)
        var random = RandomSource(seed: 7)
        let waits = (0..<200).map { _ in rules.delay(after: attempts, &random) }
        let bound = milliseconds * 1_000_000
        #expect(waits.allSatisfy { $0 < bound })
        #expect(waits.contains { $0 > bound * 8 / 10 })
        #expect(waits.contains { $0 < bound * 2 / 10 })
    }

    @Test func whereNothingIsSaidOnlyOtherEndpointsAreTried() {
        #expect(RetryRules(nil, endpoints: 1).attemptsMax == 1)
        let rules = RetryRules(nil, endpoints: 2)
        #expect(rules.attemptsMax == 2)
        #expect(rules.needsOther)
        #expect(rules.covers(.connect))
        #expect(!rules.covers(.reset))
        #expect(RetryRules(nil, endpoints: 9).attemptsMax == 3)
        #expect(!RetryRules(.off, endpoints: 9).covers(.connect))
    }
}
