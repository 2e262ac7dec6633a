internal import SluiceContract

/// The `traceparent` field (W3C Trace Context Level 2 §3.2): which trace a request belongs to, and which span it comes
/// from.
struct TraceParent: Equatable {
    var trace: TraceID
    var parent: SpanID
    var flags: Flags

    /// §3.2.2.5; flags without a meaning are zero.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The caller may have recorded the trace.
        static let sampled = Flags(rawValue: 1)
        /// The last seven bytes of the trace's identifier are random.
        static let random = Flags(rawValue: 2)
    }

    /// Bytes of the value in this version.
    static let byteCount = 55

    init(trace: TraceID, parent: SpanID, flags: Flags) {
        (self.trace, self.parent, self.flags) = (trace, parent, flags)
    }

    /// Reads a value; nil where it is malformed, so that a new trace begins.
    init?(_ text: UnsafeRawBufferPointer) {
        // §3.2.4: the value of a higher version may be longer, after another dash.
        guard text.count >= Self.byteCount, text[2] == Self.dash, text[35] == Self.dash, text[52] == Self.dash,
            let version = Hexadecimal.number(text[..<2]), version != 0xFF,
            text.count == Self.byteCount || version > 0 && text[Self.byteCount] == Self.dash,
            let high = Hexadecimal.number(text[3..<19]), let low = Hexadecimal.number(text[19..<35]),
            let parent = Hexadecimal.number(text[36..<52]), let flags = Hexadecimal.number(text[53..<55])
        else { return nil }
        trace = TraceID(high: high, low: low)
        self.parent = SpanID(parent)
        self.flags = Flags(rawValue: UInt8(flags)).intersection([.sampled, .random])
        // §3.2.2.3, §3.2.2.4.
        guard trace.isValid, self.parent.isValid else { return nil }
    }

    /// Writes the value, ``byteCount`` bytes.
    func write(into line: UnsafeMutableRawBufferPointer) {
        Hexadecimal.write(0, count: 2, into: line, at: 0)
        Hexadecimal.write(trace.high, count: 16, into: line, at: 3)
        Hexadecimal.write(trace.low, count: 16, into: line, at: 19)
        Hexadecimal.write(parent.number, count: 16, into: line, at: 36)
        Hexadecimal.write(UInt64(flags.rawValue), count: 2, into: line, at: 53)
        for offset in [2, 35, 52] { line[offset] = Self.dash }
    }

    private static let dash = UInt8(ascii: "-")
}
