extension Duration {
    /// Whole nanoseconds, cut to what an unsigned clock can be moved by without overflow.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 { return 0 }
        return UInt64(min(seconds, 9_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
