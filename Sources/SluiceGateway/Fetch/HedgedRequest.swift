internal import SluiceContract

/// A request that is hedged because its answer takes long: two fetches make an attempt each, and each is the other's
/// rival. The first whose answer is judged good keeps the consumer, and the other is cancelled. An answer that is
/// passed through is good by its status, and so is one to a change that invalidates stored answers; any other that is
/// checked, once it is validated or has outgrown `hold:`. If one attempt fails, the other carries on alone.
///
/// Both fetches hold this value (``AttemptState/hedgedRequest``) until one of them wins, fails or is cancelled; then
/// neither does.
struct HedgedRequest {
    /// The gateway keeps both alive while they are at work.
    private let first: Borrowed<Fetch>
    private let second: Borrowed<Fetch>

    // MARK: - Its beginning

    /// How long to wait for an answer before the request is hedged; nil where that is not known.
    /// - Parameter hedge: a percentile needs enough recorded answers.
    static func wait(_ hedge: HedgePolicy, _ upstream: UpstreamRuntime) -> UInt64? {
        switch hedge {
        case .after(let wait): return wait.nanosecondsClamped
        case .percentile(let percent):
            if upstream.latency == nil { upstream.latency = LatencyHistogram() }
            return upstream.latency?.quantile(percent)
        }
    }

    /// The answer to `first` takes long: its request is hedged, at another endpoint where there is one.
    static func begin(beside first: Fetch) {
        let loop = first.loop
        guard let attempts = first.attempts, attempts.hedgedRequest == nil, let consumer = first.consumer,
            let route = first.route, let upstream = first.upstream, let endpoint = first.endpoint,
            !first.answer.hasHead, consumer.request.body.isComplete, first.attempt.progress.canBeSentAgain,
            let other = pick(from: upstream, beside: endpoint, by: first.deadlines.totalBy, loop)
        else { return }
        loop.counters.retries += 1
        upstream.cells.add(at: UpstreamCells.hedges)
        if first.attempt.notes.isOn { first.attempt.notes.event(.hedge, at: loop.now) }
        let second = first.pool.take()
        first.attempts?.hedged(as: HedgedRequest(first: Borrowed(first), second: second))
        second { $0.start(beside: first, consumer, route, upstream, at: other) }
    }

    /// The endpoint for a hedge; nil where it could not finish in time, no endpoint is free, or the retry budget is
    /// spent.
    private static func pick(
        from upstream: UpstreamRuntime, beside endpoint: Endpoint, by totalBy: UInt64, _ loop: LoopContext
    ) -> Endpoint? {
        let expected = upstream.latency?.quantile(50) ?? 0
        guard loop.now &+ expected < totalBy,
            let other = upstream.pick(at: loop.now, avoiding: endpoint, mayTry: true, &loop.random),
            upstream.retryBudget.withdraw(at: loop.now)
        else { return nil }
        return other
    }

    // MARK: - Its end

    /// The other of the two.
    func rival(of fetch: Fetch) -> Borrowed<Fetch> {
        let isFirst = first { $0 === fetch }
        return isFirst ? second : first
    }

    /// The answer of `winner` is used, and its rival is cancelled.
    func won(by winner: Fetch, _ consumer: FetchConsumer) {
        cancelRival(of: winner)
        carryOn(Borrowed(winner), consumer)
    }

    /// The attempt of `loser` has failed: its rival carries on alone.
    func lost(by loser: Fetch, _ consumer: FetchConsumer) {
        separate()
        carryOn(rival(of: loser), consumer)
        loser.leaveConsumer()
    }

    /// The attempt beside the one of `fetch` is given up.
    func cancelRival(of fetch: Fetch) {
        separate()
        let other = rival(of: fetch)
        other { $0.giveUp() }
    }

    /// One of the two is left. A poll has the validators of the head that came last, which may be the other's.
    private func carryOn(_ left: Borrowed<Fetch>, _ consumer: FetchConsumer) {
        consumer.borrowedFetch = left
        guard let validators = consumer.request.validators else { return }
        let fetch = left.object
        if fetch.answer.hasHead { validators.note(fetch.response) }
    }

    /// Makes the two fetches forget each other.
    private func separate() {
        first { $0.attempts?.separated() }
        second { $0.attempts?.separated() }
    }
}
