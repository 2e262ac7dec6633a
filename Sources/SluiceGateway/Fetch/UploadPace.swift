/// Whether an upstream that has no room for more of a body still takes the waiting bytes. No event tells of that, so it
/// is checked four times within the allowed time; a stall is noticed at most a quarter of it late.
struct UploadPace {
    private var silence: UInt64 = 0
    /// When the upstream last took anything, as far as was noticed.
    private var movedAt: UInt64 = 0
    /// The bytes it had taken by then.
    private var taken = 0
    /// When to check next; `.max` where nothing waits.
    private(set) var lookAt = UInt64.max

    var isHeld: Bool { lookAt != .max }

    /// The upstream has no room for more of the body.
    /// - Parameters:
    ///   - taken: a number that grows with the bytes that the upstream takes.
    ///   - silence: how long that number may stay the same.
    mutating func begin(at now: UInt64, taken: Int, silence: UInt64) {
        self.silence = silence
        self.taken = taken
        movedAt = now
        planLook(at: now)
    }

    /// There is room again, or the body is over.
    mutating func end() { lookAt = .max }

    /// - Returns: whether the upstream has taken nothing for as long as it may.
    mutating func isStuck(at now: UInt64, taken: Int) -> Bool {
        if taken > self.taken { movedAt = now }
        self.taken = taken
        planLook(at: now)
        return now >= movedAt &+ silence
    }

    private mutating func planLook(at now: UInt64) { lookAt = min(now &+ silence / 4, movedAt &+ silence) }
}
