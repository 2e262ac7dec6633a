internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What is told of an exchange that is over: to metrics, to the access log, and to those who follow.
extension Exchange {
    func report() {
        if problem != nil { loop.counters.problems += 1 }
        count()
        if request.trace != nil { corridor.tracer?.end(self) }
        let isFollowed = corridor.borrowedFeed?({ $0.isFollowed }) == true
        if isFollowed || corridor.accessLog != nil || request.contents != nil { tell(followers: isFollowed) }
    }

    private func tell(followers isFollowed: Bool) {
        let entry = accessEntry
        corridor.accessLog?(entry)
        if request.contents != nil { corridor.inspector?.end(self, entry) }
        // Those who follow are clients of the admin socket, and do not want to hear of themselves.
        if isFollowed, request.client?.admin == nil { corridor.feed?.tell(entry) }
    }

    private var accessEntry: AccessEntry {
        var entry = AccessEntry(
            client: request.client?.address ?? [], method: request.head.methodName, target: request.head.target,
            version: request.head.version, status: status, bytes: answerBytes,
            receivedBytes: request.body.receivedBytes, nanoseconds: loop.now &- startedAt, binding: route?.binding.name,
            problem: problem?.kind, clientName: request.clientName, credential: answeredCredential,
            traceID: request.trace?.id, upstream: upstreamUse, cache: cacheUse)
        for index in 0..<request.head.fields.count {
            switch request.head.fields[index].id {
            case .referer: entry.referer = request.head.fields.value(index)
            case .userAgent: entry.userAgent = request.head.fields.value(index)
            default: break
            }
        }
        return entry
    }

    private var upstreamUse: AccessEntry.UpstreamUse? {
        guard let route, !isPlainHit else { return nil }
        let isCollapsed = cacheWalk?.status.isCollapsed == true
        let attempts = upstreamTime.attempts + (isCollapsed ? 0 : cacheWalk?.upstreamAttempts ?? 0)
        guard attempts > 0 || isCollapsed else { return nil }
        let name = request.generation.upstreams[route.upstream].settings.name
        return .init(
            name: name, attempts: attempts, nanoseconds: min(upstreamNanoseconds, loop.now &- startedAt))
    }

    private var cacheUse: AccessEntry.CacheUse? {
        if isPlainHit { return .init(outcome: "hit") }
        guard let status = cacheWalk?.status else { return nil }
        return .init(outcome: status.outcome.word, isCollapsed: status.isCollapsed, detail: status.detail)
    }
}
