public import SluiceCache
internal import SluiceContract
internal import Synchronization

/// What the loops of a process share of the cache: what is stored, and who is asking for what.
public final class SharedCache: Sendable {
    public let store: MemoryStore
    let notes = CacheNotes()
    /// Under way, on some loop, by what is asked for.
    private let flights = Mutex<[CacheKey: LoopAddress]>([:])

    public init(_ store: MemoryStore) {
        self.store = store
    }

    /// Takes it upon `loop` to ask; or tells which loop does already.
    func claim(_ key: CacheKey, for loop: LoopAddress) -> LoopAddress? {
        flights.withLock { flights in
            if let other = flights[key], other !== loop { return other }
            flights[key] = loop
            return nil
        }
    }

    /// Whether no loop asks for anything.
    var isIdle: Bool { flights.withLock { $0.isEmpty } }

    func giveUp(_ key: CacheKey, for loop: LoopAddress) {
        flights.withLock { flights in
            if flights[key] === loop { flights[key] = nil }
        }
    }
}

/// Where another loop is reached: what is posted there is done on that loop, soon.
public final class LoopAddress: Sendable {
    public typealias Letter = @Sendable (Gateway) -> Void

    let post: @Sendable (@escaping Letter) -> Void

    public init(_ post: @escaping @Sendable (@escaping Letter) -> Void) {
        self.post = post
    }
}
