internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// Requests that miss the cache: all that ask for the same share one upstream request.
extension LoopCache {
    /// Lets `walk` join the fill for its answer; where there is none, begins one.
    /// - Returns: whether the reader waits; else it asks the upstream itself.
    func join(
        _ walk: CacheWalk, _ request: BoundRequest, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup,
        _ flight: CacheKey, _ asks: CacheAsks
    ) -> Bool {
        var (lookup, flight) = (lookup, flight)
        if let fill = fill(flight), let key = fill.otherKey(for: request.head.fields) {
            lookup = CacheLookup(
                primary: lookup.primary, key: key, entry: answer(key),
                isByNote: fill.draft.place.variance?.search != nil)
            flight = request.flightKey(lookup, asks)
            // The stale answer that may replace an error is the variant's, too (RFC 5861 §4).
            walk.entry = lookup.entry
        }
        tally.missed()
        // A request with `only-if-cached` waits for no fill that asks the upstream, nor for another loop's, which may
        // come to do so: it asks the tiers alone (RFC 9111 §5.2.1.7).
        let isLocal = walk.control.flags.contains(.onlyIfCached)
        if let fill = fill(flight), !isLocal || fill.source.isTiers {
            walk.status.isCollapsed = true
            tally.collapsed()
            fill.join(walk)
            return true
        }
        let isShared = !notes.isUncacheable(flight, now: loop.now) && !(isLocal && fills[flight] != nil)
        let siblings = isShared ? siblingFlights(of: request, route, asks) : []
        let leader = isShared ? claim(flight, with: siblings) : nil
        // A HEAD already holds a place at the gates, and the other loop's request may be waiting for it.
        if leader != nil, request.upstreamMethod == .head, !isLocal { return false }
        let isAlone = isLocal && (leader != nil || !isShared)
        let fill = CacheFill(
            request, route, cache, lookup, flight: isShared || isAlone ? flight : nil, isFound: !isAlone,
            control: walk.control, hasAuthorization: asks.hasCredentials(route), in: self)
        fill.join(walk)
        if let leader, let address, !isAlone {
            if mayFollow(flight), fill.follow(leader, as: address, flight) {
                walk.status.isCollapsed = true
                tally.collapsed()
            } else {
                shared.takeOver(flight, for: address)
                fill.begin(request)
            }
        } else {
            fill.begin(request)
            for sibling in siblings where fills[sibling] == nil { giveUp(sibling) }
        }
        return true
    }

    /// The error that is answered again in the place of asking the upstream (`retry-after-error:`); nil where there is
    /// none, or where the client's own credentials may fare better than those of the client that got it.
    func keptProblem(
        for request: BoundRequest, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup
    ) -> Problem? {
        guard let problem = notes.problem(lookup.key, now: loop.now, store.epochs),
            cache.policy.isPrivate || !request.forwardsCredentials(route)
        else { return nil }
        return problem
    }

    /// Revalidates in the background (RFC 5861 §3).
    func refresh(
        _ request: BoundRequest, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, _ asks: CacheAsks
    ) {
        let flight = request.flightKey(lookup, asks)
        guard fills[flight] == nil, claim(flight) == nil else { return }
        let fill = CacheFill(
            request, route, cache, lookup, flight: flight, control: CacheControl(),
            hasAuthorization: asks.hasCredentials(route), in: self)
        fill.begin(request)
    }

    // MARK: - Siblings

    /// A sibling as this request would ask for it.
    struct SiblingPart {
        /// Number in the plan of the group.
        let slice: Int
        let route: Route
        let cache: CacheRoute
        let lookup: CacheLookup
        let flight: CacheKey
    }

    func siblings(of request: BoundRequest, _ place: SiblingGroup.Place, _ asks: CacheAsks) -> [SiblingPart] {
        var parts: [SiblingPart] = []
        for (slice, member) in place.group.members.enumerated() where slice != place.slice {
            let route = request.generation.table.routes[member]
            guard let cache = route.cache else { continue }
            let lookup = lookUp(request, route, cache)
            parts.append(
                SiblingPart(
                    slice: slice, route: route, cache: cache, lookup: lookup,
                    flight: request.flightKey(lookup, asks)))
        }
        return parts
    }

    /// The flights of a binding's siblings, where the upstream is asked at once; with tiers it is not.
    func siblingFlights(of request: BoundRequest, _ route: Route, _ asks: CacheAsks) -> [CacheKey] {
        guard let place = route.siblings, address != nil, shared.tiers == nil else { return [] }
        return siblings(of: request, place, asks).map(\.flight).filter { !notes.isUncacheable($0, now: loop.now) }
    }
}
