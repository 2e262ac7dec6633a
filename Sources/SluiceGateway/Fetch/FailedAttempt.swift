internal import SluiceContract

/// An attempt that has come to nothing, and what decides whether another one follows: a decision over values.
struct FailedAttempt {
    let cause: RetryPolicy.Cause
    /// Attempts so far, this one included.
    let count: Int
    /// Nothing of an answer has been handed on.
    let isUnanswered: Bool
    /// Whether doing it twice is the same as doing it once (RFC 9110 §9.2.2).
    let isIdempotent: Bool
    let canBeSentAgain: Bool
    /// Another endpoint takes requests.
    let hasOther: Bool
    /// Whether this endpoint takes another one: not where it rests, and requests are refused meanwhile.
    let takesAnother: Bool
    let now: UInt64
    /// What the answer to this attempt has asked for (`Retry-After`).
    let restsUntil: UInt64
    /// How long an answer takes as a rule; 0 where nothing is known.
    let usual: UInt64
    let totalBy: UInt64

    /// No answer is expected sooner.
    private static let shortest: UInt64 = 1_000_000

    /// How long to wait before the next attempt; nil where there is none.
    func delay(_ rules: RetryRules, _ random: inout RandomSource) -> UInt64? {
        guard rules.covers(cause), count < rules.attemptsMax, isUnanswered, canBeSentAgain else { return nil }
        // Nothing was sent without a connection; beyond that, twice may be once too often.
        guard cause == .connect || isIdempotent else { return nil }
        guard hasOther || !rules.needsOther && takesAnother else { return nil }
        var delay: UInt64 = 0
        if cause != .connect || !hasOther { delay = rules.delay(after: count, &random) }
        if !hasOther, restsUntil > now { delay = max(delay, restsUntil - now) }
        // No attempt that cannot finish.
        return now &+ delay &+ max(usual, Self.shortest) < totalBy ? delay : nil
    }
}

extension FailedAttempt {
    /// - Parameters:
    ///   - count: attempts so far.
    ///   - totalBy: when the whole answer is due.
    init(
        _ cause: RetryPolicy.Cause, count: Int, _ consumer: FetchConsumer, canBeSentAgain: Bool,
        _ upstream: UpstreamRuntime, _ endpoint: Endpoint, at now: UInt64, totalBy: UInt64
    ) {
        self.init(
            cause: cause, count: count, isUnanswered: consumer.isUnanswered,
            isIdempotent: consumer.request.maySendAgain, canBeSentAgain: canBeSentAgain,
            hasOther: upstream.hasOther(than: endpoint, at: now),
            takesAnother: !upstream.refuses || endpoint.breaker.isWell, now: now, restsUntil: endpoint.restsUntil,
            usual: upstream.latency?.quantile(50) ?? 0, totalBy: totalBy)
    }

    /// The same as ``delay(_:_:)``, and the attempt is paid for.
    func paidDelay(_ rules: RetryRules, _ upstream: UpstreamRuntime, _ random: inout RandomSource) -> UInt64? {
        guard let delay = delay(rules, &random) else { return nil }
        guard upstream.retryBudget.withdraw(at: now) else {
            upstream.cells.add(at: UpstreamCells.refusedRetries)
            return nil
        }
        upstream.cells.add(at: UpstreamCells.retries)
        return delay
    }
}
