internal import Synchronization

/// What has become of spans on their way to the collector.
public final class TraceTally: Sendable {
    /// Why a span is not with the collector.
    public enum Loss: String, Sendable, CaseIterable {
        /// Too many waited.
        case queueFull = "queue-full"
        /// The collector took none of them, or not in time.
        case refused
    }

    private let exported = Atomic<Int>(0)
    private let queueFull = Atomic<Int>(0)
    private let refused = Atomic<Int>(0)

    init() {}

    public func export(_ count: Int) { exported.add(count, ordering: .relaxed) }

    public func lose(_ count: Int, _ loss: Loss) {
        switch loss {
        case .queueFull: queueFull.add(count, ordering: .relaxed)
        case .refused: refused.add(count, ordering: .relaxed)
        }
    }

    public var exportedCount: Int { exported.load(ordering: .relaxed) }

    public func lostCount(_ loss: Loss) -> Int {
        switch loss {
        case .queueFull: queueFull.load(ordering: .relaxed)
        case .refused: refused.load(ordering: .relaxed)
        }
    }
}
