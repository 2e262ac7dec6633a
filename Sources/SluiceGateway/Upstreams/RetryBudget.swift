internal import SluiceContract

/// Limits the load that retries and hedges add to an upstream: each costs one token; every client request pays in a
/// fraction of one, and a few are added every second. So a dead upstream gets a little more load than without retries,
/// not several times as much.
struct RetryBudget {
    /// Thousandths of a token.
    private var balance: UInt64
    private var refilledAt: UInt64
    private let share: UInt64
    private let perSecond: UInt64
    /// The most that can be saved: as much as ten seconds bring in, and never less than one retry.
    private let balanceMax: UInt64

    static let token: UInt64 = 1000
    private static let savedSeconds: UInt64 = 10

    init(_ policy: RetryBudgetPolicy, now: UInt64) {
        share = UInt64(policy.sharePercent) * 10
        perSecond = UInt64(policy.perSecond)
        balanceMax = max(Self.token, perSecond * Self.savedSeconds * Self.token, share * 100)
        balance = perSecond * Self.token
        refilledAt = now
    }

    /// A client has made a request.
    mutating func requestBegan() {
        balance = min(balance + share, balanceMax)
    }

    /// - Returns: whether one more attempt may be made; its token is taken then.
    mutating func withdraw(at now: UInt64) -> Bool {
        refill(at: now)
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    /// The whole tokens left.
    mutating func retriesLeft(at now: UInt64) -> UInt64 {
        refill(at: now)
        return balance / Self.token
    }

    private mutating func refill(at now: UInt64) {
        guard perSecond > 0, now > refilledAt else { return }
        let milliseconds = (now - refilledAt) / 1_000_000
        guard milliseconds > 0 else { return }
        refilledAt += milliseconds * 1_000_000
        balance = min(balance + min(milliseconds, 1_000_000) * perSecond, balanceMax)
    }
}
