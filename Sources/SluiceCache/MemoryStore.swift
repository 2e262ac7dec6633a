public import SluiceContract
internal import Synchronization

/// The stored responses of the process, in memory: shared by all loops, within a budget of bytes.
///
/// A loop looks in its own ``LoopIndex`` first; only keys missing there are looked up here, under the lock of one of
/// many shards. Entries are immutable, so a loop that has one may use it as long as it is not marked dead.
public final class MemoryStore: Sendable {
    /// Large enough for the largest entry, small enough that no step on a shard takes long.
    private static let shardBytes = 8 << 20
    private static let shardsMax = 4096

    final class Shard: Sendable {
        let state: Mutex<MemoryShard>

        init(bytesMax: Int) { state = Mutex(MemoryShard(bytesMax: bytesMax)) }
    }

    let shards: [Shard]
    /// Counters that make invalidation cheap.
    public let epochs: Epochs
    /// The latest purges.
    public let purges = PurgeLog()
    /// Keys of the hash that names entries: they are not known outside of the process.
    public let secret: (UInt64, UInt64)
    private let entryBytes: Atomic<Int>
    /// Number of walk steps that removed entries.
    private let removals = Atomic<Int>(0)

    /// - Parameters:
    ///   - settings: the budget.
    ///   - secret: where entries outlive the process, or are shared with others: keys have to be the same there.
    ///   - epochs: likewise.
    public init(_ settings: CacheSettings, secret: (UInt64, UInt64)? = nil, epochs: Epochs = Epochs()) {
        var random = SystemRandomNumberGenerator()
        self.secret = secret ?? (random.next(), random.next())
        self.epochs = epochs
        var count = 1
        while count < Self.shardsMax, count * Self.shardBytes < settings.memoryBytes { count *= 2 }
        shards = (0..<count).map { _ in Shard(bytesMax: settings.memoryBytes / count) }
        entryBytes = Atomic(Self.entryBytes(settings, share: settings.memoryBytes / count))
    }

    /// An entry larger than a shard would find no place; and a stored response counts its bytes in 32 bits.
    private static func entryBytes(_ settings: CacheSettings, share: Int) -> Int {
        min(settings.entryBytes, share, 2 << 30)
    }

    /// Takes over a new configuration; entries that no longer fit are evicted with the next insertion.
    public func configure(_ settings: CacheSettings) {
        let share = settings.memoryBytes / shards.count
        entryBytes.store(Self.entryBytes(settings, share: share), ordering: .relaxed)
        for shard in shards { shard.state.withLock { $0.bytesMax = share } }
    }

    /// The largest response that is stored, bytes.
    public var entryBytesMax: Int { entryBytes.load(ordering: .relaxed) }

    public func find(_ key: CacheKey) -> StoredResponse? {
        shard(key).state.withLock { $0.find(key) }
    }

    public func insert(_ entry: StoredResponse) {
        shard(entry.key).state.withLock { $0.insert(entry) }
    }

    /// Stores a response, unless a purge has come since its request began, or a write and an answer from after that.
    /// - Parameters:
    ///   - start: ``PurgeLog/number`` at that time.
    ///   - old: the one that it was made from, with newer fields (RFC 9111 §4.3.4): if that has been taken out
    ///     meanwhile, what it says does not come back this way.
    /// - Returns: whether it may be kept: here, and wherever else answers are.
    @discardableResult
    public func insert(_ entry: StoredResponse, since start: UInt64, updating old: StoredResponse? = nil) -> Bool {
        shard(entry.key).state.withLock { shard in
            if old?.isDead == true { return false }
            // An answer that a write has outdated while it was fetched must not replace one from after that write.
            if !entry.isCurrent(epochs), let own = shard.find(entry.key), own.isCurrent(epochs) { return false }
            // Under the lock: a walk that comes later finds it, and one that has been here was announced before.
            switch purges.judge(since: start, { $0.selects(entry) }) {
            case .untouched: break
            case .stale: entry.soften(at: entry.responseTime)
            case .gone: return false
            }
            shard.insert(entry)
            return true
        }
    }

    /// Stores a response that comes from a tier, unless a purge has come since it was asked for, or the store has one
    /// by now that is no older.
    /// - Parameter start: ``PurgeLog/number`` when it was asked for.
    /// - Returns: what is in the store; nil where it may not be kept.
    public func offer(_ entry: StoredResponse, since start: UInt64) -> StoredResponse? {
        shard(entry.key).state.withLock { shard in
            if let own = shard.find(entry.key), own.isCurrent(epochs), !entry.isNewer(than: own) { return own }
            switch purges.judge(since: start, { $0.selects(entry) }) {
            case .untouched: break
            case .stale: entry.soften(at: entry.responseTime)
            case .gone: return nil
            }
            shard.insert(entry)
            return entry
        }
    }

    public func remove(_ key: CacheKey) {
        shard(key).state.withLock { $0.remove(key) }
    }

    /// Notes that entries were removed: settles this thread's allocator here; other loops do it in
    /// ``LoopIndex/sweep(_:)``.
    func noteRemovals() {
        removals.add(1, ordering: .relaxed)
        AllocatorDebt.settle()
    }

    var removalCount: Int { removals.load(ordering: .relaxed) }

    /// The store's contents in numbers.
    public struct Usage: Sendable, Equatable {
        public var entries = 0
        public var bytes = 0
        /// Responses evicted since the start, because others needed their place.
        public var evictions = 0
        /// The budget.
        public var bytesMax = 0
    }

    /// For people: not exact while the loops are at work.
    public var usage: Usage {
        var usage = Usage()
        for shard in shards {
            shard.state.withLock {
                usage.entries += $0.count
                usage.bytes += $0.bytes
                usage.evictions += $0.evictions
                usage.bytesMax += $0.bytesMax
            }
        }
        return usage
    }

    private func shard(_ key: CacheKey) -> Shard {
        shards[Int(truncatingIfNeeded: key.high >> 32) & (shards.count - 1)]
    }
}
