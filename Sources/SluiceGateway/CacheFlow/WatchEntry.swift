internal import SluiceCache
internal import Synchronization

/// One watched value, as all loops know it: which of them polls it, and how it stands.
final class WatchEntry: Sendable {
    let key: CacheKey
    let label: Label
    private let state = Mutex(State())

    /// What the value is found by when something changes, and shown by to people.
    struct Label: Sendable {
        var binding: String
        var tags: [String]
        /// As it may be shown.
        var target: String
        /// The target as purges name it.
        var plainTarget: [UInt8]
        /// Counters of the upstream's resource, with its query and without, and of what changes name (``Epochs``): the
        /// value depends on them whatever its answer says.
        var slots: [UInt32]
    }

    /// The state of the value.
    struct Standing: Sendable {
        var watchers = 0
        /// Changes so far, the first value included.
        var number: UInt64 = 0
        var valueBytes = 0
        /// Seconds since 1970.
        var changedAt: Int?
        var answeredAt: Int?
        var failures = 0
        var problem: String?
        var isAsking = false
    }

    private struct State {
        var home: LoopAddress?
        /// How many loops have it.
        var loops = 0
        var standing = Standing()
    }

    init(_ key: CacheKey, _ label: Label) {
        self.key = key
        self.label = label
    }

    /// One more loop has it.
    func join() { state.withLock { $0.loops += 1 } }

    /// - Returns: how many loops have it still.
    func leave() -> Int {
        state.withLock { state in
            state.loops -= 1
            return state.loops
        }
    }

    /// The loop that polls it already; nil where `loop` has claimed it now.
    func claim(for loop: LoopAddress?) -> LoopAddress? {
        state.withLock { state in
            if let home = state.home, home !== loop { return home }
            state.home = loop
            return nil
        }
    }

    /// The loop no longer polls it.
    func release(_ loop: LoopAddress?) {
        state.withLock { state in
            if state.home === loop { state.home = nil }
        }
    }

    var home: LoopAddress? { state.withLock { $0.home } }

    var standing: Standing { state.withLock { $0.standing } }

    func changeWatchers(by count: Int) { state.withLock { $0.standing.watchers += count } }

    /// - Parameter change: of what its home knows; watchers are counted separately.
    func note(_ change: (inout Standing) -> Void) {
        var standing = standing
        change(&standing)
        let known = standing
        state.withLock { state in
            let watchers = state.standing.watchers
            state.standing = known
            state.standing.watchers = watchers
        }
    }
}
