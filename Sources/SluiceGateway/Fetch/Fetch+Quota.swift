internal import SluiceContract
internal import SluiceHTTP

extension Fetch {
    /// Obeys an upstream that wants no such request for a while.
    func heedQuota(_ consumer: FetchConsumer, _ route: Route) {
        guard borrowedUpstream?({ $0.pauseMaxNanoseconds > 0 }) == true else { return }
        guard let (seconds, status) = QuotaFields.pause(response, now: loop.unixSeconds), seconds > 0, let upstream
        else { return }
        // One endpoint of several that is overloaded rests alone; a quota is that of them all.
        if response.status == 503, upstream.endpoints.count > 1 { return }
        // A quota of the client's own credentials is the client's own affair.
        if status != 503, !route.sendsBearer || upstream.token.current == nil,
            consumer.request.forwardsCredentials(route)
        {
            return
        }
        let wait = min(UInt64(min(seconds, 1 << 30)) * 1_000_000_000, upstream.pauseMaxNanoseconds)
        route.pause.begin(until: loop.now &+ wait, status: status)
    }
}
