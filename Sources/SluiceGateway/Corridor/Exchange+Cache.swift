internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// May a stored answer be used?
    func consultCache() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a cache without a route") }
        return route { route in
            guard let cache = route.cache else { return .fetch }
            return consult(route, cache)
        }
    }

    private func consult(_ route: Route, _ cache: CacheRoute) -> Step {
        let method = request.upstreamMethod
        guard method == .get || method == .head else {
            cacheWalk = makeWalk(CacheControl(), CacheStatus(.forwarded(.method)))
            return .fetch
        }
        guard !request.isUpgrading, request.head.framing == .none || request.head.framing == .length(0) else {
            cacheWalk = makeWalk(CacheControl(), CacheStatus(.forwarded(.bypass)))
            return .fetch
        }
        // What follows may end the exchange, which is possible once its request has been read to the end.
        if !request.body.isComplete {
            awaitsCache = true
            return .rest
        }
        let asks = CacheAsks(request.head.fields)
        // Else what the upstream says without the field would be kept for those who send it.
        if asks.contains(.nomination) {
            cacheWalk = makeWalk(CacheControl(), CacheStatus(.forwarded(.bypass)))
            return .fetch
        }
        let lookup = loopCache.lookUp(request, route, cache)
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
                // Before the client is answered: its exchange may serve another request after that (RFC 5861 §3).
                refresh(route, cache, lookup, asks)
                return serve(entry, control, detail: "stale-while-revalidate")
            case .forward(let why): reason = why
            }
        }
        let walk = makeWalk(control, CacheStatus(.forwarded(reason)))
        cacheWalk = walk
        let flight = request.flightKey(lookup.key, asks)
        if control.flags.contains(.onlyIfCached), !loopCache.mayAskTiers(lookup, flight, control) {
            walk.status.detail = "only-if-cached"
            return refused(.notStored)
        }
        // Who has credentials of its own may fare better than those that the error was kept for.
        if let problem = loopCache.notes.problem(lookup.key, now: loop.now),
            cache.policy.isPrivate || !request.forwardsCredentials(route)
        {
            walk.status = CacheStatus(.hit)
            walk.status.detail = "retry-after-error"
            walk.entry = lookup.entry
            return answerStale(walk, cache, for: problem, isKept: true) ? .rest : refused(problem)
        }
        walk.entry = lookup.entry
        // A HEAD that is not that of a slice goes upstream as it is, unless a tier has the answer to GET: there is no
        // body to store.
        if request.upstreamMethod == .head {
            request.cacheRole = .updates
            if !loopCache.mayAskTiers(lookup, flight, control) { return .fetch }
        }
        return join(walk, route, cache, lookup, flight, asks)
    }

    func makeWalk(_ control: CacheControl, _ status: CacheStatus) -> CacheWalk {
        request.record?.note(RecordedEvent(at: loop.now, kind: .cache(status.outcome.word)))
        return CacheWalk(self, control, status, since: loopCache.store.purges.number)
    }

    /// Waits for the answer that is on its way, or asks for it.
    private func join(
        _ walk: CacheWalk, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, _ flight: CacheKey,
        _ asks: CacheAsks
    ) -> Step {
        var (lookup, flight) = (lookup, flight)
        if let key = loopCache.fill(flight)?.otherKey(for: request.head.fields) {
            lookup = CacheLookup(primary: lookup.primary, key: key, entry: loopCache.find(key))
            flight = request.flightKey(key, asks)
        }
        loopCache.tally.missed()
        if let fill = loopCache.fill(flight) {
            walk.status.isCollapsed = true
            loopCache.tally.collapsed()
            fill.join(walk)
            return .rest
        }
        let isShared = !loopCache.notes.isUncacheable(flight, now: loop.now)
        let siblings = isShared ? loopCache.siblingFlights(of: request, route, asks) : []
        let leader = isShared ? loopCache.claim(flight, with: siblings) : nil
        // A HEAD has its place at the gates already, for which the other loop's request may be waiting.
        if leader != nil, request.upstreamMethod == .head { return .fetch }
        let fill = CacheFill(
            request, route, cache, lookup, flight: isShared ? flight : nil, control: walk.control,
            hasAuthorization: asks.contains(.authorization) && route.passesAuthorization, in: loopCache)
        fill.join(walk)
        if let leader, let own = loopCache.address {
            if loopCache.mayFollow(flight), fill.follow(leader, as: own, flight) {
                walk.status.isCollapsed = true
                loopCache.tally.collapsed()
            } else {
                loopCache.shared.takeOver(flight, for: own)
                fill.begin(request)
            }
        } else {
            fill.begin(request)
            for sibling in siblings where loopCache.fills[sibling] == nil { loopCache.giveUp(sibling) }
        }
        return .rest
    }

    /// Fetches anew for nobody in particular.
    private func refresh(_ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, _ asks: CacheAsks) {
        let flight = request.flightKey(lookup.key, asks)
        guard loopCache.fills[flight] == nil, loopCache.claim(flight) == nil else { return }
        let fill = CacheFill(
            request, route, cache, lookup, flight: flight, control: CacheControl(),
            hasAuthorization: asks.contains(.authorization) && route.passesAuthorization, in: loopCache)
        fill.begin(request)
    }
}
