internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The one place where a finished exchange is counted.
extension Exchange {
    func count() {
        guard let client = request.client, client.admin == nil else { return }
        let cells = borrowedRoute?({ request.generation.cells(of: $0) }) ?? loop.metrics.unbound
        cells.add(at: BindingCells.requests(request.head.method, status: status))
        cells.add(UInt64(truncatingIfNeeded: request.body.receivedBytes), at: BindingCells.receivedBytes)
        cells.add(UInt64(truncatingIfNeeded: answerBytes), at: BindingCells.sentBytes)
        if let problem { cells.add(at: BindingCells.problem(problem.kind)) }
        if isPlainHit { cells.add(at: BindingCells.hits) } else { countCacheWalk(cells) }
        // How long a tunnel stays open says nothing of the gateway; nor how long a stream of events or messages does.
        if !isTunnel, !isAnswerEndless, cacheWalk?.isAnswerEndless != true { countTime(cells) }
    }

    @inline(__always)
    private func countCacheWalk(_ cells: CounterSlab) {
        guard let cacheWalk else { return }
        switch cacheWalk.status.outcome {
        case .hit: cells.add(at: BindingCells.hits)
        case .forwarded(let reason): cells.add(at: BindingCells.forwarded(reason))
        }
        if cacheWalk.status.isCollapsed { cells.add(at: BindingCells.collapsed) }
    }

    @inline(__always)
    private func countTime(_ cells: CounterSlab) {
        let buckets = loop.metrics.buckets
        let whole = loop.now &- startedAt
        let upstream = min(upstreamNanoseconds, whole)
        buckets.record(whole, in: cells, at: BindingCells.wholeTime)
        if request.record != nil { noteExemplar(whole, buckets) }
        buckets.record(whole - upstream, in: cells, at: BindingCells.gatewayTime(buckets))
        if upstream > 0 { buckets.record(upstream, in: cells, at: BindingCells.upstreamTime(buckets)) }
    }

    private func noteExemplar(_ nanoseconds: UInt64, _ buckets: TimeBuckets) {
        guard let trace = request.trace, trace.isSampled else { return }
        loop.metrics.registry.exemplars.note(
            .init(trace: trace.id, nanoseconds: nanoseconds, unixSeconds: loop.unixSeconds),
            inBucket: buckets.bucket(of: nanoseconds), of: buckets.count,
            route?.binding.name ?? MetricsRegistry.unbound)
    }

    /// How long upstreams were at work for it. Who waits for another one's request waits for the upstream, too.
    var upstreamNanoseconds: UInt64 {
        let own = upstreamTime.nanoseconds(at: loop.now)
        guard let cacheWalk else { return own }
        if cacheWalk.status.isCollapsed { return .max }
        return max(own, cacheWalk.upstreamNanoseconds(at: loop.now))
    }

    /// The credential that the answer stands for; nil where the request did not come so far as to need one.
    var answeredCredential: String? {
        guard let route, !route.credentials.isNone else { return nil }
        if let kind = problem?.kind, [.client, .gateway].contains(kind.source) { return nil }
        return request.credential(route)?.name
    }
}
