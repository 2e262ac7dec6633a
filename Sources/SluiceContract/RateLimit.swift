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
        let units: [(name: String, period: Duration)] = [
            ("d", .seconds(86_400)), ("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1)),
        ]
        let unit = units.first { $0.period == period }?.name ?? "\(period.nanosecondsClamped / 1_000_000)ms"
        return "\(count)/\(unit)" + (burst == count ? "" : " burst \(burst)")
    }
}
