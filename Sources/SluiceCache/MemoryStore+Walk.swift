internal import Synchronization

extension MemoryStore {
    /// How far a walk through the store has got.
    public struct Place: Sendable, Equatable {
        var shard = 0
        var node = 0

        /// The beginning.
        public init() {}

        /// Parses a place's ``text``; nil for anything else.
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
    /// Entries removed in one step: removal costs ten times as much.
    public static let removalsMax = 32

    /// Visits the next entries, under the lock of one shard. Entries added or removed between two steps may be missed;
    /// all others are seen once.
    /// - Parameters:
    ///   - most: entries that are looked at, ``stepMax`` at most.
    ///   - removes: called with each entry, current or not; true takes it out of the store.
    /// - Returns: whether there may be more.
    public func walk(
        _ place: inout Place, most: Int = stepMax, removing removes: (StoredResponse) -> Bool
    ) -> Bool {
        guard place.shard < shards.count else { return false }
        // Entries are freed after the lock is released.
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
    /// From now on, answers being fetched that `request` selects are not stored; ``purge(_:_:at:purged:)`` removes the
    /// stored ones.
    public func announce(_ request: PurgeRequest) { purges.add(request) }

    /// Carries out one step of the purges.
    /// - Parameters:
    ///   - now: nanoseconds of the monotonic clock: since when what is selected is stale, where the purge is soft.
    ///   - purged: incremented for each selected response.
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

    /// - Returns: whether the entry has to be removed.
    private func take(_ entry: StoredResponse, _ requests: [PurgeRequest], at now: UInt64, _ purged: inout Int) -> Bool
    {
        // An outdated entry is never used again: its memory is free for others.
        guard entry.isCurrent(epochs) else { return true }
        guard let request = requests.first(where: { $0.selects(entry) }) else { return false }
        if entry.isAnswer { purged += 1 }
        if request.isSoft { entry.soften(at: now) }
        return !request.isSoft
    }
}
