internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What an upstream's answer means for the cache, whoever asked.
extension Exchange {
    /// Called with the head of every answer of an upstream of which something is stored.
    func noteForCache(_ response: inout ResponseHead, _ route: Route) {
        if !request.upstreamMethod.isSafe, (200..<400).contains(response.status) { invalidate(response.fields, route) }
        appendCacheStatus(&response.fields)
    }

    /// What an answer to HEAD says of the stored answer to GET: that it is still right, and how fresh; or that it is
    /// not any more (RFC 9111 §4.3.5). A 304 says so only of what it names (§4.3.4). Marked fields go no further.
    func updateStored(by response: borrowing ResponseHead, _ route: Route) {
        guard let walk = cacheWalk, let entry = walk.entry, entry.status == 200, let cache = route.cache else { return }
        // What it says may be for this client alone (RFC 9111 §3.5).
        let isOwn = route.passesAuthorization && CacheAsks(request.head.fields).contains(.authorization)
        if isOwn, !cache.policy.isPrivate { return }
        let isSame = entry.agrees(with: response.fields)
        switch response.status {
        case 200 where !isSame: return loopCache.shared.drop(entry.key)
        case 200: break
        case 304 where isSame && response.fields.firstIndex(of: .etag) != nil: break
        default: return
        }
        let delay = Int((loop.now &- startedAt) / 1_000_000_000)
        let (newer, isStorable) = entry.updated(by: response.fields, cache, delay: delay, loop) { _ in
            entry.dependencies
        }
        guard isStorable else { return }
        guard loopCache.store.insert(newer, since: walk.purgeNumber, updating: entry), !newer.isSoftened else {
            return
        }
        loopCache.shared.tiers?.keep(
            newer, receivedAt: loop.unixTime(newer.responseTime), isPrivate: cache.policy.isPrivate)
    }

    /// A successful unsafe request makes useless what is stored of what it may have changed (RFC 9111 §4.4): its own
    /// target, those that `Location` and `Content-Location` name on the same origin, and the groups that the upstream
    /// names (RFC 9875).
    private func invalidate(_ fields: borrowing HeaderBlock, _ route: Route) {
        let upstream = request.generation.upstreams[route.upstream]
        let epochs = loopCache.store.epochs
        epochs.invalidate(loopCache.resourceHash(request.target.bytes, upstream.settings))
        for index in 0..<fields.count {
            switch fields[index].id {
            case .location, .contentLocation:
                guard let other = Redirect.target(named: fields.value(index), for: request, upstream.endpoint) else {
                    continue
                }
                other.withUnsafeBytes { epochs.invalidate(loopCache.resourceHash($0, upstream.settings)) }
            default: break
            }
        }
        for group in CacheGroups.invalidated(fields) {
            epochs.invalidate(loopCache.groupHash(group, upstream.settings))
        }
    }

    /// Says what the cache did, where it is the cache's business (RFC 9211).
    func appendCacheStatus(_ fields: inout HeaderBlock) {
        guard let walk = cacheWalk else { return }
        Array(walk.status.text.utf8).withUnsafeBytes { fields.append(.cacheStatus, value: $0) }
    }
}
