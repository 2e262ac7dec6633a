internal import SluiceContract
internal import SluiceHTTP

/// What a fetch knows of its attempts, where anything is decided per attempt.
struct AttemptState {
    /// Made so far, those of a rival included.
    var count = 1
    var startedAt: UInt64 = 0
    /// The next attempt has to wait for its time.
    var isWaiting = false
    /// What has gone out of the client's body is kept, for another attempt.
    var keepsBody = false
    /// The other one of two attempts that run beside each other; kept by the gateway while it is at work, as this one.
    var rival: Borrowed<Fetch>?
}

extension Fetch {
    /// A client's request begins.
    func attemptsBegan(_ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime) {
        upstream.retryBudget.requestBegan()
        attempts.startedAt = loop.now
        // A tunnel is opened once, and what goes through it is no body.
        let isIdempotent = consumer.request.upstreamMethod.isIdempotent && !consumer.request.isUpgrading
        attempts.keepsBody = route.retry.attemptsMax > 1 && isIdempotent
        if let hedge = route.hedge, isIdempotent { planHedge(hedge, upstream) }
    }

    /// - Returns: nil where there is none to ask; the fetch has failed then.
    func pickEndpoint(_ upstream: UpstreamRuntime) -> Endpoint? {
        let isIdempotent = borrowedConsumer?({ $0.request.upstreamMethod.isIdempotent }) == true
        if let endpoint = upstream.pick(
            at: loop.now, avoiding: attempts.count > 1 ? endpoint : nil, mayTry: isIdempotent, &loop.random)
        {
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

    /// A piece of the client's body goes out; it stays at hand while there is not too much of it.
    func keepBody(_ bytes: UnsafeRawBufferPointer) {
        guard let consumer, let route else { return }
        if consumer.request.body.held.count + bytes.count > route.retry.bodyBytesMax {
            attempts.keepsBody = false
        } else {
            consumer.request.body.held.append(bytes)
        }
    }

    // MARK: - Outcomes

    /// The attempt has come to nothing.
    /// - Returns: whether it has been seen to: by another attempt, now or later, or by the one that runs beside it.
    func attemptFailed(_ cause: RetryPolicy.Cause) -> Bool {
        guard let consumer, let route, let upstream, let endpoint else { return false }
        // A connection that could not be made has told already.
        if cause != .connect { upstream.failed(endpoint, at: loop.now) }
        if attempts.rival != nil {
            withdraw(consumer)
            return true
        }
        guard let delay = delay(after: cause, consumer, route, upstream, endpoint) else { return false }
        letGo()
        waitForNext(delay)
        return true
    }

    /// The head of an answer is here.
    /// - Returns: whether another attempt takes its place.
    func attemptAnswered(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let upstream, let endpoint else { return false }
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
        if isFailure || route.retry.covers(cause) {
            noteRetryAfter(endpoint)
            if attempts.rival != nil {
                withdraw(consumer)
                return true
            }
            if let delay = delay(after: cause, consumer, route, upstream, endpoint) {
                answer.treatment = .again
                waitForNext(max(delay, 1_000_000))
                return true
            }
        }
        wakeBy = .max
        return false
    }

    /// Whoever asks for patience gets it (RFC 9110 §10.2.3), for an hour at most.
    private func noteRetryAfter(_ endpoint: Endpoint) {
        guard let seconds = QuotaFields.retryAfter(response.fields, now: loop.unixSeconds) else { return }
        endpoint.restsUntil = loop.now &+ UInt64(min(seconds, 3600)) * 1_000_000_000
    }

    // MARK: - Once more

    /// How long to wait before the next attempt; nil where there is none. It is paid for then.
    private func delay(
        after cause: RetryPolicy.Cause, _ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime,
        _ endpoint: Endpoint
    ) -> UInt64? {
        let now = loop.now
        // Nothing was sent without a connection; beyond that, twice may be once too often (RFC 9110 §9.2.2).
        guard route.retry.covers(cause), attempts.count < route.retry.attemptsMax, consumer.isUnanswered,
            cause == .connect || consumer.request.upstreamMethod.isIdempotent, isBodyAtHand
        else { return nil }
        let hasOther = upstream.hasOther(than: endpoint, at: now)
        if !hasOther, route.retry.needsOther || upstream.refuses && !endpoint.breaker.isWell { return nil }
        var delay: UInt64 = 0
        if cause != .connect || !hasOther { delay = route.retry.delay(after: attempts.count, &loop.random) }
        if !hasOther, endpoint.restsUntil > now { delay = max(delay, endpoint.restsUntil - now) }
        // No attempt that cannot finish.
        let expected = max(upstream.latency?.quantile(50) ?? 0, 1_000_000)
        guard now &+ delay &+ expected < completeBy, upstream.retryBudget.withdraw(at: now) else { return nil }
        return delay
    }

    private func waitForNext(_ delay: UInt64) {
        loop.counters.retries += 1
        attempts.count += 1
        if delay == 0 { return beginNext() }
        attempts.isWaiting = true
        wakeBy = loop.now &+ delay
        suspend()
    }

    /// ``wakeBy`` has come.
    func wake() {
        if attempts.isWaiting { beginNext() } else { hedge() }
    }

    private func beginNext() {
        attempts.isWaiting = false
        attempts.startedAt = loop.now
        wakeBy = .max
        tryAgain()
    }
}
