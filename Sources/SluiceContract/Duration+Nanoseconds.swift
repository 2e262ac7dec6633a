extension Duration {
    /// Whole nanoseconds for clocks and timers: 0 for negative durations, 2^63-1 for endless ones.
    public var nanosecondsClamped: UInt64 {
        if self <= .zero { return 0 }
        let (seconds, attoseconds) = components
        if seconds >= 9_000_000_000 { return UInt64(Int64.max) }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
