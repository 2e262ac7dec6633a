/// The elements of a comma-separated list, without the blanks around them and without empty ones (RFC 9110 §5.6.1).
public struct ListIterator {
    private let bytes: UnsafeRawBufferPointer
    private let honoursQuotes: Bool
    private var position = 0

    /// - Parameter honoursQuotes: whether a comma inside a quoted string belongs to its element. Not so for lists of
    ///   tokens, where a stray quote must not hide the elements after it.
    public init(_ bytes: UnsafeRawBufferPointer, honoursQuotes: Bool = false) {
        self.bytes = bytes
        self.honoursQuotes = honoursQuotes
    }

    public mutating func next() -> UnsafeRawBufferPointer? {
        while position < bytes.count {
            let start = position
            skipElement()
            let element = bytes.part(start, position).trimmed
            position += 1
            if !element.isEmpty { return element }
        }
        return nil
    }

    private mutating func skipElement() {
        var isQuoted = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\"") where honoursQuotes: isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted && position + 1 < bytes.count: position += 1
            case UInt8(ascii: ",") where !isQuoted: return
            default: break
            }
            position += 1
        }
    }
}
