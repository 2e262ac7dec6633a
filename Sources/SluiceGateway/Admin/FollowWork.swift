internal import SluiceContract
internal import SluiceHTTP

/// `GET /requests`: an answer without end, one line for each finished request of all loops.
final class FollowWork: PendingWork {
    private let feed: RequestFeed
    private let follower: RequestFollower
    /// The exchange that asked; nil once its client has left, or has been told the end.
    private var exchange: Exchange?

    init(_ follower: RequestFollower, of feed: RequestFeed, for exchange: Exchange) {
        self.follower = follower
        self.feed = feed
        self.exchange = exchange
        super.init()
        exchange.pendingWork = self
        var fields = HeaderBlock()
        fields.append(.contentType, "application/x-ndjson")
        exchange.loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        fields.append(.cacheControl, "no-store")
        exchange.answer(status: 200, reason: .empty, fields: fields, framing: .stream)
    }

    deinit { feed.leave(follower) }

    /// Whether the client is still there.
    var isFollowing: Bool { exchange != nil }

    /// Passes on the waiting lines, if the client takes them.
    func tell() {
        guard let exchange, !exchange.answer.isHeld else { return }
        let bytes = follower.take()
        if !bytes.isEmpty { bytes.withUnsafeBytes { exchange.answerBody($0, lifetime: .call) } }
    }

    /// Ends the answer, because the daemon ends.
    func end() {
        tell()
        feed.leave(follower)
        exchange.take()?.answerEnd()
    }

    override func clientDrained() { tell() }

    override func clientLeft() {
        exchange = nil
        feed.leave(follower)
    }
}
