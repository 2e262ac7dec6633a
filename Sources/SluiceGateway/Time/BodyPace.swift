/// How long more of a client's body is waited for: each byte earns the time that it may take at the least rate, and
/// never is there more time than the body timeout.
struct BodyPace {
    private var deadline: UInt64 = 0

    /// From now on somebody reads.
    /// - Returns: when more has to be there.
    mutating func begin(at now: UInt64, _ waits: Waits) -> UInt64 {
        deadline = now &+ waits.body
        return deadline
    }

    /// So many bytes have come.
    /// - Returns: when more has to be there.
    mutating func moved(_ count: Int, at now: UInt64, _ waits: Waits) -> UInt64 {
        if waits.byte == 0 { return begin(at: now, waits) }
        deadline = min(now &+ waits.body, deadline &+ UInt64(count) &* waits.byte)
        return deadline
    }
}
