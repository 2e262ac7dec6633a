internal import SluiceCache
internal import Synchronization

/// The watched values of one loop. Messages of other loops reach it by way of the loop's cache.
protocol LoopWatching: AnyObject {
    /// The resource of a watched value has changed, or may have: the value is polled anew.
    /// - Parameter moment: when (``Epochs``), where it is known.
    func valueChanged(_ key: CacheKey, at moment: UInt32?)
}

/// The watched values of all loops.
final class WatchRegistry: Sendable {
    private let state = Mutex(State())
    private let isUsed = Atomic(false)
    /// The memory that all watched values take.
    let memory = WatchMemory()

    private struct State {
        var entries: [CacheKey: Place] = [:]
        /// The values that depend on a counter (``Epochs``).
        var dependents: [UInt32: [ObjectIdentifier: WatchEntry]] = [:]

        mutating func depend(_ entry: WatchEntry, on slots: Set<UInt32>, before: Set<UInt32>) {
            for slot in before.subtracting(slots) {
                dependents[slot]?[ObjectIdentifier(entry)] = nil
                if dependents[slot]?.isEmpty == true { dependents[slot] = nil }
            }
            for slot in slots.subtracting(before) { dependents[slot, default: [:]][ObjectIdentifier(entry)] = entry }
        }
    }

    private struct Place {
        var entry: WatchEntry
        /// Counters that it depends on: those of its label, and those that its last answer named.
        var slots: Set<UInt32>
    }

    /// One more loop watches the value.
    /// - Parameter candidate: the entry, where there is none yet.
    func join(_ candidate: WatchEntry) -> WatchEntry {
        state.withLock { state in
            let entry: WatchEntry
            if let known = state.entries[candidate.key] {
                entry = known.entry
            } else {
                let slots = Set(candidate.label.slots)
                entry = candidate
                state.entries[entry.key] = Place(entry: entry, slots: slots)
                state.depend(entry, on: slots, before: [])
            }
            entry.join()
            isUsed.store(true, ordering: .relaxed)
            return entry
        }
    }

    /// The value's last answer depends on these counters.
    func depend(_ entry: WatchEntry, on slots: Set<UInt32>) {
        let slots = slots.union(entry.label.slots)
        state.withLock { state in
            guard let known = state.entries[entry.key], known.entry === entry, known.slots != slots else { return }
            state.entries[entry.key]?.slots = slots
            state.depend(entry, on: slots, before: known.slots)
        }
    }

    func leave(_ entry: WatchEntry) {
        state.withLock { state in
            if entry.leave() == 0, let known = state.entries[entry.key], known.entry === entry {
                state.entries[entry.key] = nil
                state.depend(entry, on: [], before: known.slots)
            }
            if state.entries.isEmpty { isUsed.store(false, ordering: .relaxed) }
        }
    }

    /// In no particular order.
    var all: [WatchEntry] { state.withLock { $0.entries.values.map(\.entry) } }

    /// Whether nothing is watched.
    var isEmpty: Bool { !isUsed.load(ordering: .relaxed) }

    // MARK: - What has changed

    /// A resource has been written to, by this gateway or one that shares its invalidations.
    /// - Parameter moment: when (``Epochs``).
    func resourceChanged(_ slot: UInt32, at moment: UInt32) {
        if isEmpty { return }
        tellHomes(of: state.withLock { Array($0.dependents[slot, default: [:]].values) }, at: moment)
    }

    /// Stored answers have been purged: the values that the purges select are asked for anew.
    func purged(_ requests: [PurgeRequest]) {
        if isEmpty { return }
        let all = all
        for request in requests {
            switch request.selection {
            case .everything: tellHomes(of: all)
            case .binding(let name): tellHomes(of: all.filter { $0.label.binding == name })
            case .tag(let tag): tellHomes(of: all.filter { $0.label.tags.contains(tag) })
            case .target(let target): tellHomes(of: all.filter { $0.label.plainTarget == target })
            // These select stored answers, and a watched value may not be stored.
            case .key, .group: break
            }
        }
    }

    private func tellHomes(of entries: [WatchEntry], at moment: UInt32? = nil) {
        for entry in entries {
            entry.home?.post { [key = entry.key] loopCache in loopCache.watching?.valueChanged(key, at: moment) }
        }
    }
}
