internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// `GET /requests`, `GET /exchanges`.
extension AdminSocket {
    func follow(_ filter: RequestFilter, for exchange: Exchange) throws(Problem) {
        guard let feed = corridor.feed, let wake = followWake else {
            throw Problem(.unknownRoute, detail: "This gateway does not tell of requests.")
        }
        if let problem = filter.binding.flatMap(noBinding) { throw problem }
        if exchange.request.head.method == .head { return exchange.answerText([], type: "application/x-ndjson") }
        if corridor.loop.isDraining { throw Problem(.overloaded, detail: "The daemon is about to end.") }
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

    // MARK: - Exchanges that are kept

    var exchangeList: JSONValue { corridor.inspections?.list ?? .object([("on", .bool(false))]) }

    func details(ofExchange number: Int) throws(Problem) -> JSONValue {
        if let details = corridor.inspections?.details(number) { return details }
        throw Problem(
            .notStored, status: 404,
            detail: "Exchange \(number) is not kept, or no more; 'inspect: {last: …}' says how many are.")
    }

    // MARK: - The end

    func endFollowing() {
        for follow in follows { follow.end() }
        follows = []
    }
}
