internal import Synchronization

/// How many exchanges are under way of which something is kept, on all loops: what they take has a bound, too.
final class InspectionCount: Sendable {
    private let open = Atomic(0)

    /// - Returns: whether one more may be kept; it has to leave then.
    func enter(most: Int) -> Bool {
        if open.wrappingAdd(1, ordering: .relaxed).newValue <= most { return true }
        leave()
        return false
    }

    func leave() { open.wrappingSubtract(1, ordering: .relaxed) }
}
