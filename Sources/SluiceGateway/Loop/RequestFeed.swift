internal import Synchronization

/// Finished requests of all loops, for clients that follow them as they happen. While none does, a request costs one
/// load of ``isFollowed``.
public final class RequestFeed: Sendable {
    /// The limit of followers: each holds a queue, and gets every request.
    static let followersMax = 8

    /// Appends the text for a request, without a line end.
    public typealias Format = @Sendable (borrowing AccessEntry, inout [UInt8]) -> Void

    private let format: Format
    private let hasFollowers = Atomic(false)
    private let followers = Mutex<[RequestFollower]>([])

    /// - Parameter format: writes a line; called on the loop of the request.
    public init(_ format: @escaping Format) {
        self.format = format
    }

    var isFollowed: Bool { hasFollowers.load(ordering: .relaxed) }

    /// - Returns: nil where the limit of followers is reached.
    func follow(_ filter: RequestFilter, wake: @escaping @Sendable () -> Void) -> RequestFollower? {
        followers.withLock { followers in
            guard followers.count < Self.followersMax else { return nil }
            let follower = RequestFollower(filter, wake)
            followers.append(follower)
            hasFollowers.store(true, ordering: .relaxed)
            return follower
        }
    }

    func leave(_ follower: RequestFollower) {
        followers.withLock { followers in
            followers.removeAll { $0 === follower }
            hasFollowers.store(!followers.isEmpty, ordering: .relaxed)
        }
    }

    /// A request has ended.
    func tell(_ entry: borrowing AccessEntry) {
        var interested = followers.withLock { $0 }
        interested.removeAll { !$0.filter.takes(entry) }
        if interested.isEmpty { return }
        var line: [UInt8] = []
        line.reserveCapacity(512)
        format(entry, &line)
        line.append(0x0A)
        for follower in interested { follower.append(line) }
    }
}
