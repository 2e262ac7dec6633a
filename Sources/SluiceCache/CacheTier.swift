public import SluiceContract

/// A store of responses behind the memory store: slower and larger; it survives a restart, or is shared with others.
///
/// Calls do not block: work is queued, and answers come on a thread of the tier's own. A tier that fails has no
/// entries, and reports the failure only to the operator.
public protocol CacheTier: AnyObject, Sendable {
    var place: TierPlace { get }
    /// Whether the tier is known to be unavailable, so that no request need wait for it.
    var isResting: Bool { get }
    /// Looks for the first key with an entry. `reply` is called exactly once, from any thread.
    func find(_ query: TierQuery, _ reply: @escaping @Sendable (StoredResponse?) -> Void)
    /// Keeps a response, in the place of the one with its key.
    /// - Parameter receivedAt: Unix seconds.
    func keep(_ entry: StoredResponse, receivedAt: Int)
    /// Voids all responses that depend on this counter of ``Epochs``.
    func invalidated(_ slot: UInt32)
    func purge(_ request: PurgeRequest)
    /// Counters of ``Epochs`` for the names of a response: a purge on another gateway counts them up here. Each stored
    /// response depends on them.
    func slots(of label: EntryLabel) -> [UInt32]
    /// Takes over a new budget; the other settings need a restart.
    func configure(_ settings: CacheSettings)
    /// Finishes the queued work, within a few seconds. The tier has no entries afterwards.
    func close()
}

/// Which tier an answer came from: `detail=` of `Cache-Status` (RFC 9211 §2.8).
public enum TierPlace: String, Sendable {
    case disk = "DISK"
    case shared = "SHARED"
}

/// A lookup in a tier.
public struct TierQuery: Sendable {
    /// The keys to look for; the first one with an entry counts.
    public var keys: [CacheKey]
    /// The key that all queries of the path have in common (`No-Vary-Search`): an answer there is the one to no query,
    /// so only a note is of use.
    public var pathKey: CacheKey?
    /// The caller has an answer already, and only one that the upstream made after this time is of use, Unix seconds.
    /// When that one was read or received from a tier does not matter: its age goes on (RFC 9111 §4.2.3).
    public var newerThan: Int?
    /// Nanoseconds of the monotonic clock.
    public var now: UInt64
    public var unixSeconds: Int
    /// The answer belongs to one client: other gateways cannot tell which client an address or a user's number means.
    public var isPrivate = false
    /// The label of the asking binding: its own entries get the same object.
    public var source: EntryLabel.Source?

    public init(
        _ keys: [CacheKey], newerThan: Int? = nil, now: UInt64, unixSeconds: Int, source: EntryLabel.Source? = nil
    ) {
        self.keys = keys
        self.newerThan = newerThan
        self.now = now
        self.unixSeconds = unixSeconds
        self.source = source
    }

    /// Whether the entry found answers the query.
    public func takes(_ entry: StoredResponse) -> Bool { entry.key != pathKey || entry.variance?.search != nil }
}
