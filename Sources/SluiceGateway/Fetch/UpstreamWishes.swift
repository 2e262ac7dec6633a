internal import SluiceContract
internal import SluiceHTTP

/// What an upstream's answer demands of the requests that follow it.
enum UpstreamWishes {
    /// Honours `Retry-After` (RFC 9110 §10.2.3), for an hour at most.
    static func noteRetryAfter(_ response: borrowing ResponseHead, of endpoint: Endpoint, _ loop: LoopContext) {
        guard let seconds = QuotaFields.retryAfter(response.fields, now: loop.unixSeconds) else { return }
        endpoint.restsUntil = loop.now &+ UInt64(min(seconds, 3600)) * 1_000_000_000
    }

    /// A used-up quota pauses the binding.
    static func noteQuota(
        _ response: borrowing ResponseHead, to request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime,
        _ loop: LoopContext
    ) {
        guard upstream.pauseMaxNanoseconds > 0,
            let (seconds, status) = QuotaFields.pause(response, now: loop.unixSeconds), seconds > 0
        else { return }
        // A 503 of one endpoint among several rests that endpoint alone; a quota applies to all of them.
        if response.status == 503, upstream.endpoints.count > 1 { return }
        // A quota of credentials that are the client's own concerns that client alone.
        let isClients =
            route.credentials.isByClient
            || request.credential(route)?.reader.current == nil && request.forwardsCredentials(route)
        if status != 503, isClients { return }
        let wait = min(UInt64(min(seconds, 1 << 30)) * 1_000_000_000, upstream.pauseMaxNanoseconds)
        route.pause.begin(until: loop.now &+ wait, status: status)
    }
}
