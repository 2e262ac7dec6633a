extension Duration {
    /// For people: `10 s`, `250 ms`; to the millisecond.
    public var words: String {
        let milliseconds = nanosecondsClamped / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
