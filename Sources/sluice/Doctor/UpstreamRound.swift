internal import Dispatch
internal import SluiceContract
internal import SluiceSockets
internal import Synchronization

/// Checks all endpoints of all upstreams, several at a time, so that timeouts do not add up.
final class UpstreamRound: Sendable {
    static let atOnceMax = 16

    private struct State {
        var next = 0
        var found: [[Diagnosis]?]
    }

    private let checkups: [UpstreamCheckup]
    private let state: Mutex<State>
    /// Counts the finished checks.
    private let isDone = DispatchSemaphore(value: 0)

    init(_ upstreams: [Upstream]) {
        checkups = upstreams.flatMap { upstream in upstream.endpoints.map { UpstreamCheckup(upstream, at: $0) } }
        state = Mutex(State(found: Array(repeating: nil, count: checkups.count)))
    }

    /// - Parameter tell: is called in the order of the page.
    func run(_ tell: ([Diagnosis]) -> Void) {
        for _ in checkups.indices.prefix(Self.atOnceMax) {
            ServiceThread.run("sluice-doctor") { [self] in
                while let index = take() { put(checkups[index].run(), at: index) }
            }
        }
        for index in checkups.indices {
            tell(Progress.during("asking \(checkups[index].place)") { found(at: index) })
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next < checkups.count ? state.next : nil
        }
    }

    private func put(_ diagnoses: [Diagnosis], at index: Int) {
        state.withLock { $0.found[index] = diagnoses }
        isDone.signal()
    }

    private func found(at index: Int) -> [Diagnosis] {
        while true {
            if let found = state.withLock({ $0.found[index] }) { return found }
            isDone.wait()
        }
    }
}
