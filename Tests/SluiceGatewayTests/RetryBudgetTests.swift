import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct RetryBudgetTests {
    private static let second: UInt64 = 1_000_000_000

    private static func budget(share: Int, perSecond: Int) -> RetryBudget {
        var policy = RetryBudgetPolicy()
        policy.sharePercent = share
        policy.perSecond = perSecond
        return RetryBudget(policy, now: 0)
    }

    private static func drain(_ budget: inout RetryBudget, at now: UInt64) -> Int {
        var count = 0
        while budget.withdraw(at: now) { count += 1 }
        return count
    }

    @Test(arguments: [(10, 10), (20, 20), (50, 50), (0, 0)])
    func aShareOfTheTraffic(percent: Int, expected: Int) {
        var budget = Self.budget(share: percent, perSecond: 0)
        var retries = 0
        for _ in 0..<100 {
            budget.requestBegan()
            if budget.withdraw(at: 0) { retries += 1 }
        }
        #expect(retries == expected)
    }

    @Test func aFewASecondInAnyCase() {
        var budget = Self.budget(share: 0, perSecond: 3)
        #expect(Self.drain(&budget, at: 0) == 3)
        #expect(Self.drain(&budget, at: Self.second) == 3)
        #expect(Self.drain(&budget, at: Self.second + Self.second / 2) == 1)
        #expect(Self.drain(&budget, at: 2 * Self.second) == 2)
    }

    /// What was not used is saved up to a bound, however long it was quiet or busy.
    @Test func savingsAreBounded() {
        var budget = Self.budget(share: 20, perSecond: 3)
        for _ in 0..<100_000 { budget.requestBegan() }
        #expect(Self.drain(&budget, at: 1_000_000 * Self.second) == 30)
    }
}
