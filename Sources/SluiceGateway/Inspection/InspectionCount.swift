internal import Synchronization

/// Counts the exchanges in progress that are kept, on all loops, so that their memory has a bound.
final class InspectionCount: Sendable {
    private let open = Atomic(0)

    /// - Returns: whether one more may be kept; if so, `leave()` has to follow.
    func enter(most: Int) -> Bool {
        if open.wrappingAdd(1, ordering: .relaxed).newValue <= most { return true }
        leave()
        return false
    }

    func leave() { open.wrappingSubtract(1, ordering: .relaxed) }
}
