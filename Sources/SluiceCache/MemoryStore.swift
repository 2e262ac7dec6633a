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

    private final class Shard: Sendable {
        let state: Mutex<MemoryShard>

        init(bytesMax: Int) { state = Mutex(MemoryShard(bytesMax: bytesMax)) }
    }

    private let shards: [Shard]
    /// Counters that make invalidation cheap.
    public let epochs: Epochs
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

    public func remove(_ key: CacheKey) {
        shard(key).state.withLock { $0.remove(key) }
    }

    /// Entries and bytes; for people, not exact while the loops are at work.
    public var usage: (entries: Int, bytes: Int) {
        var usage = (entries: 0, bytes: 0)
        for shard in shards {
            shard.state.withLock {
                usage.entries += $0.count
                usage.bytes += $0.bytes
            }
        }
        return usage
    }

    private func shard(_ key: CacheKey) -> Shard {
        shards[Int(truncatingIfNeeded: key.high >> 32) & (shards.count - 1)]
    }
}
