internal import SluiceCache
internal import Synchronization

/// What keeps those who watch on one loop. Messages of other loops reach it by way of the loop's cache.
protocol LoopWatching: AnyObject {
    /// What is behind a watched value has changed, or may have: it is asked for anew.
    func valueChanged(_ key: CacheKey)
}

/// What is watched, on whatever loop.
final class WatchRegistry: Sendable {
    private let entries = Mutex<[CacheKey: WatchEntry]>([:])
    private let isUsed = Atomic(false)

    /// One more loop wants to know of it.
    /// - Parameter candidate: the entry, where there is none yet.
    func join(_ candidate: WatchEntry) -> WatchEntry {
        entries.withLock { entries in
            let entry = entries[candidate.key] ?? candidate
            entries[candidate.key] = entry
            entry.join()
            isUsed.store(true, ordering: .relaxed)
            return entry
        }
    }

    func leave(_ entry: WatchEntry) {
        entries.withLock { entries in
            if entry.leave() == 0, entries[entry.key] === entry { entries[entry.key] = nil }
            if entries.isEmpty { isUsed.store(false, ordering: .relaxed) }
        }
    }

    /// In no particular order.
    var all: [WatchEntry] { entries.withLock { Array($0.values) } }

    /// Whether nothing is watched.
    var isEmpty: Bool { !isUsed.load(ordering: .relaxed) }

    // MARK: - What has changed

    /// A resource has been written to, by this gateway or one that shares its invalidations.
    func resourceChanged(_ slot: UInt32) {
        if isEmpty { return }
        tellHomes { $0.slots.contains(slot) }
    }

    /// What is stored of it is of no more use, says somebody.
    func purged(_ requests: [PurgeRequest]) {
        if isEmpty { return }
        for request in requests {
            switch request.selection {
            case .everything: tellHomes { _ in true }
            case .binding(let name): tellHomes { $0.binding == name }
            case .tag(let tag): tellHomes { $0.tags.contains(tag) }
            case .target(let target): tellHomes { $0.plainTarget == target }
            // They name answers that are stored, and what is watched may not be.
            case .key, .group: break
            }
        }
    }

    private func tellHomes(of isMeant: (WatchEntry.Label) -> Bool) {
        for entry in all where isMeant(entry.label) {
            entry.home?.post { [key = entry.key] loopCache in loopCache.watching?.valueChanged(key) }
        }
    }
}
