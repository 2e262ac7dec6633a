internal import SluiceContract

/// A moment by both clocks: intervals are measured by the one that never steps, and what is kept is dated by the other.
public struct Moment: Hashable, Sendable {
    /// Nanoseconds of the monotonic clock.
    public var now: UInt64
    /// Seconds since 1970.
    public var unix: Int

    public init(now: UInt64, unix: Int) {
        self.now = now
        self.unix = unix
    }

    /// What is further away than the clock can say never comes.
    func after(_ seconds: Double) -> UInt64 {
        let nanoseconds = max(0, seconds) * 1e9
        guard nanoseconds < 0x1p63 else { return .max }
        let (time, isOver) = now.addingReportingOverflow(UInt64(nanoseconds))
        return isOver ? .max : time
    }
}

/// When tokens are renewed, and how often it is tried.
enum TokenTimes {
    /// Clocks differ, and requests take their time: so much before its end a token is not shown any more.
    static func margin(of lifetime: Int) -> Double { min(30, Double(lifetime) / 10) }
    /// So much before that it is renewed, at the latest; with chance, so that not all are renewed at once.
    static func lead(of lifetime: Int, chance: Double) -> Double {
        min(300, Double(lifetime) / 5) * (1 + chance)
    }
    /// The wait after so many failures in a row, in seconds.
    static func pause(after failures: Int, chance: Double) -> Double {
        min(60, Double(1 << min(failures - 1, 6))) * (0.5 + chance / 2)
    }
    /// A request for tokens that makes no sense to the server will not do so in a second either.
    static let refusedPause: Double = 300
    /// `Retry-After` is kept to for so long.
    static let retryAfterMax = 3600
    /// So long after a question an answer to it may come, in seconds: the request goes out within its time, and the
    /// transport gives it up first.
    static func answerMax(_ client: OAuth2Client) -> Double { (client.timeout + client.patience) / .seconds(1) + 5 }
    /// So long after the lock could not be had for tokens that came late, it is tried again.
    static let lateSeconds: Double = 5
    /// A token that upstreams refuse although it is new is not renewed more often than this, in seconds.
    static let renewalForRefusalsMin: Double = 30
}

extension SplitMix64 {
    /// From 0 to 1.
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
