internal import SluiceContract

/// Upper bounds of a histogram's buckets, in nanoseconds and ascending; a bucket without a bound comes on top. Each
/// bucket counts only the times within it; the metrics page adds them up.
struct TimeBuckets: @unchecked Sendable {
    private let bounds: UnsafeMutableBufferPointer<UInt64>

    /// The creator has to free the memory (``deallocate()``).
    init(_ durations: [Duration]) {
        bounds = .allocate(capacity: durations.count)
        _ = bounds.initialize(from: durations.map(\.nanosecondsClamped))
    }

    func deallocate() { bounds.deallocate() }

    /// Cells that a histogram takes in a slab: the sum, each bucket, and the top bucket.
    var cellCount: Int { bounds.count + 2 }
    /// Number of buckets, including the top one.
    var count: Int { bounds.count + 1 }
    var all: [UInt64] { Array(bounds) }

    /// Counts a time in the histogram that begins at `cell`. Bounds are inclusive, as `le` demands.
    @inline(__always)
    func record(_ nanoseconds: UInt64, in slab: CounterSlab, at cell: Int) {
        slab.add(nanoseconds, at: cell)
        slab.add(at: cell + 1 + bucket(of: nanoseconds))
    }

    /// The position of the bucket that a time falls in.
    @inline(__always)
    func bucket(of nanoseconds: UInt64) -> Int {
        var bucket = 0
        while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
        return bucket
    }
}
