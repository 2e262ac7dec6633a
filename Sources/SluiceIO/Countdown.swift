internal import Synchronization

/// Calls back once as many arrivals were counted as were expected; at once where none are.
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
