/// Whether requests for a busy HTTP/2 connection wait for each other, so that many leave in one write and their answers
/// come in few reads.
///
/// It is what Nagle's algorithm does for a byte stream (RFC 896): while several requests are under way and answers come
/// at short intervals, further ones wait until the next input, which is near, and leave together. A request that is
/// alone, or whose upstream is slow, never waits; nor does anything but whole requests, such as content or a PING.
struct RequestGathering {
    /// How long a request may wait; 0 is not at all.
    private let nanosecondsMax: UInt64
    /// Requests that wait to be written.
    private(set) var waitingCount = 0
    /// Requests of this epoch that have no head of an answer yet, those that wait included.
    private var awaitedCount = 0
    /// Counted up when those under way have turned out to be slow, which says nothing of the next input then.
    private var epoch: UInt32 = 1
    /// Something has come since requests were written last.
    private var hasHeard = true
    /// There is something to write that is not for waiting.
    private var isUrgent = false
    private var heardAt: UInt64
    /// Between two inputs, a moving average in nanoseconds.
    private var interval = Self.intervalMax
    /// Answers that one input brings, a moving average in sixteenths.
    private var burst = 0
    private var answeredCount = 0
    /// When those that wait are written at the latest.
    private(set) var dueAt: UInt64?

    /// With fewer under way, the upstream would be idle while requests wait …
    private static let underWayMin = 4
    /// … unless answers come many at a time: then so do requests, and one under way is enough to wait for.
    private static let burstMin = 2 << 4
    private static let waitingMax = 64
    private static let intervalMax: UInt64 = 16_000_000

    init(nanosecondsMax: UInt64, at now: UInt64) {
        self.nanosecondsMax = nanosecondsMax
        heardAt = now
    }

    /// - Parameter isWhole: there is no more of it than its head.
    /// - Returns: for ``answered(_:)``.
    mutating func submitted(isWhole: Bool) -> UInt32 {
        waitingCount += 1
        awaitedCount += 1
        if !isWhole { isUrgent = true }
        return epoch
    }

    /// The head of an answer has come, or none will.
    /// - Parameter epoch: what ``submitted(isWhole:)`` returned.
    mutating func answered(_ epoch: UInt32) {
        answeredCount += 1
        if epoch == self.epoch, awaitedCount > 0 { awaitedCount -= 1 }
    }

    mutating func urge() { isUrgent = true }

    mutating func heard(at now: UInt64) {
        hasHeard = true
        burst += (min(answeredCount, 64) << 4 - burst) >> 2
        answeredCount = 0
        interval = interval - interval >> 2 + min(now &- heardAt, Self.intervalMax) >> 2
        heardAt = now
    }

    /// Whether nothing is written now.
    mutating func holds(at now: UInt64) -> Bool {
        guard waitingCount > 0, !hasHeard, !isUrgent, waitingCount < Self.waitingMax,
            awaitedCount - waitingCount >= (burst >= Self.burstMin ? 1 : Self.underWayMin),
            interval < nanosecondsMax,
            now < heardAt &+ nanosecondsMax
        else { return false }
        if dueAt == nil { dueAt = now &+ nanosecondsMax }
        return true
    }

    /// What waited is being written.
    mutating func wrote() {
        isUrgent = false
        dueAt = nil
        if waitingCount == 0 { return }
        hasHeard = false
        waitingCount = 0
    }

    /// Those that wait have waited long enough.
    /// - Returns: whether any did.
    mutating func timePassed(at now: UInt64) -> Bool {
        guard let dueAt, now >= dueAt else { return false }
        epoch &+= 1
        awaitedCount = 0
        isUrgent = true
        return true
    }
}
