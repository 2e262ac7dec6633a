internal import SluiceCache
internal import SluiceContract
internal import Synchronization

/// Recent errors and uncacheable answers, whichever loop met them. Loops can share them because they are looked up on a
/// miss, never for a hit.
final class CacheNotes: Sendable {
    private struct State {
        /// Errors that are answered again without asking (`retry-after-error:`).
        var problems: [CacheKey: KeptProblem] = [:]
        /// Keys whose answers turned out not to be storable: each request asks for itself.
        var uncacheable = RecentKeys(for: 10_000_000_000)
    }

    private let state = Mutex(State())
    /// Whether there has been anything to note.
    private let isUsed = Atomic(false)

    /// Errors kept at most: past that, all are forgotten.
    private static let problemsMax = 4096

    func problem(_ key: CacheKey, now: UInt64, _ epochs: Epochs) -> Problem? {
        guard isUsed.load(ordering: .relaxed) else { return nil }
        return state.withLock { state in
            guard let known = state.problems[key] else { return nil }
            if known.until > now, known.dependencies.allSatisfy({ epochs.isCurrent($0) }) { return known.aged(to: now) }
            state.problems[key] = nil
            return nil
        }
    }

    /// - Parameters:
    ///   - since: when it was answered first.
    ///   - dependencies: those of the answer that would have been stored instead: a write to one of them ends the error
    ///     (RFC 9111 §4.4).
    func keep(
        _ problem: Problem, _ key: CacheKey, since: UInt64, until: UInt64, dependencies: [Epochs.Dependency] = []
    ) {
        isUsed.store(true, ordering: .relaxed)
        state.withLock { state in
            if state.problems.count >= Self.problemsMax { state.problems = [:] }
            state.problems[key] = KeptProblem(problem, since: since, until: until, dependencies)
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

/// An error that is answered again, for a while.
private struct KeptProblem {
    private let problem: Problem
    private let since: UInt64
    let until: UInt64
    let dependencies: [Epochs.Dependency]

    init(_ problem: Problem, since: UInt64, until: UInt64, _ dependencies: [Epochs.Dependency]) {
        (self.problem, self.since, self.until, self.dependencies) = (problem, since, until, dependencies)
    }

    /// The error as it is answered now: `Retry-After` counts from the first answer (RFC 9110 §10.2.3). Once it has
    /// passed, it gives the seconds until the error is forgotten, because the upstream is not asked before.
    func aged(to now: UInt64) -> Problem {
        guard let seconds = problem.retryAfterSeconds else { return problem }
        // Loops read the time at different moments: `now` may be before `since`.
        let gone = Int((max(now, since) - since) / 1_000_000_000)
        var aged = problem
        aged.retryAfterSeconds = seconds > gone ? seconds - gone : Int((until - now + 999_999_999) / 1_000_000_000)
        return aged
    }
}
