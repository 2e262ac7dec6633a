internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What an upstream's answer means for the cache, whoever asked.
extension Exchange {
    /// Called with the head of every answer of an upstream of which something is stored.
    func heedForCache(_ response: inout ResponseHead, _ route: Route) {
        if isFill { return }
        if !upstreamMethod.isSafe, (200..<400).contains(response.status) { invalidate(response.fields, route) }
        appendCacheStatus(&response.fields)
    }

    /// What an answer to HEAD says of the stored answer to GET: that it is still right, and how fresh; or that it is
    /// not any more (RFC 9111 §4.3.5). A 304 says so only of what it names (§4.3.4). Marked fields go no further.
    func updateStored(by response: borrowing ResponseHead, _ route: Route) {
        guard let walk = cacheWalk, let entry = walk.entry, entry.status == 200, let cache = route.cache else { return }
        // What it says may be for this client alone (RFC 9111 §3.5).
        let isOwn = route.passesAuthorization && CacheAsks(request.fields).contains(.authorization)
        if isOwn, !cache.policy.isPrivate { return }
        let isSame = entry.agrees(with: response.fields)
        switch response.status {
        case 200 where !isSame: return gateway.desk.shared.drop(entry.key)
        case 200: break
        case 304 where isSame && response.fields.firstIndex(of: .etag) != nil: break
        default: return
        }
        let delay = Int((gateway.now &- startedAt) / 1_000_000_000)
        let (newer, isStorable) = entry.updated(by: response.fields, cache, delay: delay, gateway) { _ in
            entry.dependencies
        }
        guard isStorable else { return }
        guard gateway.desk.store.insert(newer, since: walk.purgeNumber, updating: entry), !newer.isSoftened else {
            return
        }
        gateway.desk.shared.tiers?.keep(
            newer, receivedAt: gateway.unixTime(newer.responseTime), isPrivate: cache.policy.isPrivate)
    }

    /// A successful unsafe request makes useless what is stored of what it may have changed (RFC 9111 §4.4): its own
    /// target, those that `Location` and `Content-Location` name on the same origin, and the groups that the upstream
    /// names (RFC 9875).
    private func invalidate(_ fields: borrowing HeaderBlock, _ route: Route) {
        let upstream = generation.upstreams[route.upstream]
        let epochs = gateway.desk.store.epochs
        epochs.invalidate(resourceHash(target.bytes, upstream.settings))
        for index in 0..<fields.count {
            switch fields[index].id {
            case .location, .contentLocation:
                guard let other = Redirect.target(named: fields.value(index), for: self, upstream.endpoint) else {
                    continue
                }
                other.withUnsafeBytes { epochs.invalidate(resourceHash($0, upstream.settings)) }
            default: break
            }
        }
        for group in CacheGroups.invalidated(fields) { epochs.invalidate(groupHash(group, upstream.settings)) }
    }

    func groupHash(_ group: [UInt8], _ upstream: Upstream) -> UInt64 {
        // No target begins with a space, so that no group is taken for one.
        ([0x20] + group).withUnsafeBytes { resourceHash($0, upstream) }
    }

    /// Says what the cache did, where it is the cache's business (RFC 9211).
    func appendCacheStatus(_ fields: inout HeaderBlock) {
        guard let walk = cacheWalk else { return }
        Array(walk.status.text.utf8).withUnsafeBytes { fields.append(.cacheStatus, value: $0) }
    }
}
