internal import SluiceContract

/// A moment by both clocks: intervals are measured by the monotonic clock, and stored times are dates.
public struct Moment: Hashable, Sendable {
    /// Nanoseconds of the monotonic clock.
    public var now: UInt64
    /// Seconds since 1970.
    public var unix: Int

    public init(now: UInt64, unix: Int) {
        self.now = now
        self.unix = unix
    }

    /// Times beyond the range of the clock never come.
    func after(_ seconds: Double) -> UInt64 {
        let nanoseconds = max(0, seconds) * 1e9
        guard nanoseconds < 0x1p63 else { return .max }
        let (time, isOver) = now.addingReportingOverflow(UInt64(nanoseconds))
        return isOver ? .max : time
    }
}

/// When tokens are renewed, and how often that is tried.
enum TokenTimes {
    /// A token is not used any more so many seconds before its end, because clocks differ, and requests take time.
    static func margin(of lifetime: Int) -> Double { min(30, Double(lifetime) / 10) }
    /// A token is renewed so many seconds before that, at the latest; with a random part, so that not all are renewed
    /// at once.
    static func lead(of lifetime: Int, chance: Double) -> Double {
        min(300, Double(lifetime) / 5) * (1 + chance)
    }
    /// The wait after so many failures in a row, in seconds.
    static func pause(after failures: Int, chance: Double) -> Double {
        min(60, Double(1 << min(failures - 1, 6))) * (0.5 + chance / 2)
    }
    /// The wait after a refusal, in seconds: the server would refuse the same request again.
    static let refusedPause: Double = 300
    /// The longest `Retry-After` that is respected, in seconds.
    static let retryAfterMax = 3600
    /// So many seconds after a question its answer may still come: the request is sent within its time, and the
    /// transport gives up earlier.
    static func answerMax(_ client: OAuth2Client) -> Double { (client.timeout + client.patience) / .seconds(1) + 5 }
    /// So many seconds after the lock could not be taken for late tokens, it is tried again.
    static let lateSeconds: Double = 5
    /// A token that upstreams refuse although it is new is not renewed more often than this, in seconds.
    static let renewalForRefusalsMin: Double = 30
}

extension SplitMix64 {
    /// From 0 to 1.
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
