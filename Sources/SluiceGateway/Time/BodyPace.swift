/// How long the gateway waits for more of a client's body: each byte extends the deadline by the time that it may take
/// at the least rate, but the deadline is never further away than the body timeout.
struct BodyPace {
    private var deadline: UInt64 = 0

    /// Starts the clock, when the gateway begins to read the body.
    /// - Returns: the deadline for the next bytes.
    mutating func begin(at now: UInt64, _ waits: Waits) -> UInt64 {
        deadline = now &+ waits.body
        return deadline
    }

    /// Notes bytes that have arrived.
    /// - Returns: the deadline for the next bytes.
    mutating func moved(_ count: Int, at now: UInt64, _ waits: Waits) -> UInt64 {
        if waits.byte == 0 { return begin(at: now, waits) }
        deadline = min(now &+ waits.body, deadline &+ UInt64(count) &* waits.byte)
        return deadline
    }
}
