/// The pairs of one `Cookie` field value (RFC 6265 §4.2, §5.4).
public struct CookieIterator {
    private var pieces: PieceIterator

    public init(_ bytes: UnsafeRawBufferPointer) {
        pieces = PieceIterator(bytes, separator: UInt8(ascii: ";"), honoursQuotes: false)
    }

    /// The next pair; pieces without a name or a `=` are skipped, as servers do.
    public mutating func next() -> NamedValue? { pieces.nextPair() }

    /// The next piece as it is written, be it a pair or not, and its name: what stands before the `=`, or all of it.
    public mutating func nextPiece() -> (bytes: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer)? {
        guard let piece = pieces.next() else { return nil }
        guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return (piece, piece) }
        return (piece, piece.part(0, equals).trimmed)
    }
}
