/// A name and its value, as views of the bytes they were read from.
public struct NamedValue {
    public var name: UnsafeRawBufferPointer
    /// Without the surrounding double quotes, if any; quoted pairs stay as they are.
    public var value: UnsafeRawBufferPointer
}

/// The pieces of a field value between its separators, without the blanks around them.
struct PieceIterator {
    private let bytes: UnsafeRawBufferPointer
    private let separator: UInt8
    private let honoursQuotes: Bool
    private var position: Int

    /// - Parameters:
    ///   - honoursQuotes: whether a separator inside a quoted string belongs to its piece.
    ///   - start: where the first piece begins.
    init(_ bytes: UnsafeRawBufferPointer, separator: UInt8, honoursQuotes: Bool, from start: Int = 0) {
        self.bytes = bytes
        self.separator = separator
        self.honoursQuotes = honoursQuotes
        position = start
    }

    /// The next piece that is not empty.
    mutating func next() -> UnsafeRawBufferPointer? {
        while let piece = nextOrEmpty() {
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    /// The next piece, empty or not.
    mutating func nextOrEmpty() -> UnsafeRawBufferPointer? {
        guard position <= bytes.count else { return nil }
        let start = position
        skipPiece()
        let piece = bytes.part(start, position).trimmed
        position += 1
        return piece
    }

    /// The next piece as `name=value`; those without a name or a `=` are skipped.
    mutating func nextPair() -> NamedValue? {
        while let piece = next() {
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")), equals > 0 else { continue }
            return NamedValue(
                name: piece.part(0, equals).trimmed, value: piece.part(equals + 1, piece.count).trimmed.unquoted)
        }
        return nil
    }

    private mutating func skipPiece() {
        var isQuoted = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\"") where honoursQuotes: isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted && position + 1 < bytes.count: position += 1
            case separator where !isQuoted: return
            default: break
            }
            position += 1
        }
    }
}
