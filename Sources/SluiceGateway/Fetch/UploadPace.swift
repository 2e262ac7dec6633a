/// Whether an upstream that has no room for more of a body still takes what waits for it. Nothing tells of that: it is
/// looked at four times in the time that may pass, so that an end is seen at most a quarter of it late.
struct UploadPace {
    private var silence: UInt64 = 0
    /// When it had last taken anything, as far as was seen.
    private var movedAt: UInt64 = 0
    /// What it had taken by then.
    private var taken = 0
    /// When to look; `.max` where nothing waits.
    private(set) var lookAt = UInt64.max

    var isHeld: Bool { lookAt != .max }

    /// There is no room for more of the body.
    /// - Parameters:
    ///   - taken: a number that grows with what the upstream takes.
    ///   - silence: how long that may stay the same.
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
