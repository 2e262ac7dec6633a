/// The parameters after a value: `;name=value`, values quoted or not (RFC 9110 §5.6.6).
public struct ParameterIterator {
    private var pieces: PieceIterator

    /// - Parameter bytes: from the first `;` on.
    public init(_ bytes: UnsafeRawBufferPointer) {
        pieces = PieceIterator(bytes, separator: UInt8(ascii: ";"), honoursQuotes: true, from: 1)
    }

    /// The next parameter; pieces without a name or a `=` are skipped.
    public mutating func next() -> NamedValue? { pieces.nextPair() }
}
