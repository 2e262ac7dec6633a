/// Whether requests for a busy HTTP/2 connection wait for each other, so that many leave in one write and their answers
/// come in few reads.
///
/// It does what Nagle's algorithm does for a byte stream (RFC 896): while several requests are unanswered and answers
/// come at short intervals, further requests wait until the next input, which is near, and leave together. A single
/// request, or one to a slow upstream, never waits; nor does any other output, such as content or a PING.
struct RequestGathering {
    /// How long a request may wait; 0 turns gathering off.
    private let nanosecondsMax: UInt64
    /// Requests that wait to be written.
    private(set) var waitingCount = 0
    /// Requests of this epoch whose answer's head has not come, including those that wait to be written.
    private var awaitedCount = 0
    /// Counted up when the unanswered requests turn out to be slow; they are left out of the count from then on.
    private var epoch: UInt32 = 1
    /// Input has come since requests were last written.
    private var hasHeard = true
    /// There is output that must not wait.
    private var isUrgent = false
    private var heardAt: UInt64
    /// The time between two inputs, a moving average in nanoseconds.
    private var interval = Self.intervalMax
    /// The answers per input, a moving average in sixteenths.
    private var burst = 0
    private var answeredCount = 0
    /// When the waiting requests are written at the latest.
    private(set) var dueAt: UInt64?

    /// With fewer unanswered requests, the upstream would be idle while others wait …
    private static let underWayMin = 4
    /// … unless answers come many at a time: then requests do, too, and one unanswered request is enough to wait for.
    private static let burstMin = 2 << 4
    private static let waitingMax = 64
    private static let intervalMax: UInt64 = 16_000_000

    init(nanosecondsMax: UInt64, at now: UInt64) {
        self.nanosecondsMax = nanosecondsMax
        heardAt = now
    }

    /// - Parameter isWhole: the request has only a head.
    /// - Returns: the epoch, for ``answered(_:)``.
    mutating func submitted(isWhole: Bool) -> UInt32 {
        waitingCount += 1
        awaitedCount += 1
        if !isWhole { isUrgent = true }
        return epoch
    }

    /// The head of an answer has come, or will not come any more.
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

    /// Whether the waiting requests are not written yet.
    mutating func holds(at now: UInt64) -> Bool {
        guard waitingCount > 0, !hasHeard, !isUrgent, waitingCount < Self.waitingMax,
            awaitedCount - waitingCount >= (burst >= Self.burstMin ? 1 : Self.underWayMin),
            interval < nanosecondsMax,
            now < heardAt &+ nanosecondsMax
        else { return false }
        if dueAt == nil { dueAt = now &+ nanosecondsMax }
        return true
    }

    /// The waiting requests are being written.
    mutating func wrote() {
        isUrgent = false
        dueAt = nil
        if waitingCount == 0 { return }
        hasHeard = false
        waitingCount = 0
    }

    /// Ends the wait of requests that have waited long enough.
    /// - Returns: whether there were any.
    mutating func timePassed(at now: UInt64) -> Bool {
        guard let dueAt, now >= dueAt else { return false }
        epoch &+= 1
        awaitedCount = 0
        isUrgent = true
        return true
    }
}
