internal import Synchronization

/// One loop's cache counters since the start. Only that loop counts; any thread may read.
public final class CacheTally: Sendable {
    private let hitCount = Atomic<Int>(0)
    private let missCount = Atomic<Int>(0)
    private let storedCount = Atomic<Int>(0)
    private let validatedCount = Atomic<Int>(0)
    private let collapsedCount = Atomic<Int>(0)

    public init() {}

    /// An exchange was answered out of the store.
    @inline(__always)
    public func hit() { Self.count(hitCount) }
    /// An exchange had to wait for the upstream's answer.
    public func missed() { Self.count(missCount) }
    /// An answer was stored.
    public func stored() { Self.count(storedCount) }
    /// The upstream confirmed a stored response (304).
    public func validated() { Self.count(validatedCount) }
    /// One of the missed exchanges waited for another's request.
    public func collapsed() { Self.count(collapsedCount) }

    /// With one writer, no count is lost between reading and writing.
    @inline(__always)
    private static func count(_ number: borrowing Atomic<Int>) {
        number.store(number.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// The counts, of one loop or of several.
    public struct Counts: Sendable, Equatable {
        public var hits = 0
        public var misses = 0
        public var stored = 0
        public var validated = 0
        public var collapsed = 0

        public init() {}

        public static func + (left: Counts, right: Counts) -> Counts {
            var sum = left
            sum.hits += right.hits
            sum.misses += right.misses
            sum.stored += right.stored
            sum.validated += right.validated
            sum.collapsed += right.collapsed
            return sum
        }
    }

    public var counts: Counts {
        var counts = Counts()
        counts.hits = hitCount.load(ordering: .relaxed)
        counts.misses = missCount.load(ordering: .relaxed)
        counts.stored = storedCount.load(ordering: .relaxed)
        counts.validated = validatedCount.load(ordering: .relaxed)
        counts.collapsed = collapsedCount.load(ordering: .relaxed)
        return counts
    }
}
