internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

extension Corridor {
    /// An exchange is over: it is counted, and reported to the access log and to followers of requests.
    func report(_ exchange: Exchange) {
        let report = ExchangeReport(exchange)
        // Requests to the admin socket are not counted. Checked here, where the exchange is borrowed.
        if exchange.request.client.borrowed?({ $0.admin == nil }) == true { report.count() }
        if exchange.request.trace != nil { tracer?.end(exchange) }
        // Only the composed answer is logged, not its parts.
        if exchange.request.isPart {
            if exchange.request.contents != nil {
                inspector?.endPart(exchange)
                exchange.request.contents = nil
            }
            return
        }
        let isFollowed = borrowedFeed?({ $0.isFollowed }) == true
        guard isFollowed || accessLog != nil || exchange.request.contents != nil else { return }
        let entry = report.accessEntry
        // Polls of watched values are not logged: the requests of the watchers are.
        if !exchange.request.isPoll { accessLog?(entry) }
        if exchange.request.contents != nil { inspector?.end(exchange, entry) }
        if exchange.request.isPoll { return }
        // Followers are clients of the admin socket, and do not see its own requests.
        if isFollowed, exchange.request.client?.admin == nil { feed?.tell(entry) }
    }
}

/// The report of an exchange that is over. It lives no longer than one call.
struct ExchangeReport {
    private unowned(unsafe) let exchange: Exchange
    private var request: BoundRequest { exchange.request }
    private var loop: LoopContext { exchange.loop }
    private var walk: CacheWalk? { exchange.cacheWalk }
    private var isPlainHit: Bool { exchange.answer.form == .stored }

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    // MARK: - Metrics

    /// The one place where a finished exchange is counted.
    func count() {
        let cells = exchange.borrowedRoute?({ request.generation.cells(of: $0) }) ?? loop.metrics.unbound
        if request.isPart {
            let isAnswered = 200..<300 ~= exchange.answer.status
            return cells.add(at: isAnswered ? BindingCells.parts : BindingCells.failedParts)
        }
        if request.isPoll {
            let isAnswered = 200..<300 ~= exchange.answer.status || exchange.answer.status == 304
            return cells.add(at: isAnswered ? BindingCells.polls : BindingCells.failedPolls)
        }
        cells.add(at: BindingCells.requests(request.head.method, status: exchange.answer.status))
        cells.add(UInt64(truncatingIfNeeded: request.body.receivedBytes), at: BindingCells.receivedBytes)
        cells.add(UInt64(truncatingIfNeeded: exchange.answer.bytes), at: BindingCells.sentBytes)
        if let problem = exchange.problem { cells.add(at: BindingCells.problem(problem.kind)) }
        if isPlainHit { cells.add(at: BindingCells.hits) } else { countWalk(cells) }
        // How long a tunnel or a stream of events or messages stays open says nothing about the gateway.
        if !exchange.isTunnel, !exchange.isAnswerEndless, walk?.isAnswerEndless != true { countTime(cells) }
    }

    @inline(__always)
    private func countWalk(_ cells: CounterSlab) {
        guard let walk else { return }
        switch walk.status.outcome {
        case .hit: cells.add(at: BindingCells.hits)
        case .forwarded(let reason): cells.add(at: BindingCells.forwarded(reason))
        }
        if walk.status.isCollapsed { cells.add(at: BindingCells.collapsed) }
    }

    @inline(__always)
    private func countTime(_ cells: CounterSlab) {
        let buckets = loop.metrics.buckets
        let whole = loop.now &- exchange.startedAt
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
            exchange.route?.binding.name ?? MetricsRegistry.unbound)
    }

    /// How long upstreams worked for the request. A collapsed request waits for the upstream, too.
    private var upstreamNanoseconds: UInt64 {
        let own = exchange.upstreamTime.nanoseconds(at: loop.now)
        guard let walk else { return own }
        if walk.status.isCollapsed { return .max }
        return max(own, walk.upstreamNanoseconds(at: loop.now))
    }

    // MARK: - The access log

    var accessEntry: AccessEntry {
        var entry = AccessEntry(
            client: request.client?.address ?? [], method: request.head.methodName, target: request.head.target,
            version: request.head.version, status: exchange.answer.status, bytes: exchange.answer.bytes,
            receivedBytes: request.body.receivedBytes, nanoseconds: loop.now &- exchange.startedAt,
            binding: exchange.route?.binding.name, problem: exchange.problem?.kind, clientName: request.clientName,
            credential: credential, traceID: request.trace?.id, upstream: upstreamUse, cache: cacheUse)
        for index in 0..<request.head.fields.count {
            switch request.head.fields[index].id {
            case .referer: entry.referer = request.head.fields.value(index)
            case .userAgent: entry.userAgent = request.head.fields.value(index)
            default: break
            }
        }
        return entry
    }

    /// The credential that the answer was obtained with; nil where the request ended before it needed one.
    private var credential: String? {
        guard let route = exchange.route, !route.credentials.isNone else { return nil }
        if let kind = exchange.problem?.kind, [.client, .gateway].contains(kind.source) { return nil }
        return request.credential(route)?.name
    }

    private var upstreamUse: AccessEntry.UpstreamUse? {
        guard let route = exchange.route, !isPlainHit else { return nil }
        let isCollapsed = walk?.status.isCollapsed == true
        let attempts = exchange.upstreamTime.attempts + (isCollapsed ? 0 : walk?.upstreamAttempts ?? 0)
        guard attempts > 0 || isCollapsed else { return nil }
        let name = request.generation.upstreams[route.upstream].settings.name
        return .init(
            name: name, attempts: attempts, nanoseconds: min(upstreamNanoseconds, loop.now &- exchange.startedAt))
    }

    private var cacheUse: AccessEntry.CacheUse? {
        if isPlainHit { return .init(outcome: "hit") }
        guard let status = walk?.status else { return nil }
        return .init(outcome: status.outcome.word, isCollapsed: status.isCollapsed, detail: status.detail)
    }
}
