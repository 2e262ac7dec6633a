internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The keys of a request's answer, and the entry that was found.
struct CacheLookup {
    /// Before any `Vary`.
    var primary: CacheKey
    var key: CacheKey
    /// Requests with the same flight may wait for one answer. Targets that a stored `No-Vary-Search` makes equal have
    /// different flights, because the next answer's may tell them apart.
    var flight: CacheKey
    var entry: StoredResponse?

    /// - Parameter isByNote: whether other targets may have the same key.
    init(primary: CacheKey, key: CacheKey, entry: StoredResponse?, isByNote: Bool = false) {
        (self.primary, self.key, self.entry) = (primary, key, entry)
        flight = key
        guard isByNote else { return }
        var hash = SipHash(key.high, key.low)
        hash.combine(primary.high)
        hash.combine(primary.low)
        flight = CacheKey(hash)
    }

    /// Why the upstream is asked where there is no entry.
    var missReason: Reuse.Reason { key != primary ? .varyMiss : .uriMiss }
}

/// The keys by which answers are stored and found.
extension LoopCache {
    /// What selects the answer before any `Vary` (RFC 9111 §2).
    func key(
        of request: BoundRequest, _ route: Route, _ cache: CacheRoute, target: UnsafeRawBufferPointer
    ) -> CacheKey {
        var hash = SipHash(store.secret.0, store.secret.1)
        hash.combine(cache.salt.0)
        hash.combine(cache.salt.1)
        combineShown(request, route, into: &hash)
        // A composed answer also depends on what the upstreams of its parts were shown.
        for part in cache.partRoutes { combineShown(request, request.generation.table.routes[part], into: &hash) }
        if let positions = cache.keyParameters {
            let path = target.prefix { $0 != UInt8(ascii: "?") }
            hash.combine(run: UnsafeRawBufferPointer(rebasing: path))
            request.values.combine(positions, into: &hash)
        } else {
            hash.combine(run: target)
            if !cache.fieldParameters.isEmpty { request.values.combine(cache.fieldParameters, into: &hash) }
        }
        if !cache.varyNames.isEmpty { VaryKey.combine(cache.varyNames, of: request.head.fields, into: &hash) }
        if cache.variesOnHost {
            hash.combine(run: request.head.authority)
            if cache.variesOnScheme { hash.combine(request.client?.isTLS == true ? 1 : 0) }
        }
        ForwardedClient(request, cache.forwarded(isNamed: request.clientName != nil)).combine(into: &hash)
        if cache.policy.isPrivate { request.combineClient(into: &hash) }
        return CacheKey(hash)
    }

    /// What the upstream is shown: the credential, and secrets in fields and parameters.
    private func combineShown(_ request: BoundRequest, _ route: Route, into hash: inout SipHash) {
        hash.combine(credentialIdentity(request, route))
        if route.secrets.all.isEmpty { return }
        for secret in route.secrets.all { hash.combine(request.generation.secrets[secret].identity(store.secret)) }
    }

    /// The credential that goes upstream, by a keyed hash.
    private func credentialIdentity(_ request: BoundRequest, _ route: Route) -> UInt64 {
        if route.credentials.isNone { return 0 }
        return request.credential(route)?.identity(store.secret) ?? 0
    }

    /// The key of the marker that says which queries of this path share an answer (`No-Vary-Search`).
    func pathKey(of request: BoundRequest, _ route: Route, _ cache: CacheRoute) -> CacheKey? {
        let target = request.target.bytes
        guard cache.keyParameters == nil, let question = target.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return key(of: request, route, cache, target: UnsafeRawBufferPointer(rebasing: target[..<question]))
    }

    /// Finds the entry stored for a request.
    func lookUp(_ request: BoundRequest, _ route: Route, _ cache: CacheRoute) -> CacheLookup {
        lookUp(request, route, cache, by: key(of: request, route, cache, target: request.target.bytes))
    }

    /// Serves the answer that this loop has served before, and that may be served unchanged.
    /// - Parameter serve: does not need the answer once it ends the exchange.
    /// - Returns: whether there is one; else there may be one all the same (``lookUp(_:_:_:by:)``).
    @inline(__always)
    func withFreshAnswer(
        _ primary: CacheKey, to request: BoundRequest, _ route: Route, _ cache: CacheRoute,
        _ serve: (StoredResponse) -> Void
    ) -> Bool {
        index.withEntry(primary, in: store) { entry in
            guard loop.now < entry.freshUntil, entry.isAnswer, !request.mayFareBetter(than: entry, route, cache) else {
                return false
            }
            serve(entry)
            return true
        }
    }

    /// - Parameter primary: the key of the request (``key(of:_:_:target:)``).
    func lookUp(
        _ request: BoundRequest, _ route: Route, _ cache: CacheRoute, by primary: CacheKey
    ) -> CacheLookup {
        var lookup = find(primary, request, route, cache)
        if let entry = lookup.entry, request.mayFareBetter(than: entry, route, cache) { lookup.entry = nil }
        return lookup
    }

    /// The entry of a request: by its key, by the fields that the stored answer varies with, or by the part of its
    /// query that matters.
    private func find(
        _ primary: CacheKey, _ request: BoundRequest, _ route: Route, _ cache: CacheRoute
    ) -> CacheLookup {
        if let entry = find(primary) {
            guard let variance = entry.variance else {
                return CacheLookup(primary: primary, key: primary, entry: entry)
            }
            // Without a query the target is the path that all queries have in common.
            let base = variance.search?.key(primary, request.target.bytes) ?? primary
            let key = variance.key(base, request.head.fields)
            return CacheLookup(primary: primary, key: key, entry: answer(key), isByNote: variance.search != nil)
        }
        guard let path = pathKey(of: request, route, cache), let variance = find(path)?.variance,
            let search = variance.search
        else { return CacheLookup(primary: primary, key: primary, entry: nil) }
        let key = variance.key(search.key(path, request.target.bytes), request.head.fields)
        return CacheLookup(primary: primary, key: key, entry: answer(key), isByNote: true)
    }

    /// The answer that a marker leads to. Another marker there, which a shared store may hold, is no answer.
    func answer(_ key: CacheKey) -> StoredResponse? { find(key).flatMap { $0.isAnswer ? $0 : nil } }

    /// The upstream's resource, for any client and method: what an unsafe request invalidates (RFC 9111 §4.4).
    func resourceHash(_ target: UnsafeRawBufferPointer, _ upstream: Upstream) -> UInt64 {
        var hash = SipHash(store.secret.1, store.secret.0)
        var name = upstream.name
        name.withUTF8 { hash.combine(UnsafeRawBufferPointer($0)) }
        hash.combine(target)
        return hash.finish().0
    }

    /// Answers to several queries of a path (`No-Vary-Search`, `key:`): a write to any of these invalidates them.
    func queriesHash(_ target: UnsafeRawBufferPointer, _ upstream: Upstream) -> UInt64 {
        // No target begins with it.
        let path = [UInt8(ascii: "?")] + target.prefix { $0 != UInt8(ascii: "?") }
        return path.withUnsafeBytes { resourceHash($0, upstream) }
    }

    /// What changes name in the page (`then:`), whatever its upstream.
    func writtenHash(_ name: [UInt8]) -> UInt64 {
        var hash = SipHash(store.secret.1, store.secret.0)
        // No upstream's name begins so.
        hash.combine(0x0074_6865_6e3a_0000)
        name.withUnsafeBytes { hash.combine($0) }
        return hash.finish().0
    }

    /// All groups of an upstream: which of them an answer belongs to is not known before its head.
    func groupsHash(_ upstream: Upstream) -> UInt64 {
        // Two spaces, so that it is no group's.
        [0x20, 0x20].withUnsafeBytes { (name: UnsafeRawBufferPointer) in resourceHash(name, upstream) }
    }

    /// A group of answers that the upstream names (RFC 9875).
    func groupHash(_ group: [UInt8], _ upstream: Upstream) -> UInt64 {
        // No target begins with a space, so that no group is taken for one.
        ([0x20] + group).withUnsafeBytes { resourceHash($0, upstream) }
    }
}

extension BoundRequest {
    /// The key of requests that may share one upstream request: not with other credentials (RFC 9111 §3.5).
    func flightKey(_ lookup: CacheLookup, _ asks: CacheAsks) -> CacheKey {
        let key = lookup.flight
        if asks.isDisjoint(with: [.authorization, .key]) { return key }
        var hash = SipHash(key.high, key.low)
        for index in 0..<head.fields.count where [.authorization, .xAPIKey].contains(head.fields[index].id) {
            hash.combine(UInt64(head.fields[index].id.rawValue))
            hash.combine(run: head.fields.value(index))
        }
        return CacheKey(hash)
    }

    /// Whether the entry refuses clients without credentials, and this client has some (RFC 9110 §15.5.2, §15.5.4).
    func mayFareBetter(than entry: StoredResponse, _ route: Route, _ cache: CacheRoute) -> Bool {
        (entry.status == 401 || entry.status == 403) && !cache.policy.isPrivate && forwardsCredentials(route)
    }

    /// Whether a stale answer may stand in for an error (RFC 5861 §4).
    func takesStale(_ entry: StoredResponse, _ control: CacheControl, _ cache: CacheRoute, at now: UInt64) -> Bool {
        Reuse.mayServeOnError(entry.time(now), request: control, serve: cache.serve) && !isStrict
    }

    /// Who the client is, where each has entries of its own: its name under `clients:`, or else its address.
    func combineClient(into hash: inout SipHash) {
        if let client {
            if var name = clientName {
                name.withUTF8 { hash.combine(run: UnsafeRawBufferPointer($0)) }
            } else {
                client.address.withUnsafeBytes { hash.combine(run: $0) }
            }
            if let credentials = client.credentials { hash.combine(UInt64(credentials.user)) }
        }
        for index in 0..<head.fields.count {
            switch head.fields[index].id {
            case .authorization, .cookie, .xAPIKey:
                hash.combine(UInt64(head.fields[index].id.rawValue))
                hash.combine(run: head.fields.value(index))
            default: break
            }
        }
    }
}

extension ParameterValues {
    func combine(_ positions: [Int], into hash: inout SipHash) {
        for position in positions {
            for entry in entries where entry.parameter == position {
                hash.combine(UInt64(truncatingIfNeeded: position))
                hash.combine(run: bytes(entry))
            }
        }
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
