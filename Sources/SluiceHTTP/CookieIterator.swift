/// The pairs of one `Cookie` field value (RFC 6265 §4.2, §5.4).
public struct CookieIterator {
    private var pieces: PieceIterator

    public init(_ bytes: UnsafeRawBufferPointer) {
        pieces = PieceIterator(bytes, separator: UInt8(ascii: ";"), honoursQuotes: false)
    }

    /// The next pair; pieces without a name or a `=` are skipped, as servers do.
    public mutating func next() -> NamedValue? { pieces.nextPair() }
}
