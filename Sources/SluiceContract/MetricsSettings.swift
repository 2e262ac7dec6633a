/// `metrics:`.
public struct MetricsSettings: Hashable, Sendable {
    /// Upper bounds of the buckets of histograms of time, in ascending order; one without a bound comes on top.
    public var buckets: [Duration] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000].map {
        .milliseconds($0)
    }

    public init() {}
}
