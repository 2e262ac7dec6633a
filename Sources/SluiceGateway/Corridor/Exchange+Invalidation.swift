internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What an upstream's answer means for the cache, whoever asked.
extension Exchange {
    /// Called with the head of every answer of an upstream of which something is stored.
    func noteForCache(_ response: inout ResponseHead, _ route: Route) {
        if !request.upstreamMethod.isSafe, (200..<400).contains(response.status) {
            loopCache.invalidate(by: response.fields, of: request, route)
        }
        appendCacheStatus(&response.fields)
    }

    /// An answer to HEAD is here, about what is stored for GET.
    func updateStored(by response: borrowing ResponseHead, _ route: Route) {
        guard let walk = cacheWalk, let entry = walk.entry, let cache = route.cache else { return }
        loopCache.update(entry, by: response, to: request, route, cache, since: walk.purgeNumber, startedAt)
    }

    /// Says what the cache did, where it is the cache's business (RFC 9211).
    func appendCacheStatus(_ fields: inout HeaderBlock) {
        guard let walk = cacheWalk else { return }
        Array(walk.status.text.utf8).withUnsafeBytes { fields.append(.cacheStatus, value: $0) }
    }
}
