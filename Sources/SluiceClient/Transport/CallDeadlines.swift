internal import SluiceContract

/// When a connection, and the call on it, have waited for too long. Nanoseconds of the monotonic clock; `.max` is
/// never.
struct CallDeadlines {
    private var connectBy = UInt64.max
    /// Of the address that is tried now.
    private var addressBy = UInt64.max
    /// Of the whole call, as long as its answer is not read as a stream.
    private var callBy = UInt64.max
    /// Of the next piece of an answer that is.
    private var stallBy = UInt64.max
    /// The earliest time that the clock has been set to.
    private var toldOf = UInt64.max

    mutating func connecting(_ limit: Duration, at now: UInt64) {
        connectBy = now &+ limit.nanosecondsClamped
        addressBy = connectBy
    }

    /// One of so many addresses that are left is tried: it has its share of the time, so that an address without an
    /// answer leaves some for the others.
    mutating func trying(oneOf count: Int, at now: UInt64) {
        guard connectBy != .max, connectBy > now else { return }
        addressBy = now &+ (connectBy - now) / UInt64(max(1, count))
    }

    mutating func began(due: UInt64) { callBy = due }

    /// The answer is read as a stream from now on: only its silence counts.
    mutating func streamed(_ stall: Duration?, at now: UInt64) {
        callBy = .max
        if let stall { stallBy = now &+ stall.nanosecondsClamped }
    }

    /// Whether progress makes a difference.
    var countsSilence: Bool { stallBy != .max }

    /// Something came.
    mutating func progressed(_ stall: Duration?, at now: UInt64) {
        if let stall, countsSilence { stallBy = now &+ stall.nanosecondsClamped }
    }

    mutating func ended() {
        callBy = .max
        stallBy = .max
    }

    /// The name, or the address that is tried, has had its time.
    func isConnectOverdue(at now: UInt64) -> Bool { addressBy <= now }

    func isOverdue(at now: UInt64) -> Bool { min(callBy, stallBy) <= now }

    private func next(isConnecting: Bool) -> UInt64 {
        min(callBy, stallBy, isConnecting ? addressBy : .max)
    }

    /// When the clock has to ring, where that is earlier than it will; else `.max`.
    mutating func untold(isConnecting: Bool) -> UInt64 {
        let next = next(isConnecting: isConnecting)
        guard next < toldOf else { return .max }
        toldOf = next
        return next
    }

    /// When the clock has to ring, for one that is asking.
    mutating func tell(isConnecting: Bool) -> UInt64 {
        toldOf = next(isConnecting: isConnecting)
        return toldOf
    }
}
