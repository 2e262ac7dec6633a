/// A histogram of times in the form of Prometheus: for each bound, how many times were at most that long.
struct TimeHistogram: Equatable {
    /// By bound in seconds, ascending; the last bound is infinite.
    private(set) var buckets: [(bound: Double, count: Double)] = []

    static func == (one: TimeHistogram, other: TimeHistogram) -> Bool {
        one.buckets.elementsEqual(other.buckets) { $0 == $1 }
    }

    mutating func add(_ bound: String, _ count: Double) {
        buckets.append((bound == "+Inf" ? .infinity : Double(bound) ?? .infinity, count))
    }

    /// The difference from an earlier histogram; the whole where the bounds differ, or the counts have begun anew.
    func since(_ earlier: TimeHistogram?) -> TimeHistogram {
        guard let earlier, earlier.buckets.map(\.bound) == buckets.map(\.bound) else { return self }
        var difference = TimeHistogram()
        difference.buckets = zip(buckets, earlier.buckets).map { ($0.bound, $0.count - $1.count) }
        return difference.buckets.contains { $0.count < 0 } ? self : difference
    }

    /// The time in seconds that a share of the times did not exceed. Within a bucket times count as evenly spread, as
    /// in `histogram_quantile` of Prometheus; times beyond the last bound count as that bound.
    /// - Returns: nil where the histogram is empty.
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
