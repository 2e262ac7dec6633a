public import SluiceCache
internal import SluiceContract
internal import Synchronization

/// What the loops of a process share of the cache: what is stored, and who is asking for what.
public final class SharedCache: Sendable {
    public let store: MemoryStore
    /// What is asked before an upstream is, where something is configured.
    public let tiers: TierChain?
    let notes = CacheNotes()
    /// Values that clients watch.
    let watches = WatchRegistry()
    /// What the admin socket tells of resources.
    let resources = ResourceBoard()
    /// The loop that asks, by what is asked for.
    private let flights = Mutex<[CacheKey: LoopAddress]>([:])
    /// One for each loop.
    private let tallies = Mutex<[CacheTally]>([])

    public init(_ store: MemoryStore, tiers: TierChain? = nil) {
        self.store = store
        self.tiers = tiers
        store.epochs.follow { [watches] in watches.resourceChanged($0, at: $1) }
    }

    /// Takes it upon `loop` to ask; or tells which loop does already.
    /// - Parameter siblings: what is asked for by the same request, where nobody asks for it: two loops whose clients
    ///   come for different values of one answer at the same time would otherwise both ask.
    func claim(_ key: CacheKey, with siblings: [CacheKey] = [], for loop: LoopAddress) -> LoopAddress? {
        flights.withLock { flights in
            if let other = flights[key], other !== loop { return other }
            flights[key] = loop
            for sibling in siblings where flights[sibling] == nil { flights[sibling] = loop }
            return nil
        }
    }

    /// Asks in the place of a loop that is stuck.
    func takeOver(_ key: CacheKey, for loop: LoopAddress) {
        flights.withLock { $0[key] = loop }
    }

    /// Whether some loop is asking.
    func isUnderWay(_ key: CacheKey) -> Bool { flights.withLock { $0[key] != nil } }

    func add(_ tally: CacheTally) { tallies.withLock { $0.append(tally) } }

    /// Of all loops since the start.
    var counts: CacheTally.Counts {
        tallies.withLock { $0.reduce(CacheTally.Counts()) { $0 + $1.counts } }
    }

    /// The one place where a purge begins, whatever holds stored answers: none that is on its way is stored past it.
    func announce(_ requests: [PurgeRequest]) {
        for request in requests {
            store.announce(request)
            tiers?.purge(request)
        }
        // After a purge the upstream is to be asked.
        notes.forget()
        watches.purged(requests)
    }

    /// One answer is of no more use, wherever it is stored.
    func drop(_ key: CacheKey) {
        let request = PurgeRequest(.key(key))
        store.announce(request)
        tiers?.purge(request)
        store.remove(key)
    }

    /// Whether no loop asks for anything.
    var isIdle: Bool { flights.withLock { $0.isEmpty } }

    func giveUp(_ key: CacheKey, for loop: LoopAddress) {
        flights.withLock { flights in
            if flights[key] === loop { flights[key] = nil }
        }
    }
}
