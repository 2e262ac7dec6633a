/// The pairs of one `Cookie` field value (RFC 6265 §4.2, §5.4).
public struct CookieIterator {
    public struct Pair {
        public var name: UnsafeRawBufferPointer
        /// Without the double quotes around it, where it has any.
        public var value: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next pair; pieces without a name or a `=` are skipped, as servers do.
    public mutating func next() -> Pair? {
        while position < bytes.count {
            let end = bytes.place(of: UInt8(ascii: ";"), from: position)
            let piece = bytes.part(position, end).trimmed
            position = end + 1
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = piece.part(0, equals).trimmed
            if name.isEmpty { continue }
            return Pair(name: name, value: piece.part(equals + 1, piece.count).trimmed.unquoted)
        }
        return nil
    }
}
