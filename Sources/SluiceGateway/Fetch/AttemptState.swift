internal import SluiceContract

/// What a fetch knows of its attempts, where there may be more than one (retries, hedges, several endpoints).
struct AttemptState {
    /// The attempts made so far, including those of the rival.
    private(set) var count = 1
    private(set) var startedAt: UInt64
    /// Set while a second attempt runs beside this one.
    private(set) var hedgedRequest: HedgedRequest?
    private var verdict = Verdict.open

    /// What the endpoint's breaker is told of the current attempt, once.
    private enum Verdict {
        /// No head of an answer has come.
        case open
        /// The head is good; whether the attempt is depends on the rest of the answer.
        case pending
        /// It has been told, or will not be.
        case reached
    }

    /// The first attempt of a request.
    init(at now: UInt64) {
        startedAt = now
    }

    /// A second attempt, parallel to the first one.
    init(beside first: Fetch, at now: UInt64) {
        count = first.attempts?.count ?? 1
        startedAt = now
        hedgedRequest = first.attempts?.hedgedRequest
    }

    /// Counts the next attempt.
    mutating func planNext() { count += 1 }

    // MARK: - Endpoints

    /// The endpoint for the next attempt; nil where none is available.
    func pick(from upstream: UpstreamRuntime, after last: Endpoint?, mayTry: Bool, _ loop: LoopContext) -> Endpoint? {
        upstream.pick(at: loop.now, avoiding: count > 1 ? last : nil, mayTry: mayTry, &loop.random)
    }

    static func noEndpoint(of upstream: UpstreamRuntime, at now: UInt64) -> Problem {
        let name = upstream.settings.name
        let seconds = upstream.restSeconds(at: now)
        var problem = Problem(
            .circuitOpen, detail: "'\(name)' has failed too often and is not asked at present; retry in \(seconds) s.")
        problem.retryAfterSeconds = seconds
        return problem
    }

    // MARK: - Outcomes

    /// The request is sent from its beginning: another attempt, or another request of the same fetch.
    mutating func sentAnew(at now: UInt64) { (verdict, startedAt) = (.open, now) }

    /// The head of an answer has arrived.
    /// - Returns: whether it counts as a failure of the endpoint.
    mutating func noteAnswer(
        status: Int, of endpoint: Endpoint, _ upstream: UpstreamRuntime, at now: UInt64
    ) -> Bool {
        upstream.latency?.record(nanoseconds: now &- startedAt)
        // RFC 9110 §15.6.2, §15.6.6: 501 and 505 are about the request, not about the endpoint's health.
        let isFailure = status >= 500 && status != 501 && status != 505
        if isFailure { failed(at: endpoint, upstream, now) } else { verdict = .pending }
        return isFailure
    }

    /// Whether a good head has come, and the rest of its answer has yet to prove it.
    var isPending: Bool { verdict == .pending }

    /// An attempt with a good head has ended. Unless its answer was cut or late, the endpoint has done its part: the
    /// answer is whole, or the gateway needs no more of it.
    mutating func ended(
        _ outcome: UpstreamCells.Outcome?, at endpoint: Endpoint, _ upstream: UpstreamRuntime, _ now: UInt64
    ) {
        guard isPending else { return }
        switch outcome {
        case .lost?, .timeout?: failed(at: endpoint, upstream, now)
        default:
            verdict = .reached
            endpoint.breaker.succeeded(at: now)
        }
    }

    /// The attempt has failed in a way that counts against the endpoint.
    mutating func failed(at endpoint: Endpoint, _ upstream: UpstreamRuntime, _ now: UInt64) {
        guard verdict != .reached else { return }
        verdict = .reached
        upstream.failed(endpoint, at: now)
    }

    /// The attempt is given up, for no fault of the endpoint: it counts neither way.
    mutating func givenUp() { verdict = .reached }

    // MARK: - Hedges

    /// The hedge is sent.
    mutating func hedged(as request: HedgedRequest) {
        count += 1
        hedgedRequest = request
    }

    /// One of the two attempts carries on alone.
    mutating func separated() { hedgedRequest = nil }
}
