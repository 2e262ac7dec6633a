internal import SluiceContract

/// What a fetch knows of its attempts, where anything is decided per attempt.
struct AttemptState {
    /// Made so far, those of a rival included.
    private(set) var count = 1
    private(set) var startedAt: UInt64
    /// The other one of two attempts that run beside each other; kept by the gateway while it is at work, as this one.
    var rival: Borrowed<Fetch>?

    /// The first attempt of a request.
    init(at now: UInt64) {
        startedAt = now
    }

    /// An attempt beside the first one.
    init(beside first: Fetch, at now: UInt64) {
        count = first.attempts?.count ?? 1
        startedAt = now
        rival = Borrowed(first)
    }

    /// Another one is to be made.
    mutating func planNext() { count += 1 }

    /// It begins.
    mutating func began(at now: UInt64) { startedAt = now }

    // MARK: - Endpoints

    /// Where the request goes next; nil where there is none to ask.
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

    /// The head of an answer is here.
    /// - Returns: whether it says that the endpoint is not doing well.
    func noteAnswer(status: Int, of endpoint: Endpoint, _ upstream: UpstreamRuntime, at now: UInt64) -> Bool {
        upstream.latency?.record(nanoseconds: now &- startedAt)
        // RFC 9110 §15.6.2, §15.6.6: these two say something of the request, not of how the endpoint is doing.
        let isFailure = status >= 500 && status != 501 && status != 505
        if isFailure { upstream.failed(endpoint, at: now) } else { endpoint.breaker.succeeded(at: now) }
        return isFailure
    }

    // MARK: - Hedges

    /// How long an answer may take before the request goes out once more; nil where that is not known.
    /// - Parameter hedge: a percentile says nothing before enough answers are known.
    static func wait(_ hedge: HedgePolicy, _ upstream: UpstreamRuntime) -> UInt64? {
        switch hedge {
        case .after(let wait): return wait.nanosecondsClamped
        case .percentile(let percent):
            if upstream.latency == nil { upstream.latency = LatencyHistogram() }
            return upstream.latency?.quantile(percent)
        }
    }

    /// Where a second attempt may go; nil where it could not finish, has nowhere to go, or is not paid for.
    func pickHedge(from upstream: UpstreamRuntime, beside endpoint: Endpoint, by totalBy: UInt64, _ loop: LoopContext)
        -> Endpoint?
    {
        let expected = upstream.latency?.quantile(50) ?? 0
        guard loop.now &+ expected < totalBy,
            let other = upstream.pick(at: loop.now, avoiding: endpoint, mayTry: true, &loop.random),
            upstream.retryBudget.withdraw(at: loop.now)
        else { return nil }
        return other
    }

    /// It goes out.
    mutating func hedged(by other: Borrowed<Fetch>) {
        count += 1
        rival = other
    }
}
