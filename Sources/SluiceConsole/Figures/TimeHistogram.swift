/// A histogram of times as Prometheus has them: how many took at most so long, for each bound.
struct TimeHistogram: Equatable {
    /// By bound in seconds, ascending; the last one is infinite.
    private(set) var buckets: [(bound: Double, count: Double)] = []

    static func == (one: TimeHistogram, other: TimeHistogram) -> Bool {
        one.buckets.elementsEqual(other.buckets) { $0 == $1 }
    }

    mutating func add(_ bound: String, _ count: Double) {
        buckets.append((bound == "+Inf" ? .infinity : Double(bound) ?? .infinity, count))
    }

    /// What came since an earlier one; all of it where the two have other bounds, or the counts have begun anew.
    func since(_ earlier: TimeHistogram?) -> TimeHistogram {
        guard let earlier, earlier.buckets.map(\.bound) == buckets.map(\.bound) else { return self }
        var difference = TimeHistogram()
        difference.buckets = zip(buckets, earlier.buckets).map { ($0.bound, $0.count - $1.count) }
        return difference.buckets.contains { $0.count < 0 } ? self : difference
    }

    /// The time in seconds that a share of them took at most: between two bounds as if they were spread evenly, as
    /// `histogram_quantile` of Prometheus does; what is beyond the last bound is at that bound.
    /// - Returns: nil where there are none.
    func quantile(_ share: Double) -> Double? {
        guard let all = buckets.last?.count, all > 0 else { return nil }
        let rank = share * all
        var below = (bound: 0.0, count: 0.0)
        for bucket in buckets {
            if bucket.count >= rank, bucket.count > below.count {
                if bucket.bound == .infinity { return below.bound }
                return below.bound + (bucket.bound - below.bound) * (rank - below.count) / (bucket.count - below.count)
            }
            below = bucket
        }
        return below.bound
    }
}
