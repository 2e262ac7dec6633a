/// So many requests in so much time, and how many of them at once: a token bucket (`100/s burst 20`).
public struct RateLimit: Hashable, Sendable {
    /// Requests per ``period``.
    public var count: Int
    public var period: Duration
    /// Size of the bucket: requests that may come at once after a pause.
    public var burst: Int

    /// - Parameter burst: where nil, as many as `count`.
    public init(_ count: Int, per period: Duration, burst: Int? = nil) {
        self.count = count
        self.period = period
        self.burst = burst ?? count
    }
}

extension RateLimit: CustomStringConvertible {
    /// As the configuration writes it: `100/s burst 20`.
    public var description: String {
        let milliseconds = period.nanosecondsClamped / 1_000_000
        let unit = Self.units.first { milliseconds > 0 && milliseconds % $0.milliseconds == 0 } ?? ("ms", 1)
        let number = milliseconds / unit.milliseconds
        return "\(count)/\(number == 1 ? "" : "\(number)")\(unit.name)" + (burst == count ? "" : " burst \(burst)")
    }

    private static let units: [(name: String, milliseconds: UInt64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000),
    ]
}
