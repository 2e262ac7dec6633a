internal import SluiceContract
internal import SluiceHTTP

/// Two fetches for one consumer, each the other's rival: the first whose answer is judged good has the consumer for
/// itself, and the other is cancelled. What passes through is good by its status; what is checked, once it is proven or
/// has outgrown `hold:`. One that fails leaves the field to the other.
extension Fetch {
    var hasRival: Bool { attempts?.rival != nil }

    /// - Parameter hedge: a percentile says nothing before enough answers are known.
    func planHedge(_ hedge: HedgePolicy, _ upstream: UpstreamRuntime) {
        switch hedge {
        case .after(let wait): deadlines.planAttempt(at: loop.now &+ wait.nanosecondsClamped)
        case .percentile(let percent):
            if upstream.latency == nil { upstream.latency = LatencyHistogram() }
            if let wait = upstream.latency?.quantile(percent) { deadlines.planAttempt(at: loop.now &+ wait) }
        }
    }

    /// The answer takes long: the same request goes out once more, to another endpoint where there is one.
    func hedge() {
        armTimer()
        guard let attempts, attempts.rival == nil, let consumer, let route, let upstream, let endpoint,
            !answer.hasHead, consumer.request.body.isComplete, progress.canBeSentAgain
        else { return }
        let now = loop.now
        let expected = upstream.latency?.quantile(50) ?? 0
        guard now &+ expected < deadlines.totalBy,
            let other = upstream.pick(at: now, avoiding: endpoint, mayTry: true, &loop.random),
            upstream.retryBudget.withdraw(at: now)
        else { return }
        loop.counters.retries += 1
        upstream.cells.add(at: UpstreamCells.hedges)
        if notes.isOn { notes.event(.hedge, at: now) }
        let rival = pool.take()
        self.attempts?.count += 1
        self.attempts?.rival = rival
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
