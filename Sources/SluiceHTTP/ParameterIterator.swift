/// The parameters behind a value: `;name=value`, values quoted or not (RFC 9110 §5.6.6).
public struct ParameterIterator {
    public struct Parameter {
        public var name: UnsafeRawBufferPointer
        /// Without its quotes; quoted pairs in it stay as they are.
        public var value: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// - Parameter bytes: from the first `;` on.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next parameter; pieces without a name or a `=` are skipped.
    public mutating func next() -> Parameter? {
        while position < bytes.count {
            position += 1
            let start = position
            skipParameter()
            let piece = bytes.part(min(start, bytes.count), position).trimmed
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")), equals > 0 else { continue }
            return Parameter(
                name: piece.part(0, equals).trimmed, value: piece.part(equals + 1, piece.count).trimmed.unquoted)
        }
        return nil
    }

    private mutating func skipParameter() {
        var isQuoted = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted && position + 1 < bytes.count: position += 1
            case UInt8(ascii: ";") where !isQuoted: return
            default: break
            }
            position += 1
        }
    }
}
