internal import Glibc

/// The clock that timers, ages and intervals are measured with: it never steps.
public enum MonotonicClock {
    /// CLOCK_MONOTONIC in nanoseconds.
    public static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
