internal import Synchronization

/// What became of spans on their way to the collector.
public final class TraceTally: Sendable {
    /// Why a span did not reach the collector.
    public enum Loss: String, Sendable, CaseIterable {
        /// Too many spans were waiting.
        case queueFull = "queue-full"
        /// The collector refused the spans, or did not take them in time.
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
