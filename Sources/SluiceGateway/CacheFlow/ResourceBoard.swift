internal import SluiceContract
internal import Synchronization

/// The state of the resources of bindings with a cache, besides their stored answers: which are being fetched, and what
/// went wrong last. Shared by all loops; each fetch for the cache writes here, a hit does not.
final class ResourceBoard: Sendable {
    /// How many fetches in progress, and how many failures, are noted at most.
    static let loadingMax = 4096
    static let failuresMax = 512

    /// A fetch in progress.
    struct Loading {
        let binding: String
        let target: [UInt8]
        /// Nanoseconds of the monotonic clock.
        let since: UInt64
    }

    /// What went wrong last, until an answer comes.
    struct Failure {
        let binding: String
        let target: [UInt8]
        let kind: Problem.Kind
        let status: Int
        let detail: String
        /// Seconds since 1970.
        let at: Int
        var count: Int
    }

    struct Ticket: Hashable {
        fileprivate let number: UInt64
    }

    private struct Place: Hashable {
        let binding: String
        let target: [UInt8]
    }

    private struct State {
        var loading: [Ticket: Loading] = [:]
        var failures: [Place: Failure] = [:]
        var number: UInt64 = 0
    }

    private let state = Mutex(State())

    /// - Returns: the ticket for ``end(_:_:at:)``; nil where there is no room for the note.
    func begin(_ binding: String, _ target: [UInt8], at now: UInt64) -> Ticket? {
        state.withLock { state in
            guard state.loading.count < Self.loadingMax else { return nil }
            state.number += 1
            let ticket = Ticket(number: state.number)
            state.loading[ticket] = Loading(binding: binding, target: target, since: now)
            return ticket
        }
    }

    /// The fetch has ended.
    /// - Parameters:
    ///   - problem: what went wrong; nil where there is an answer.
    ///   - unix: seconds since 1970.
    func end(_ ticket: Ticket, _ problem: Problem?, at unix: Int) {
        state.withLock { state in
            guard let loading = state.loading.removeValue(forKey: ticket) else { return }
            let place = Place(binding: loading.binding, target: loading.target)
            guard let problem else {
                if !state.failures.isEmpty { state.failures[place] = nil }
                return
            }
            let count = (state.failures[place]?.count ?? 0) + 1
            if count == 1, state.failures.count >= Self.failuresMax {
                state.failures.min { $0.value.at < $1.value.at }.map { state.failures[$0.key] = nil }
            }
            state.failures[place] = Failure(
                binding: loading.binding, target: loading.target, kind: problem.kind, status: problem.status,
                detail: problem.detail, at: unix, count: count)
        }
    }

    /// The fetch was given up: this is neither an answer nor a failure.
    func forget(_ ticket: Ticket) { state.withLock { $0.loading[ticket] = nil } }

    /// All fetches in progress and all failures, the oldest first.
    var all: (loading: [Loading], failures: [Failure]) {
        let state = state.withLock { $0 }
        return (
            state.loading.values.sorted { $0.since < $1.since }, state.failures.values.sorted { $0.at < $1.at }
        )
    }
}
