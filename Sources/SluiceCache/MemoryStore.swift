public import SluiceContract
internal import Synchronization

/// The stored responses of the process, in memory: shared by all loops, within a budget of bytes.
///
/// A loop asks its own ``LoopIndex`` first; only what is not there is looked up here, under the lock of one shard of
/// many. Entries are immutable, so whoever has one may use it as long as it is not marked dead.
public final class MemoryStore: Sendable {
    /// Large enough for the largest entry, small enough that no step of one takes long.
    private static let shardBytes = 8 << 20
    private static let shardsMax = 256

    final class Shard: Sendable {
        let state: Mutex<MemoryShard>

        init(bytesMax: Int) { state = Mutex(MemoryShard(bytesMax: bytesMax)) }
    }

    let shards: [Shard]
    /// Counters that make invalidation cheap.
    public let epochs: Epochs
    /// What has been purged of late.
    public let purges = PurgeLog()
    /// Keys of the hash that names entries: nobody outside knows them.
    public let secret: (UInt64, UInt64)
    private let entryBytes: Atomic<Int>

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
        entryBytes = Atomic(min(settings.entryBytes, settings.memoryBytes / count))
    }

    /// Takes over a new configuration; what does not fit any more goes with the next that is stored.
    public func configure(_ settings: CacheSettings) {
        let share = settings.memoryBytes / shards.count
        // An entry larger than a shard would find no place.
        entryBytes.store(min(settings.entryBytes, share), ordering: .relaxed)
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

    /// Stores a response, unless a purge has come since its request began.
    /// - Parameter start: ``PurgeLog/number`` at that time.
    /// - Returns: whether it may be kept: here, and wherever else answers are.
    @discardableResult
    public func insert(_ entry: StoredResponse, since start: UInt64) -> Bool {
        shard(entry.key).state.withLock { shard in
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

    public func remove(_ key: CacheKey) {
        shard(key).state.withLock { $0.remove(key) }
    }

    /// What is in the store.
    public struct Usage: Sendable, Equatable {
        public var entries = 0
        public var bytes = 0
        /// Since the start: responses that went because others needed their place.
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
