public import SluiceContract

/// A place for stored responses behind the memory store: slower, larger, and there after a restart or for others too.
///
/// Nothing here waits: what has to be done is noted, and answers come on a thread of the tier's own. A tier that
/// cannot do its work has nothing, and says so to the operator alone.
public protocol CacheTier: AnyObject, Sendable {
    var place: TierPlace { get }
    /// It is known to be unavailable at present, so that no request need wait for it.
    var isResting: Bool { get }
    /// Looks for the first of the keys that is there. `reply` is called exactly once, from any thread.
    func find(_ query: TierQuery, _ reply: @escaping @Sendable (StoredResponse?) -> Void)
    /// Keeps a response, in the place of the one with its key.
    /// - Parameter receivedAt: Unix seconds.
    func keep(_ entry: StoredResponse, receivedAt: Int)
    /// What depends on this counter of ``Epochs`` is of no more use.
    func invalidated(_ slot: UInt32)
    func purge(_ request: PurgeRequest)
    /// Counters of ``Epochs`` for what people know a response by: a purge elsewhere counts them up here. Whatever is
    /// stored depends on them.
    func slots(of label: EntryLabel) -> [UInt32]
    /// Takes over a budget; whatever else is in the settings takes a restart.
    func configure(_ settings: CacheSettings)
    /// Finishes what has been noted, within a few seconds. The tier has nothing afterwards.
    func close()
}

/// Which tier an answer came from: `detail=` of `Cache-Status` (RFC 9211 §2.8).
public enum TierPlace: String, Sendable {
    case disk = "DISK"
    case shared = "SHARED"
}

/// What a tier is asked for, and what it needs to know to answer.
public struct TierQuery: Sendable {
    /// The first that is there is what is found.
    public var keys: [CacheKey]
    /// The one of them that all queries of the path have in common (`No-Vary-Search`): an answer there is the one to no
    /// query, so that only a note is of use.
    public var pathKey: CacheKey?
    /// Something is there already, and only what the upstream made after this time is of use, Unix seconds. When it was
    /// read from a tier, or received from one, does not matter: its age goes on (RFC 9111 §4.2.3).
    public var newerThan: Int?
    /// Nanoseconds of the monotonic clock.
    public var now: UInt64
    public var unixSeconds: Int
    /// It belongs to one client: other gateways cannot tell which client an address or a user's number means.
    public var isPrivate = false
    /// The label of the binding that asks: entries of its own get the same object.
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

    /// Whether what was found is what is looked for.
    public func takes(_ entry: StoredResponse) -> Bool { entry.key != pathKey || entry.variance?.search != nil }
}
