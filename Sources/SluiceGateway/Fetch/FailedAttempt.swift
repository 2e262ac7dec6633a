internal import SluiceContract

/// A failed attempt, and the facts that decide whether another one follows.
struct FailedAttempt {
    let cause: RetryPolicy.Cause
    /// Attempts so far, this one included.
    let count: Int
    /// No part of an answer has been handed on.
    let isUnanswered: Bool
    /// Whether the request is idempotent (RFC 9110 §9.2.2).
    let isIdempotent: Bool
    let canBeSentAgain: Bool
    /// Another endpoint accepts requests.
    let hasOther: Bool
    /// Whether this endpoint accepts another attempt: not while it rests, if the upstream refuses requests then.
    let takesAnother: Bool
    let now: UInt64
    /// When the endpoint may be asked again, as its answer demands (`Retry-After`).
    let restsUntil: UInt64
    /// The usual time of an answer; 0 where it is not known.
    let usual: UInt64
    let totalBy: UInt64

    /// The shortest time assumed for an answer.
    private static let shortest: UInt64 = 1_000_000

    /// How long to wait before the next attempt; nil where there is none.
    func delay(_ rules: RetryRules, _ random: inout RandomSource) -> UInt64? {
        guard rules.covers(cause), count < rules.attemptsMax, isUnanswered, canBeSentAgain else { return nil }
        // Without a connection nothing was sent; after that, only an idempotent request may be repeated.
        guard cause == .connect || isIdempotent else { return nil }
        guard hasOther || !rules.needsOther && takesAnother else { return nil }
        var delay: UInt64 = 0
        if cause != .connect || !hasOther { delay = rules.delay(after: count, &random) }
        if !hasOther, restsUntil > now { delay = max(delay, restsUntil - now) }
        // An attempt that cannot finish in time is not made.
        return now &+ delay &+ max(usual, Self.shortest) < totalBy ? delay : nil
    }
}

extension FailedAttempt {
    /// - Parameters:
    ///   - count: attempts so far.
    ///   - totalBy: the deadline of the whole answer.
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

    /// The same as ``delay(_:_:)``, and the attempt is taken from the retry budget.
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
