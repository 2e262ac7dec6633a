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
        let method = upstreamMethod
        guard method == .get || method == .head else {
            cacheWalk = CacheWalk(self, CacheControl(), CacheStatus(.forwarded(.method)))
            return .fetch
        }
        guard !isUpgrading, request.framing == .none || request.framing == .length(0) else {
            cacheWalk = CacheWalk(self, CacheControl(), CacheStatus(.forwarded(.bypass)))
            return .fetch
        }
        // What follows may end the exchange, which is possible once its request has been read to the end.
        if !body.isComplete {
            awaitsCache = true
            return .rest
        }
        let asks = CacheAsks(request.fields)
        // Else what the upstream says without the field would be kept for those who send it.
        if asks.contains(.nomination) {
            cacheWalk = CacheWalk(self, CacheControl(), CacheStatus(.forwarded(.bypass)))
            return .fetch
        }
        let lookup = lookUp(route, cache)
        if let entry = lookup.entry, asks.isEmpty, gateway.now < entry.freshUntil, cache.servesFresh {
            answerFresh(entry)
            return .rest
        }
        let control = asks.contains(.directives) ? CacheControl(asking: request.fields) : CacheControl()
        return consult(route, cache, lookup, asks, control)
    }

    private func consult(
        _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, _ asks: CacheAsks, _ control: CacheControl
    ) -> Step {
        var reason = lookup.missReason
        if let entry = lookup.entry {
            switch Reuse.decide(entry.time(gateway.now), request: control, serve: cache.serve) {
            case .fresh, .stale: return serve(entry, control)
            case .staleWhileRevalidate:
                // Before the client is answered: its exchange may serve another request after that (RFC 5861 §3).
                refresh(route, cache, lookup, asks)
                return serve(entry, control, detail: "stale-while-revalidate")
            case .forward(let why): reason = why
            }
        }
        let walk = CacheWalk(self, control, CacheStatus(.forwarded(reason)))
        cacheWalk = walk
        if control.flags.contains(.onlyIfCached), !mayAskTiers(lookup, flightKey(lookup.key, asks), control) {
            walk.status.detail = "only-if-cached"
            return refused(.notStored)
        }
        // Who has credentials of its own may fare better than those that the error was kept for.
        if let problem = gateway.desk.notes.problem(lookup.key, now: gateway.now),
            cache.policy.isPrivate || !forwardsCredentials(route)
        {
            walk.status = CacheStatus(.hit)
            walk.status.detail = "retry-after-error"
            walk.entry = lookup.entry
            return answerStale(walk, cache, for: problem, isKept: true) ? .rest : refused(problem)
        }
        walk.entry = lookup.entry
        // A HEAD that is not that of a slice goes upstream as it is, unless a tier has the answer to GET: there is no
        // body to store.
        if upstreamMethod == .head, !mayAskTiers(lookup, flightKey(lookup.key, asks), control) { return .fetch }
        return join(walk, route, cache, lookup, asks)
    }

    /// Waits for the answer that is on its way, or asks for it.
    private func join(
        _ walk: CacheWalk, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, _ asks: CacheAsks
    ) -> Step {
        var (lookup, flight) = (lookup, flightKey(lookup.key, asks))
        if let key = gateway.desk.filling(flight)?.otherKey(for: request.fields) {
            lookup = CacheLookup(primary: lookup.primary, key: key, entry: gateway.desk.find(key))
            flight = flightKey(key, asks)
        }
        gateway.desk.tally.missed()
        if let filling = gateway.desk.filling(flight) {
            walk.status.isCollapsed = true
            gateway.desk.tally.collapsed()
            filling.join(walk)
            return .rest
        }
        let isShared = !gateway.desk.notes.isUncacheable(flight, now: gateway.now)
        let siblings = isShared ? siblingFlights(route, asks) : []
        let leader = isShared ? claim(flight, with: siblings) : nil
        // A HEAD has its place at the gates already, for which the other loop's request may be waiting.
        if leader != nil, upstreamMethod == .head { return .fetch }
        let filling = Filling(
            self, route, cache, lookup, flight: isShared ? flight : nil, control: walk.request,
            hasAuthorization: asks.contains(.authorization) && route.passesAuthorization)
        filling.join(walk)
        if let leader, let own = gateway.address {
            walk.status.isCollapsed = true
            gateway.desk.tally.collapsed()
            filling.follow(leader, as: own, flight)
        } else {
            filling.begin(self, route)
            for sibling in siblings where gateway.desk.fillings[sibling] == nil { giveUp(sibling) }
        }
        return .rest
    }

    /// The loop that asks for this already; nil where this one does now.
    func claim(_ flight: CacheKey, with siblings: [CacheKey] = []) -> LoopAddress? {
        guard let own = gateway.address, !gateway.isDraining else { return nil }
        return gateway.desk.shared.claim(flight, with: siblings, for: own)
    }

    private func giveUp(_ flight: CacheKey) {
        if let own = gateway.address { gateway.desk.shared.giveUp(flight, for: own) }
    }

    /// Fetches anew for nobody in particular.
    private func refresh(_ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, _ asks: CacheAsks) {
        let flight = flightKey(lookup.key, asks)
        guard gateway.desk.fillings[flight] == nil, claim(flight) == nil else { return }
        let filling = Filling(
            self, route, cache, lookup, flight: flight, control: CacheControl(),
            hasAuthorization: asks.contains(.authorization) && route.passesAuthorization)
        filling.begin(self, route)
    }

    // MARK: - Keys

    /// What selects the answer before any `Vary` (RFC 9111 §2).
    func cacheKey(_ route: Route, _ cache: CacheRoute, target: UnsafeRawBufferPointer) -> CacheKey {
        var hash = SipHash(gateway.desk.store.secret.0, gateway.desk.store.secret.1)
        hash.combine(cache.salt.0)
        hash.combine(cache.salt.1)
        hash.combine(credentialIdentity(route))
        if let positions = cache.keyParameters {
            let path = target.prefix { $0 != UInt8(ascii: "?") }
            hash.combine(run: UnsafeRawBufferPointer(rebasing: path))
            combine(positions, into: &hash)
        } else {
            hash.combine(run: target)
            if !cache.fieldParameters.isEmpty { combine(cache.fieldParameters, into: &hash) }
        }
        if !cache.varyNames.isEmpty { VaryKey.combine(cache.varyNames, of: request.fields, into: &hash) }
        if cache.variesOnHost { hash.combine(run: request.authority) }
        ForwardedClient(self, cache.forwarded(isNamed: clientName != nil)).combine(into: &hash)
        if cache.policy.isPrivate { combineClient(into: &hash) }
        return CacheKey(hash)
    }

    private func combine(_ positions: [Int], into hash: inout SipHash) {
        for position in positions {
            for entry in values.entries where entry.parameter == position {
                hash.combine(UInt64(truncatingIfNeeded: position))
                hash.combine(run: values.bytes(entry))
            }
        }
    }

    /// The bearer that goes upstream, by a keyed hash.
    private func credentialIdentity(_ route: Route) -> UInt64 {
        guard route.sendsBearer else { return 0 }
        return Borrowed(generation.upstreams[route.upstream])({ $0.token.identity(gateway.desk.store.secret) })
    }

    /// Who the client is, where each has entries of its own: its name under `clients:`, or else its address.
    private func combineClient(into hash: inout SipHash) {
        if let client = sink?.client {
            if var name = clientName {
                name.withUTF8 { hash.combine(run: UnsafeRawBufferPointer($0)) }
            } else {
                client.address.withUnsafeBytes { hash.combine(run: $0) }
            }
            if let credentials = client.credentials { hash.combine(UInt64(credentials.user)) }
        }
        for index in 0..<request.fields.count {
            switch request.fields[index].id {
            case .authorization, .cookie, .xAPIKey:
                hash.combine(UInt64(request.fields[index].id.rawValue))
                hash.combine(run: request.fields.value(index))
            default: break
            }
        }
    }

    /// Whom a request may share an upstream request with: nobody whose own credentials are others (RFC 9111 §3.5).
    func flightKey(_ key: CacheKey, _ asks: CacheAsks) -> CacheKey {
        guard asks.contains(.authorization) else { return key }
        var hash = SipHash(key.high, key.low)
        for index in 0..<request.fields.count where request.fields[index].id == .authorization {
            hash.combine(run: request.fields.value(index))
        }
        return CacheKey(hash)
    }

    /// Whether its answer may be stored, or bring up to date what is.
    var feedsCache: Bool {
        if isFill { return true }
        guard upstreamMethod == .head, let walk = cacheWalk else { return false }
        switch walk.status.outcome {
        case .forwarded(.method), .forwarded(.bypass): return false
        default: return true
        }
    }

    /// What the upstream is told of the client.
    func forwardedRule(_ route: Route) -> ForwardedRule {
        guard let cache = route.cache, feedsCache else { return route.forwarded }
        return cache.forwarded(isNamed: clientName != nil)
    }

    /// What is stored for this request.
    @inline(__always)
    func lookUp(_ route: Route, _ cache: CacheRoute) -> CacheLookup {
        let primary = cacheKey(route, cache, target: target.bytes)
        let (key, entry) = find(primary, route, cache)
        return CacheLookup(primary: primary, key: key, entry: entry)
    }

    /// The entry of this request: by its key, by the fields that the stored answer varies with, or by the part of its
    /// query that matters.
    func find(
        _ primary: CacheKey, _ route: Route, _ cache: CacheRoute
    ) -> (key: CacheKey, entry: StoredResponse?) {
        if let entry = gateway.desk.find(primary) {
            guard let variance = entry.variance else { return (primary, entry) }
            // Without a query the target is the path that all queries have in common.
            let base = variance.search?.key(primary, target.bytes) ?? primary
            let key = variance.key(base, request.fields)
            return (key, gateway.desk.find(key))
        }
        guard let path = pathKey(route, cache) else { return (primary, nil) }
        guard let variance = gateway.desk.find(path)?.variance, let search = variance.search else {
            return (primary, nil)
        }
        let key = variance.key(search.key(path, target.bytes), request.fields)
        return (key, gateway.desk.find(key))
    }

    /// Stands for what is behind the request, whoever asks and however: what an unsafe request changes (§4.4).
    func resourceHash(_ target: UnsafeRawBufferPointer, _ upstream: Upstream) -> UInt64 {
        var hash = SipHash(gateway.desk.store.secret.1, gateway.desk.store.secret.0)
        var name = upstream.name
        name.withUTF8 { hash.combine(UnsafeRawBufferPointer($0)) }
        hash.combine(target)
        return hash.finish().0
    }
}

extension StoredResponse.Variance {
    func key(_ primary: CacheKey, _ request: borrowing HeaderBlock) -> CacheKey {
        if fields.isEmpty { return primary }
        var hash = SipHash(primary.high, primary.low)
        VaryKey.combine(fields, of: request, into: &hash)
        return CacheKey(hash)
    }
}

extension NoVarySearch {
    func key(_ path: CacheKey, _ target: UnsafeRawBufferPointer) -> CacheKey {
        var hash = SipHash(path.high, path.low)
        combine(target, into: &hash)
        return CacheKey(hash)
    }
}
