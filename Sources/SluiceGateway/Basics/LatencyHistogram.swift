/// How long answers take, for quantiles: a histogram whose buckets are an eighth of an octave or less wide, so that a
/// quantile is at most an eighth too large. Old answers fade: all counts are halved once there are enough of them.
struct LatencyHistogram {
    private var counts = [UInt32](repeating: 0, count: bucketCount)
    private(set) var total: UInt32 = 0

    /// Fewer answers say nothing about a tail.
    static let totalMin: UInt32 = 20
    private static let totalMax: UInt32 = 2048
    /// Buckets per octave.
    private static let steps: UInt64 = 8
    /// All answers shorter than 2^14 ns (16 µs) share a bucket, and so do those over two minutes.
    private static let floorBits = 14
    private static let bucketCount = 23 * 8

    /// O(1).
    mutating func record(nanoseconds: UInt64) {
        counts[Self.bucket(nanoseconds)] += 1
        total += 1
        if total >= Self.totalMax { fade() }
    }

    /// The time that `percent` of the answers did not exceed, in nanoseconds; nil where there are too few answers.
    func quantile(_ percent: Int) -> UInt64? {
        guard total >= Self.totalMin else { return nil }
        let rank = (UInt64(total) * UInt64(percent) + 99) / 100
        var seen: UInt64 = 0
        for (bucket, count) in counts.enumerated() {
            seen += UInt64(count)
            if seen >= rank { return Self.upperBound(bucket) }
        }
        return nil
    }

    private mutating func fade() {
        total = 0
        for bucket in counts.indices {
            counts[bucket] /= 2
            total += counts[bucket]
        }
    }

    private static func bucket(_ nanoseconds: UInt64) -> Int {
        let value = max(nanoseconds, 1 << UInt64(floorBits))
        let octave = 63 - value.leadingZeroBitCount
        let step = Int(value >> UInt64(octave - 3) & (steps - 1))
        return min((octave - floorBits) * Int(steps) + step, bucketCount - 1)
    }

    private static func upperBound(_ bucket: Int) -> UInt64 {
        let octave = UInt64(bucket / Int(steps) + floorBits)
        let step = UInt64(bucket % Int(steps))
        return (steps + step + 1) << (octave - 3)
    }
}
