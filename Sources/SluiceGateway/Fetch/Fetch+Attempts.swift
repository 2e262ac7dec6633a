internal import SluiceContract
internal import SluiceHTTP

/// What a fetch knows of its attempts, where anything is decided per attempt.
struct AttemptState {
    /// Made so far, those of a rival included.
    var count = 1
    var startedAt: UInt64
    /// The other one of two attempts that run beside each other; kept by the gateway while it is at work, as this one.
    var rival: Borrowed<Fetch>?
}

extension Fetch {
    /// A client's request begins.
    func planAttempts(_ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime) {
        upstream.retryBudget.requestBegan()
        attempts = AttemptState(startedAt: loop.now)
        // A tunnel is opened once, and what goes through it is no body.
        guard consumer.request.maySendAgain, !consumer.request.isUpgrading else { return }
        if route.retry.attemptsMax > 1 { progress.keptBytesMax = route.retry.bodyBytesMax }
        if let hedge = route.hedge { planHedge(hedge, upstream) }
    }

    /// - Returns: nil where there is none to ask; the fetch has failed then.
    func pickEndpoint(_ upstream: UpstreamRuntime) -> Endpoint? {
        let isIdempotent = borrowedConsumer?({ $0.request.maySendAgain }) == true
        let tried = attempts.map { $0.count > 1 } == true ? endpoint : nil
        if let endpoint = upstream.pick(at: loop.now, avoiding: tried, mayTry: isIdempotent, &loop.random) {
            return endpoint
        }
        let name = upstream.settings.name
        let seconds = upstream.restSeconds(at: loop.now)
        var problem = Problem(
            .circuitOpen, detail: "'\(name)' has failed too often and is not asked at present; retry in \(seconds) s.")
        problem.retryAfterSeconds = seconds
        fail(problem)
        return nil
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
        upstream.latency?.record(nanoseconds: loop.now &- attempts.startedAt)
        let status = response.status
        // RFC 9110 §15.6.2, §15.6.6: these two say something of the request, not of how the endpoint is doing.
        let isFailure = status >= 500 && status != 501 && status != 505
        if isFailure {
            upstream.failed(endpoint, at: loop.now)
        } else {
            endpoint.breaker.succeeded(at: loop.now)
        }
        let cause = RetryPolicy.Cause.status(status)
        if isFailure || mayRetry && route.retry.covers(cause) {
            noteRetryAfter(endpoint)
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

    /// `Retry-After` (RFC 9110 §10.2.3) is kept to, for an hour at most.
    private func noteRetryAfter(_ endpoint: Endpoint) {
        guard let seconds = QuotaFields.retryAfter(response.fields, now: loop.unixSeconds) else { return }
        endpoint.restsUntil = loop.now &+ UInt64(min(seconds, 3600)) * 1_000_000_000
    }

    /// An upstream may want no such request for a while: then the binding pauses.
    func noteQuota(_ consumer: FetchConsumer, _ route: Route) {
        guard borrowedUpstream?({ $0.pauseMaxNanoseconds > 0 }) == true else { return }
        guard let (seconds, status) = QuotaFields.pause(response, now: loop.unixSeconds), seconds > 0, let upstream
        else { return }
        // One endpoint of several that is overloaded rests alone; a quota is that of them all.
        if response.status == 503, upstream.endpoints.count > 1 { return }
        // A quota of the client's own credentials is the client's own affair.
        let isGateways = consumer.request.credential(route)?.reader.current != nil
        if status != 503, !isGateways, consumer.request.forwardsCredentials(route) { return }
        let wait = min(UInt64(min(seconds, 1 << 30)) * 1_000_000_000, upstream.pauseMaxNanoseconds)
        route.pause.begin(until: loop.now &+ wait, status: status)
    }

    // MARK: - Once more

    /// How long to wait before the next attempt; nil where there is none. It is paid for then.
    private func delay(
        after cause: RetryPolicy.Cause, _ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime,
        _ endpoint: Endpoint
    ) -> UInt64? {
        let failed = FailedAttempt(
            cause: cause, count: attempts?.count ?? 1, isUnanswered: consumer.isUnanswered,
            isIdempotent: consumer.request.maySendAgain, canBeSentAgain: progress.canBeSentAgain,
            hasOther: upstream.hasOther(than: endpoint, at: loop.now),
            takesAnother: !upstream.refuses || endpoint.breaker.isWell, now: loop.now, restsUntil: endpoint.restsUntil,
            usual: upstream.latency?.quantile(50) ?? 0, totalBy: deadlines.totalBy)
        guard let delay = failed.delay(route.retry, &loop.random) else { return nil }
        guard upstream.retryBudget.withdraw(at: loop.now) else {
            upstream.cells.add(at: UpstreamCells.refusedRetries)
            return nil
        }
        upstream.cells.add(at: UpstreamCells.retries)
        if notes.isOn { notes.event(.retry(cause, delay: delay), at: loop.now) }
        return delay
    }

    private func waitForNext(_ delay: UInt64) {
        attemptEnded()
        loop.counters.retries += 1
        attempts?.count += 1
        if delay == 0 { return beginNext() }
        // Nothing goes out until then, and nothing is made of what still comes.
        carrierState.wait()
        progress.attemptEnded()
        answer.drop()
        deadlines.attemptBegan()
        deadlines.planAttempt(at: loop.now &+ delay)
        armTimer()
    }

    /// The time of the next attempt has come.
    func wake() {
        if case .waiting = carrierState { beginNext() } else { hedge() }
    }

    private func beginNext() {
        attempts?.startedAt = loop.now
        deadlines.forgetNextAttempt()
        notes.cause = .retry
        tryAgain()
    }
}
