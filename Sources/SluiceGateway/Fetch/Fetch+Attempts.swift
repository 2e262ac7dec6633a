internal import SluiceContract
internal import SluiceHTTP

/// Attempts one after the other, or two in parallel (``HedgedRequest``), where there may be more than one
/// (``AttemptState``).
extension Fetch {
    /// A client's request begins: plans its attempts.
    func planAttempts(_ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime) {
        upstream.retryBudget.requestBegan()
        attempts = AttemptState(at: loop.now)
        // A tunnel is opened only once, and what the client sends through it is not a body to keep.
        guard consumer.request.maySendAgain, !consumer.request.isUpgrading else { return }
        if route.retry.attemptsMax > 1 { attempt.progress.keptBytesMax = route.retry.bodyBytesMax }
        if let hedge = route.hedge, let wait = HedgedRequest.wait(hedge, upstream) {
            deadlines.planAttempt(at: loop.now &+ wait)
        }
    }

    // MARK: - Counted

    /// Ends the attempt, if one is running.
    /// - Parameters:
    ///   - outcome: nil means the outcome follows from the answer's status, if it has come.
    ///   - isWhole: the answer has arrived completely.
    func attemptEnded(_ outcome: UpstreamCells.Outcome? = nil, isWhole: Bool = false) {
        tellBreaker(outcome)
        attempt.ended(
            outcome, status: response.status, at: borrowedUpstream, for: borrowedConsumer, isWhole: isWhole)
    }

    // MARK: - Outcomes

    /// An attempt with a good head has ended; or its answer lasts until one side ends it, so that its head is enough.
    func tellBreaker(_ outcome: UpstreamCells.Outcome? = nil) {
        guard attempts?.isPending == true, let upstream, let endpoint else { return }
        attempts?.ended(outcome, at: endpoint, upstream, loop.now)
    }

    /// The attempt has failed.
    /// - Returns: whether the request goes on: by another attempt, now or later, or by the parallel one.
    func attemptFailed(_ cause: RetryPolicy.Cause) -> Bool {
        guard attempts != nil, let consumer, let route, let upstream, let endpoint else { return false }
        // A connection that could not be made has been counted already.
        if cause != .connect { attempts?.failed(at: endpoint, upstream, loop.now) }
        if hasRival {
            withdraw(consumer)
            return true
        }
        guard let delay = delay(after: cause, consumer, route, upstream, endpoint) else { return false }
        letGo()
        waitForNext(delay)
        return true
    }

    /// The head of an answer has arrived.
    /// - Parameter mayRetry: whether a retry that the binding wants for its status makes sense.
    /// - Returns: whether another attempt takes its place.
    func attemptAnswered(_ consumer: FetchConsumer, _ route: Route, mayRetry: Bool) -> Bool {
        guard attempts != nil, let upstream, let endpoint else { return false }
        let status = response.status
        let isFailure = attempts?.noteAnswer(status: status, of: endpoint, upstream, at: loop.now) == true
        let cause = RetryPolicy.Cause.status(status)
        if isFailure || mayRetry && route.retry.covers(cause) {
            UpstreamWishes.noteRetryAfter(response, of: endpoint, loop)
            if hasRival {
                withdraw(consumer)
                return true
            }
            if let delay = delay(after: cause, consumer, route, upstream, endpoint) {
                waitForNext(max(delay, 1_000_000))
                return true
            }
        }
        deadlines.forgetNextAttempt()
        return false
    }

    // MARK: - Once more

    /// How long to wait before the next attempt; nil where there is none. A returned delay is taken from the retry
    /// budget.
    private func delay(
        after cause: RetryPolicy.Cause, _ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime,
        _ endpoint: Endpoint
    ) -> UInt64? {
        let failed = FailedAttempt(
            cause, count: attempts?.count ?? 1, consumer, canBeSentAgain: attempt.progress.canBeSentAgain, upstream,
            endpoint, at: loop.now, totalBy: deadlines.totalBy)
        guard let delay = failed.paidDelay(route.retry, upstream, &loop.random) else { return nil }
        if attempt.notes.isOn { attempt.notes.event(.retry(cause, delay: delay), at: loop.now) }
        return delay
    }

    private func waitForNext(_ delay: UInt64) {
        attemptEnded()
        loop.counters.retries += 1
        attempts?.planNext()
        if delay == 0 { return beginNext() }
        // Nothing is sent until then, and bytes that still arrive are dropped.
        attempt.wait(forCredential: false)
        forgetSent()
        answer.drop()
        deadlines.planAttempt(at: loop.now &+ delay)
        armTimer()
    }

    /// The time of the next attempt has come.
    func wake() {
        if case .waiting = attempt.carrierState { return beginNext() }
        armTimer()
        HedgedRequest.begin(beside: self)
    }

    private func beginNext() {
        deadlines.forgetNextAttempt()
        attempt.notes.cause = .retry
        tryAgain()
    }

    // MARK: - Two beside each other

    var hasRival: Bool { attempts?.hedgedRequest != nil }

    /// This attempt's answer is used, and the rival is cancelled.
    func win(_ consumer: FetchConsumer) {
        guard let hedged = attempts?.hedgedRequest else { return }
        hedged.won(by: self, consumer)
    }

    /// This attempt has failed: its rival carries on alone.
    func withdraw(_ consumer: FetchConsumer) {
        guard let hedged = attempts?.hedgedRequest else { return }
        hedged.lost(by: self, consumer)
    }
}
