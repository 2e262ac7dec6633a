internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

// The stage `consultCache`. The ``LoopCache`` knows the fills that are running for other requests; a ``CacheWalk``
// answers from the store, except for the plain hit.
extension Exchange {
    /// May a stored answer be used?
    func consultCache() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a cache without a route") }
        return route { route in
            guard let cache = route.cache.borrowed else { return .fetch }
            return cache { consult(route, $0) }
        }
    }

    private func consult(_ route: Route, _ cache: CacheRoute) -> Step {
        let method = request.upstreamMethod
        guard method == .get || method == .head else {
            beginWalk(CacheControl(), CacheStatus(.forwarded(.method)))
            return .fetch
        }
        guard !request.isUpgrading, request.head.framing == .none || request.head.framing == .length(0) else {
            beginWalk(CacheControl(), CacheStatus(.forwarded(.bypass)))
            return .fetch
        }
        if intake.waitsForEnd(self) { return .rest }
        let asks = CacheAsks(request.head.fields)
        if asks.passBy(route) {
            let control = CacheControl(asking: request.head.fields)
            let walk = beginWalk(control, CacheStatus(.forwarded(.bypass)))
            guard control.flags.contains(.onlyIfCached) else { return .fetch }
            walk.status.detail = "only-if-cached"
            return refused(.notStored)
        }
        let key = loopCache.key(of: request, route, cache, target: request.target.bytes)
        if asks.isEmpty, cache.servesFresh,
            loopCache.withFreshAnswer(key, to: request, route, cache, { answerFresh($0) })
        {
            return .rest
        }
        let lookup = loopCache.lookUp(request, route, cache, by: key)
        if let entry = lookup.entry, asks.isEmpty, loop.now < entry.freshUntil, cache.servesFresh {
            answerFresh(entry)
            return .rest
        }
        let control = asks.contains(.directives) ? CacheControl(asking: request.head.fields) : CacheControl()
        return consult(route, cache, lookup, asks, control)
    }

    private func consult(
        _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, _ asks: CacheAsks, _ control: CacheControl
    ) -> Step {
        var reason = lookup.missReason
        if let entry = lookup.entry {
            switch Reuse.decide(entry.time(loop.now), request: control, serve: cache.serve) {
            case .fresh, .stale: return serve(entry, control)
            case .staleWhileRevalidate:
                // Before the client is answered, because its exchange may then serve another request (RFC 5861 §3).
                loopCache.refresh(request, route, cache, lookup, asks)
                return serve(entry, control, detail: "stale-while-revalidate")
            case .forward(let why): reason = why
            }
        }
        let walk = beginWalk(control, CacheStatus(.forwarded(reason)))
        let flight = request.flightKey(lookup, asks)
        if control.flags.contains(.onlyIfCached), !loopCache.mayAskTiers(lookup, flight, control) {
            walk.status.detail = "only-if-cached"
            return refused(.notStored)
        }
        if let problem = loopCache.keptProblem(for: request, route, cache, lookup) {
            walk.status = CacheStatus(.hit)
            walk.status.detail = "retry-after-error"
            walk.entry = lookup.entry
            return walk.serveStale(cache, for: problem, isKept: true) ? .rest : refused(problem)
        }
        walk.entry = lookup.entry
        // A HEAD for an answer that is not a slice goes to the upstream, unless a cache tier has the answer to GET: it
        // brings no body to store.
        if request.upstreamMethod == .head {
            request.cacheRole = .updates
            if !loopCache.mayAskTiers(lookup, flight, control) { return .fetch }
        }
        // Not after the walk has joined: that may answer the request, which is the end of what keeps `cache` alive.
        let patience = cache.patienceNanoseconds
        guard loopCache.join(walk, request, route, cache, lookup, flight, asks) else { return .fetch }
        if let patience { waitPatiently(walk, usual: patience) }
        return .rest
    }

    @discardableResult
    private func beginWalk(_ control: CacheControl, _ status: CacheStatus) -> CacheWalk {
        request.record?.note(RecordedEvent(at: loop.now, kind: .cache(status.outcome.word)))
        let walk = CacheWalk(self, control, status, since: loopCache.store.purges.number)
        cacheWalk = walk
        return walk
    }

    // MARK: - Answers

    /// Sends a fresh stored answer unchanged, to a request without directives, conditions or a range.
    private func answerFresh(_ entry: StoredResponse) {
        entry.used()
        loopCache.tally.hit()
        answer.begin(entry, to: request.head.method)
        if entry.bodyCount <= CacheWalk.copiedBytesMax {
            answerBody(entry.body, lifetime: .call)
            return answerEnd()
        }
        beginWalk(CacheControl(), CacheStatus(.hit)).readWhole(entry)
    }

    /// Answers a request with conditions, ranges or directives from the store; or any request with a stale answer.
    private func serve(_ entry: StoredResponse, _ control: CacheControl, detail: String? = nil) -> Step {
        var status = CacheStatus(.hit)
        status.detail = detail
        loopCache.tally.hit()
        beginWalk(control, status).serve(entry)
        return .rest
    }

    /// The epoch counters that the answer with these fields depends on (``Epochs``).
    func slotsOfAnswer(_ fields: borrowing HeaderBlock) -> [UInt32] {
        if let stored = cacheWalk?.dependencies { return stored.map(\.slot) }
        return route.map { loopCache.slots(fields, to: request, $0) } ?? []
    }

    /// Adds `Cache-Status` (RFC 9211), where the cache was consulted.
    func appendCacheStatus(_ fields: inout HeaderBlock) {
        guard let walk = cacheWalk else { return }
        Array(walk.status.text.utf8).withUnsafeBytes { fields.append(.cacheStatus, value: $0) }
    }
}
