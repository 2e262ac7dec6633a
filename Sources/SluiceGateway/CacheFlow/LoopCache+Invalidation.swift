internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What an upstream's answer means for entries that are stored already.
extension LoopCache {
    /// Updates or drops the stored answer to GET by an answer to HEAD, which shows whether it is still right, and how
    /// fresh (RFC 9111 §4.3.5). A 304 shows that only of the answer that it names (§4.3.4). Marked fields go no
    /// further.
    /// - Parameters:
    ///   - purgeNumber: purges there had been when it was asked.
    ///   - startedAt: when it was asked.
    func update(
        _ entry: StoredResponse, by response: borrowing ResponseHead, to request: BoundRequest, _ route: Route,
        _ cache: CacheRoute, since purgeNumber: UInt64, _ startedAt: UInt64
    ) {
        // Nothing is kept of an answer to a request that says `no-store` (RFC 9111 §5.2.1.5).
        guard entry.status == 200, !CacheControl(request.head.fields).flags.contains(.noStore) else { return }
        // The answer of a redirect's target has none of the validators that would tell (RFC 9110 §8.8).
        if request.isRedirected { return shared.drop(entry.key) }
        // The answer may be for this client alone (RFC 9111 §3.5).
        let isOwn = CacheAsks(request.head.fields).hasCredentials(route)
        if isOwn, !cache.policy.isPrivate { return }
        let isSame = entry.agrees(with: response.fields)
        switch response.status {
        case 200 where !isSame: return shared.drop(entry.key)
        case 200: break
        case 304 where isSame && response.fields.firstIndex(of: .etag) != nil: break
        default: return
        }
        let delay = Int((loop.now &- startedAt) / 1_000_000_000)
        let newer = entry.updated(by: response.fields, cache, isOwn: isOwn, delay: delay, loop) { _ in
            entry.dependencies
        }
        if newer.fate == .replaces { keep(newer.entry, cache, since: purgeNumber, updating: entry) }
    }

    /// A successful unsafe request invalidates the stored answers that it may have changed (RFC 9111 §4.4): those of
    /// its own target, of the targets that `Location` and `Content-Location` name on the same origin, and of the groups
    /// that the upstream names (RFC 9875).
    func invalidate(by fields: borrowing HeaderBlock, of request: BoundRequest, _ route: Route) {
        let upstream = request.generation.upstreams[route.upstream]
        let epochs = store.epochs
        func invalidate(_ target: UnsafeRawBufferPointer) {
            epochs.invalidate(resourceHash(target, upstream.settings))
            epochs.invalidate(queriesHash(target, upstream.settings))
        }
        invalidate(request.target.bytes)
        for index in 0..<fields.count {
            switch fields[index].id {
            case .location, .contentLocation:
                guard let other = Redirect.target(named: fields.value(index), for: request, upstream.endpoint) else {
                    continue
                }
                other.withUnsafeBytes { invalidate($0) }
            default: break
            }
        }
        let groups = CacheGroups.invalidated(fields)
        for group in groups { epochs.invalidate(groupHash(group, upstream.settings)) }
        if !groups.isEmpty { epochs.invalidate(groupsHash(upstream.settings)) }
    }

    /// The counters that an answer depends on where it is not stored itself: those of its target, of the groups that
    /// the upstream names, and of what it is made of.
    func slots(_ fields: borrowing HeaderBlock, to request: BoundRequest, _ route: Route) -> [UInt32] {
        let upstream = request.generation.upstreams[route.upstream].settings
        let groups = CacheGroups.members(fields).map { groupHash($0, upstream) }
        let hashes = [resourceHash(request.resource(route), upstream)] + groups
        return hashes.map(Epochs.slot) + request.partSlots
    }
}
