internal import Synchronization

extension MemoryStore {
    /// How far a walk through the store has got.
    public struct Place: Sendable, Equatable {
        var shard = 0
        var node = 0

        /// The beginning.
        public init() {}

        /// What ``text`` said; nil where it is none.
        public init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { Int($0) }
            guard parts.count == 2, parts.allSatisfy({ $0 >= 0 }) else { return nil }
            (shard, node) = (parts[0], parts[1])
        }

        /// For the request that continues the walk.
        public var text: String { "\(shard).\(node)" }
    }

    /// Entries that one step of a walk looks at: their shard is locked for some ten microseconds.
    public static let stepMax = 256
    /// Of them, those that are taken out: that costs ten times as much.
    public static let removalsMax = 32

    /// Looks at the next entries, under the lock of one shard. What comes and goes between two steps may be missed;
    /// what stays is seen once.
    /// - Parameters:
    ///   - most: entries that are looked at, ``stepMax`` at most.
    ///   - removes: called with each entry, current or not; true takes it out of the store.
    /// - Returns: whether there may be more.
    public func walk(
        _ place: inout Place, most: Int = stepMax, removing removes: (StoredResponse) -> Bool
    ) -> Bool {
        guard place.shard < shards.count else { return false }
        // Memory is given back once the lock is.
        var removed: [StoredResponse] = []
        let next = shards[place.shard].state.withLock { shard in
            shard.walk(from: place.node, most: min(most, Self.stepMax), mostRemoved: Self.removalsMax) { entry in
                guard removes(entry) else { return false }
                removed.append(entry)
                return true
            }
        }
        if !removed.isEmpty {
            removed = []
            noteRemovals()
        }
        if let next { place.node = next } else { (place.shard, place.node) = (place.shard + 1, 0) }
        return place.shard < shards.count
    }
}

extension MemoryStore {
    /// From now on nothing is stored that is on its way and that `request` selects; what is there already is for
    /// ``purge(_:_:at:purged:)``.
    public func announce(_ request: PurgeRequest) { purges.add(request) }

    /// One step of carrying purges out.
    /// - Parameters:
    ///   - now: nanoseconds of the monotonic clock: since when what is selected is stale, where the purge is soft.
    ///   - purged: counted up by each response that was selected.
    /// - Returns: whether there may be more.
    public func purge(
        _ requests: [PurgeRequest], _ place: inout Place, at now: UInt64, purged: inout Int
    ) -> Bool {
        let keys = requests.compactMap { request in
            if case .key(let key) = request.selection { key } else { nil }
        }
        if keys.count == requests.count {
            for key in Set(keys) {
                guard let entry = find(key), entry.isCurrent(epochs) else { continue }
                if take(entry, requests, at: now, &purged) { remove(key) }
            }
            return false
        }
        return walk(&place) { take($0, requests, at: now, &purged) }
    }

    /// - Returns: whether it has to go.
    private func take(_ entry: StoredResponse, _ requests: [PurgeRequest], at now: UInt64, _ purged: inout Int) -> Bool
    {
        // It is never used again: its memory is free for others.
        guard entry.isCurrent(epochs) else { return true }
        guard let request = requests.first(where: { $0.selects(entry) }) else { return false }
        if entry.isAnswer { purged += 1 }
        if request.isSoft { entry.soften(at: now) }
        return !request.isSoft
    }
}
