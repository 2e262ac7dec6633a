internal import SluiceCache
internal import SluiceContract
internal import Synchronization

/// What need not be asked for at present, as any loop has found out: shared, because it is looked at where nothing is
/// stored, and never for a hit.
final class CacheNotes: Sendable {
    private struct State {
        /// Errors that are answered again without asking (`retry-after-error:`).
        var problems: [CacheKey: (problem: Problem, until: UInt64)] = [:]
        /// Answers that turned out not to be storable: nobody waits for another's.
        var uncacheable = RecentKeys(for: 10_000_000_000)
    }

    private let state = Mutex(State())
    /// Whether there has been anything to note.
    private let isUsed = Atomic(false)

    /// Errors kept at most: past that, all are forgotten.
    private static let problemsMax = 4096

    func problem(_ key: CacheKey, now: UInt64) -> Problem? {
        guard isUsed.load(ordering: .relaxed) else { return nil }
        return state.withLock { state in
            guard let known = state.problems[key] else { return nil }
            if known.until > now { return known.problem }
            state.problems[key] = nil
            return nil
        }
    }

    func keep(_ problem: Problem, _ key: CacheKey, until: UInt64) {
        isUsed.store(true, ordering: .relaxed)
        state.withLock { state in
            if state.problems.count >= Self.problemsMax { state.problems = [:] }
            state.problems[key] = (problem, until)
        }
    }

    func forget() {
        state.withLock { $0 = State() }
    }

    func isUncacheable(_ key: CacheKey, now: UInt64) -> Bool {
        guard isUsed.load(ordering: .relaxed) else { return false }
        return state.withLock { $0.uncacheable.contains(key, now: now) }
    }

    func markUncacheable(_ key: CacheKey, now: UInt64) {
        isUsed.store(true, ordering: .relaxed)
        state.withLock { $0.uncacheable.insert(key, now: now) }
    }
}
