public import SluiceCache
internal import SluiceContract
internal import Synchronization

/// What the loops of a process share of the cache: the stored answers, and which loop is fetching what.
public final class SharedCache: Sendable {
    public let store: MemoryStore
    /// The tiers that are asked before an upstream, where any are configured.
    public let tiers: TierChain?
    let notes = CacheNotes()
    /// Values that clients watch.
    let watches = WatchRegistry()
    /// What the admin socket tells of resources.
    let resources = ResourceBoard()
    /// The loop that is fetching, by flight.
    private let flights = Mutex<[CacheKey: LoopAddress]>([:])
    /// One for each loop.
    private let tallies = Mutex<[CacheTally]>([])

    public init(_ store: MemoryStore, tiers: TierChain? = nil) {
        self.store = store
        self.tiers = tiers
        store.epochs.follow { [watches] in watches.resourceChanged($0, at: $1) }
    }

    /// Claims a fetch for `loop`. Returns the loop that is already fetching, if there is one.
    /// - Parameter siblings: flights that the same request answers, claimed too where they are free: otherwise two
    ///   loops whose clients come for different values of one answer at the same time would both ask.
    func claim(_ key: CacheKey, with siblings: [CacheKey] = [], for loop: LoopAddress) -> LoopAddress? {
        flights.withLock { flights in
            if let other = flights[key], other !== loop { return other }
            flights[key] = loop
            for sibling in siblings where flights[sibling] == nil { flights[sibling] = loop }
            return nil
        }
    }

    /// Moves a fetch to `loop` from one that is stuck.
    func takeOver(_ key: CacheKey, for loop: LoopAddress) {
        flights.withLock { $0[key] = loop }
    }

    /// Whether some loop is fetching this.
    func isUnderWay(_ key: CacheKey) -> Bool { flights.withLock { $0[key] != nil } }

    func add(_ tally: CacheTally) { tallies.withLock { $0.append(tally) } }

    /// Of all loops since the start.
    var counts: CacheTally.Counts {
        tallies.withLock { $0.reduce(CacheTally.Counts()) { $0 + $1.counts } }
    }

    /// The one place where a purge begins, for memory and tiers alike: no answer that is still being fetched escapes
    /// it.
    func announce(_ requests: [PurgeRequest]) {
        for request in requests {
            store.announce(request)
            tiers?.purge(request)
        }
        // After a purge the upstream is to be asked.
        notes.forget()
        watches.purged(requests)
    }

    /// Removes one answer, wherever it is stored.
    func drop(_ key: CacheKey) {
        let request = PurgeRequest(.key(key))
        store.announce(request)
        tiers?.purge(request)
        store.remove(key)
    }

    /// Whether no loop is fetching anything.
    var isIdle: Bool { flights.withLock { $0.isEmpty } }

    func giveUp(_ key: CacheKey, for loop: LoopAddress) {
        flights.withLock { flights in
            if flights[key] === loop { flights[key] = nil }
        }
    }
}
