internal import SluiceContract

/// A binding's `retry:`, compiled.
struct RetryRules: Sendable {
    let attemptsMax: Int
    let bodyBytesMax: Int
    /// Whether a retry needs an endpoint that was not tried yet; true where the configuration has no `retry:`.
    let needsOther: Bool
    private let causes: Set<RetryPolicy.Cause>
    private let backoff: UInt64
    private let backoffMax: UInt64

    /// - Parameter policy: nil tries a failed connection at another endpoint, and retries nothing else.
    init(_ policy: RetryPolicy?, endpoints: Int) {
        let rules = policy ?? RetryPolicy()
        attemptsMax = policy == nil ? min(endpoints, rules.attempts) : rules.attempts
        causes = policy == nil ? [.connect] : rules.on
        needsOther = policy == nil
        bodyBytesMax = rules.bodyBytesMax
        backoff = rules.backoff.nanosecondsClamped
        backoffMax = max(rules.backoffMax.nanosecondsClamped, backoff)
    }

    func covers(_ cause: RetryPolicy.Cause) -> Bool { attemptsMax > 1 && causes.contains(cause) }

    /// A random wait before the attempt that follows `attempts` others: exponential, with full jitter, so that requests
    /// that failed together do not come back together.
    func delay(after attempts: Int, _ random: inout RandomSource) -> UInt64 {
        let doublings = UInt64(min(attempts - 1, 30))
        let bound = backoff > backoffMax >> doublings ? backoffMax : backoff << doublings
        return random.below(bound)
    }
}
