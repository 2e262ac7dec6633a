internal import Synchronization

/// Calls back once the expected number of arrivals is reached; at once where none is expected.
final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let done: @Sendable () -> Void

    init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.done = done
        if count == 0 { done() }
    }

    func arrived() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done() }
    }
}

/// Whether every loop had finished its exchanges in time.
final class DrainVerdict: Sendable {
    private let spoiled = Atomic<Bool>(false)

    var isClean: Bool { !spoiled.load(ordering: .acquiring) }

    func spoil() { spoiled.store(true, ordering: .releasing) }
}
