public import SluiceContract

/// One upstream on one event loop: its settings and its endpoints.
public final class UpstreamRuntime {
    public let settings: Upstream
    /// At least one.
    let endpoints: [Endpoint]
    /// The first endpoint, for upstreams that have no other.
    let endpoint: Endpoint
    let connectNanoseconds: UInt64
    let idleNanoseconds: UInt64
    let pingNanoseconds: UInt64
    let pingTimeoutNanoseconds: UInt64
    let gatherNanoseconds: UInt64
    /// The upstream is no longer configured: connections close when their exchange is over.
    var isRetired = false
    /// This loop's counters of the upstream.
    let cells: CounterSlab
    /// The counters of each endpoint, in their order; empty where endpoints are not counted.
    let endpointCells: [CounterSlab]
    /// Shared by the loops.
    let meter: AdmissionMeter
    let isMetered: Bool
    let pauseMaxNanoseconds: UInt64
    var surplusNotedAt: UInt64?
    /// Whether endpoints are picked per attempt: there are several, or a breaker, or health checks. If not, and the
    /// binding neither retries nor hedges, a request goes straight to ``endpoint``.
    let tracksEndpoints: Bool
    /// Whether requests are refused while every endpoint rests.
    let refuses: Bool
    /// How many endpoints may rest at the same time.
    private let restingMax: Int
    var retryBudget: RetryBudget
    /// Kept for bindings that hedge by a percentile.
    var latency: LatencyHistogram?

    /// - Parameters:
    ///   - cells: the upstream's counters.
    ///   - endpointCells: the counters of its endpoints, if they are counted.
    init(
        _ settings: Upstream, meter: AdmissionMeter, http2: HTTP2UpstreamStreams, now: UInt64, cells: CounterSlab,
        endpointCells: [CounterSlab] = []
    ) {
        self.settings = settings
        self.cells = cells
        self.endpointCells = endpointCells
        self.meter = meter
        isMetered = meter.rate != nil || meter.gate != nil
        pauseMaxNanoseconds = settings.pauseMax.nanosecondsClamped
        connectNanoseconds = settings.timeout.connect.nanosecondsClamped
        idleNanoseconds = settings.idle.nanosecondsClamped
        pingNanoseconds = settings.ping.nanosecondsClamped
        pingTimeoutNanoseconds = settings.pingTimeout.nanosecondsClamped
        gatherNanoseconds = settings.gather.nanosecondsClamped
        let policy = settings.breaker ?? BreakerPolicy()
        let rules = CircuitBreaker.Rules(policy)
        let origins = settings.endpoints
        endpoints = origins.map { Endpoint(settings, $0, rules, http2) }
        endpoint = endpoints[0]
        tracksEndpoints = origins.count > 1 || settings.breaker != nil || settings.health != nil
        refuses = settings.breaker?.refuses == true
        restingMax = refuses ? origins.count : max(1, origins.count * policy.restingPercentMax / 100)
        retryBudget = RetryBudget(settings.retryBudget, now: now)
    }

    /// No longer configured, or the daemon stops: idle connections close now, the others after their running requests.
    func retire() {
        isRetired = true
        for endpoint in endpoints { endpoint.retire() }
    }

    // MARK: - Picking

    /// The endpoint for an attempt: the less loaded of two drawn at random among those that are well.
    ///
    /// - Parameters:
    ///   - tried: the endpoint of the last attempt; asked again only where there is no other.
    ///   - mayTry: whether the request can serve as the trial of an endpoint whose rest is over.
    /// - Returns: nil where every endpoint rests and requests are refused then.
    func pick(at now: UInt64, avoiding tried: Endpoint?, mayTry: Bool, _ random: inout RandomSource) -> Endpoint? {
        var well: UInt64 = 0
        var due: UInt64 = 0
        for (index, endpoint) in endpoints.enumerated() where endpoint !== tried {
            if endpoint.isWell(at: now) { well |= 1 << UInt64(index) }
            if endpoint.breaker.isDue(at: now) { due |= 1 << UInt64(index) }
        }
        if due != 0, mayTry || well == 0 { return use(draw(due, &random), at: now) }
        if well != 0 { return lessLoaded(well, at: now, &random) }
        if let tried, tried.isWell(at: now) || tried.breaker.isDue(at: now) { return use(tried, at: now) }
        // If all endpoints are unwell, any of them is as good as another.
        return isRefusing ? nil : use(drawAny(avoiding: tried, &random), at: now)
    }

    /// Whether ``pick(at:avoiding:mayTry:_:)`` would find another endpoint than this one.
    func hasOther(than endpoint: Endpoint, at now: UInt64) -> Bool {
        if endpoints.count == 1 { return false }
        func isOpen(_ endpoint: Endpoint) -> Bool { endpoint.isWell(at: now) || endpoint.breaker.isDue(at: now) }
        if endpoints.contains(where: { $0 !== endpoint && isOpen($0) }) { return true }
        return !isOpen(endpoint) && !isRefusing
    }

    /// Whether requests are refused now, because every endpoint is unwell.
    private var isRefusing: Bool { refuses && endpoints.allSatisfy { !$0.breaker.isWell } }

    /// Seconds until an endpoint may be tried, for `Retry-After`; one at least.
    func restSeconds(at now: UInt64) -> Int {
        let until = endpoints.map { $0.breaker.isDown ? max($0.breaker.until, now) : $0.breaker.until }.min() ?? now
        return max(1, Int((max(until, now) - now + 999_999_999) / 1_000_000_000))
    }

    private func use(_ endpoint: Endpoint, at now: UInt64) -> Endpoint {
        endpoint.breaker.tried(at: now)
        return endpoint
    }

    private func lessLoaded(_ candidates: UInt64, at now: UInt64, _ random: inout RandomSource) -> Endpoint {
        let first = draw(candidates, &random)
        guard let index = endpoints.firstIndex(where: { $0 === first }) else { return first }
        let rest = candidates & ~(1 << UInt64(index))
        guard rest != 0 else { return first }
        let second = draw(rest, &random)
        // An endpoint that has just recovered sometimes yields to another, so that its share of requests grows slowly.
        if random.below(100) >= first.breaker.share(at: now) { return second }
        if random.below(100) >= second.breaker.share(at: now) { return first }
        return second.load < first.load ? second : first
    }

    private func draw(_ candidates: UInt64, _ random: inout RandomSource) -> Endpoint {
        var left = candidates
        for _ in 0..<random.below(UInt64(candidates.nonzeroBitCount)) { left &= left - 1 }
        return endpoints[left.trailingZeroBitCount]
    }

    private func drawAny(avoiding tried: Endpoint?, _ random: inout RandomSource) -> Endpoint {
        var candidates: UInt64 = 0
        for (index, endpoint) in endpoints.enumerated() where endpoint !== tried || endpoints.count == 1 {
            candidates |= 1 << UInt64(index)
        }
        return draw(candidates, &random)
    }

    /// Bytes after the end of an answer may belong to another client's answer: they are not read (RFC 9112 §6.3).
    func noteSurplus(_ loop: LoopContext) {
        if let last = surplusNotedAt, loop.now &- last < GatewayNotice.quietNanoseconds { return }
        surplusNotedAt = loop.now
        loop.notice?(.surplus(upstream: settings.name))
    }

    // MARK: - Outcomes

    /// An attempt has failed in a way that counts against `endpoint`.
    func failed(_ endpoint: Endpoint, at now: UInt64) {
        let resting = endpoints.count { !$0.breaker.isWell && $0 !== endpoint }
        endpoint.breaker.failed(at: now, mayRest: resting < restingMax)
    }

    /// No connection to `endpoint` was made. That the gateway itself is short of descriptors or ports tells nothing of
    /// the endpoint.
    func notConnected(_ endpoint: Endpoint, _ problem: Problem?, at now: UInt64) {
        if tracksEndpoints, problem?.kind != .overloaded { failed(endpoint, at: now) }
    }
}

extension UpstreamRuntime {
    func beginHealthChecks(_ loop: LoopContext) {
        guard let policy = settings.health else { return }
        for endpoint in endpoints {
            endpoint.healthCheck = HealthCheck(policy, of: endpoint, endpoint.http2.engine, loop) {
                [unowned endpoint, unowned loop] isHealthy in
                endpoint.breaker.probed(isHealthy: isHealthy, at: loop.now)
            }
        }
    }
}

extension Endpoint {
    func endHealthCheck() {
        healthCheck?.stop()
        healthCheck = nil
    }
}
