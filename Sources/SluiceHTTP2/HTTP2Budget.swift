/// How often a peer may still do something that costs us more than it costs the peer: a token bucket.
struct HTTP2Budget {
    private let capacity: Int
    private var left: Int
    private var refilledAt: UInt64

    /// An empty budget is full again after this many nanoseconds.
    static let refillNanoseconds: UInt64 = 30_000_000_000

    init(_ capacity: Int, at now: UInt64) {
        self.capacity = max(1, capacity)
        left = self.capacity
        refilledAt = now
    }

    /// - Parameter now: nanoseconds of a monotonic clock.
    /// - Returns: whether the budget allowed it.
    mutating func spend(at now: UInt64) -> Bool {
        if left == 0 { refill(at: now) }
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// The peer has done something useful.
    mutating func earn(_ count: Int) {
        left = min(capacity, left + count)
    }

    /// Refills an empty budget in proportion to the time since the last refill.
    private mutating func refill(at now: UInt64) {
        let passed = min(now &- refilledAt, Self.refillNanoseconds)
        left = Int(passed) / max(1, Int(Self.refillNanoseconds) / capacity)
        if left > 0 { refilledAt = now }
    }
}
