internal import SluiceContract
internal import SluiceHTTP

/// One attempt after the other, or two beside each other, where anything is decided per attempt (``AttemptState``).
extension Fetch {
    /// A client's request begins.
    func planAttempts(_ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime) {
        upstream.retryBudget.requestBegan()
        attempts = AttemptState(at: loop.now)
        // A tunnel is opened once, and what goes through it is no body.
        guard consumer.request.maySendAgain, !consumer.request.isUpgrading else { return }
        if route.retry.attemptsMax > 1 { attempt.progress.keptBytesMax = route.retry.bodyBytesMax }
        if let hedge = route.hedge, let wait = AttemptState.wait(hedge, upstream) {
            deadlines.planAttempt(at: loop.now &+ wait)
        }
    }

    // MARK: - Counted

    /// The attempt is over, where one is under way.
    /// - Parameters:
    ///   - outcome: nil is what the head of its answer says, if it has come.
    ///   - isWhole: the answer has arrived to its end.
    func attemptEnded(_ outcome: UpstreamCells.Outcome? = nil, isWhole: Bool = false) {
        attempt.ended(
            outcome, status: response.status, at: borrowedUpstream, for: borrowedConsumer, isWhole: isWhole)
    }

    // MARK: - Outcomes

    /// The attempt has come to nothing.
    /// - Returns: whether the request goes on: by another attempt, now or later, or by the one that runs beside it.
    func attemptFailed(_ cause: RetryPolicy.Cause) -> Bool {
        guard attempts != nil, let consumer, let route, let upstream, let endpoint else { return false }
        // A connection that could not be made has been counted already.
        if cause != .connect { upstream.failed(endpoint, at: loop.now) }
        if hasRival {
            withdraw(consumer)
            return true
        }
        guard let delay = delay(after: cause, consumer, route, upstream, endpoint) else { return false }
        letGo()
        waitForNext(delay)
        return true
    }

    /// The head of an answer is here.
    /// - Parameter mayRetry: whether a retry that the binding wants for its status makes sense.
    /// - Returns: whether another attempt takes its place.
    func attemptAnswered(_ consumer: FetchConsumer, _ route: Route, mayRetry: Bool) -> Bool {
        guard let attempts, let upstream, let endpoint else { return false }
        let status = response.status
        let isFailure = attempts.noteAnswer(status: status, of: endpoint, upstream, at: loop.now)
        let cause = RetryPolicy.Cause.status(status)
        if isFailure || mayRetry && route.retry.covers(cause) {
            UpstreamWishes.noteRetryAfter(response, of: endpoint, loop)
            if attempts.rival != nil {
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

    /// How long to wait before the next attempt; nil where there is none. It is paid for then.
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
        // Nothing goes out until then, and nothing is made of what still comes.
        attempt.wait(forCredential: false)
        forgetSent()
        answer.drop()
        deadlines.planAttempt(at: loop.now &+ delay)
        armTimer()
    }

    /// The time of the next attempt has come.
    func wake() {
        if case .waiting = attempt.carrierState { beginNext() } else { hedge() }
    }

    private func beginNext() {
        attempts?.began(at: loop.now)
        deadlines.forgetNextAttempt()
        attempt.notes.cause = .retry
        tryAgain()
    }

    // MARK: - Two beside each other

    // Each is the other's rival: the first whose answer is judged good has the consumer for itself, and the other is
    // cancelled. What passes through is good by its status; what is checked, once it is proven or has outgrown `hold:`.
    // One that fails leaves the field to the other.

    var hasRival: Bool { attempts?.rival != nil }

    /// The answer takes long: the same request goes out once more, to another endpoint where there is one.
    private func hedge() {
        armTimer()
        guard let attempts, attempts.rival == nil, let consumer, let route, let upstream, let endpoint, !answer.hasHead,
            consumer.request.body.isComplete, attempt.progress.canBeSentAgain,
            let other = attempts.pickHedge(from: upstream, beside: endpoint, by: deadlines.totalBy, loop)
        else { return }
        loop.counters.retries += 1
        upstream.cells.add(at: UpstreamCells.hedges)
        if attempt.notes.isOn { attempt.notes.event(.hedge, at: loop.now) }
        let rival = pool.take()
        self.attempts?.hedged(by: rival)
        rival { $0.start(beside: self, consumer, route, upstream, at: other) }
    }

    /// This attempt's answer is the one; there is no other from now on.
    func win(_ consumer: FetchConsumer) {
        guard hasRival else { return }
        dismissRival()
        consumer.borrowedFetch = Borrowed(self)
    }

    func dismissRival() {
        guard let rival = separate() else { return }
        rival { $0.leaveConsumer() }
    }

    /// This attempt has failed: the other one carries on alone.
    func withdraw(_ consumer: FetchConsumer) {
        guard let rival = separate() else { return }
        consumer.borrowedFetch = rival
        leaveConsumer()
    }

    /// Neither knows of the other any more.
    private func separate() -> Borrowed<Fetch>? {
        guard let rival = attempts?.rival else { return nil }
        attempts?.rival = nil
        rival { $0.attempts?.rival = nil }
        return rival
    }
}
