/// One loop's own index of the entries that it has served lately: no lock, no shared reference count.
///
/// It has a fixed number of places, two for each hash, and is swept a little in every turn, so that it does not keep
/// entries that the store has removed.
public final class LoopIndex {
    private static let setCount = 2048
    private var places: [StoredResponse?]
    private var sweeper = 0
    private var removalCount = 0
    /// Whether it has ever held an entry: before that there is nothing to sweep.
    public private(set) var isUsed = false

    public init() {
        places = Array(repeating: nil, count: Self.setCount * 2)
    }

    /// Passes the current entry to `use`, where it is in the first of its places: without counting a reference, because
    /// all loops share that count. The index keeps the entry alive until the next ``find(_:in:)`` or ``sweep(_:)``, so
    /// `use` may not need it after either.
    /// - Returns: what `use` does; false where the entry is not here, or is not current.
    @inline(__always)
    public func withEntry(_ key: CacheKey, in store: MemoryStore, _ use: (StoredResponse) -> Bool) -> Bool {
        let first = (Int(truncatingIfNeeded: key.low) & (Self.setCount - 1)) * 2
        guard let entry = places[first].map({ Unmanaged.passUnretained($0) }) else { return false }
        return entry._withUnsafeGuaranteedRef { $0.key == key && $0.isCurrent(store.epochs) && use($0) }
    }

    /// The entry, looked for here and then in `store`; nil where there is none that is current.
    public func find(_ key: CacheKey, in store: MemoryStore) -> StoredResponse? {
        let first = (Int(truncatingIfNeeded: key.low) & (Self.setCount - 1)) * 2
        if let entry = places[first], entry.key == key, entry.isCurrent(store.epochs) { return entry }
        if let entry = places[first + 1], entry.key == key, entry.isCurrent(store.epochs) {
            places.swapAt(first, first + 1)
            return entry
        }
        guard let entry = store.find(key) else { return nil }
        guard entry.isCurrent(store.epochs) else {
            store.remove(key)
            return nil
        }
        isUsed = true
        places[first + 1] = places[first]
        places[first] = entry
        return entry
    }

    /// Releases dead entries, a few places at a time.
    public func sweep(_ store: MemoryStore) {
        // Entries that another loop's walk has removed may have been allocated by this thread.
        if store.removalCount != removalCount {
            removalCount = store.removalCount
            AllocatorDebt.settle()
        }
        for _ in 0..<8 {
            sweeper = (sweeper + 1) & (Self.setCount * 2 - 1)
            if let entry = places[sweeper], entry.isDead { places[sweeper] = nil }
        }
    }
}
