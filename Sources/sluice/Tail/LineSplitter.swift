/// Splits pieces of a text into whole lines.
struct LineSplitter {
    /// The text behind the last line end.
    private var rest: [UInt8] = []

    /// - Parameter take: called with each line, without its end.
    mutating func feed(_ bytes: some Sequence<UInt8>, _ take: (ArraySlice<UInt8>) -> Void) {
        rest += bytes
        var start = 0
        while let end = rest[start...].firstIndex(of: 0x0A) {
            take(rest[start..<end])
            start = end + 1
        }
        if start > 0 { rest.removeFirst(start) }
    }
}
