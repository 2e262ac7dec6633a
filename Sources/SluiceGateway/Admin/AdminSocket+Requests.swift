internal import SluiceContract
internal import SluiceHTTP

/// `GET /requests`.
extension AdminSocket {
    func follow(_ filter: RequestFilter, for exchange: Exchange) throws(Problem) {
        guard let feed = corridor.feed, let wake = followWake else {
            throw Problem(.unknownRoute, detail: "Nobody tells of requests here.")
        }
        if exchange.request.head.method == .head { return exchange.answerText([], type: "application/x-ndjson") }
        if corridor.loop.isEnding { throw Problem(.overloaded, detail: "The daemon is about to end.") }
        follows.removeAll { !$0.isFollowing }
        guard let follower = feed.follow(filter, wake: wake) else {
            throw Problem(.overloaded, detail: "\(RequestFeed.followersMax) others follow the requests at present.")
        }
        follows.append(FollowWork(follower, of: feed, for: exchange))
    }

    /// Requests have ended, on this loop or another.
    func tellFollowers() {
        follows.removeAll { !$0.isFollowing }
        for follow in follows { follow.tell() }
    }

    func endFollowing() {
        for follow in follows { follow.end() }
        follows = []
    }
}
