/// A chunk's size line: `chunk-size [ chunk-ext ] CRLF` (RFC 9112 §7.1).
struct ChunkLine {
    var size: Int
    /// Including CRLF.
    var length: Int
    var extensionCount: Int

    enum Step {
        case needMore
        case line(ChunkLine)
        case refused(ChunkedDecoder.Fault)
    }

    /// Sixteen digits fill 64 bits; further digits would be leading zeros or an overflow.
    private static var digitsMax: Int { 16 }

    /// Reads the line from `bytes`, which begin with it.
    static func parse(_ bytes: UnsafeRawBufferPointer, extensionLimit: Int) -> Step {
        var size = 0
        var position = 0
        while position < bytes.count, let digit = bytes[position].hexadecimalValue {
            guard position < digitsMax, size <= Int.max >> 4 else { return .refused(.sizeTooLarge) }
            size = size << 4 | Int(digit)
            position += 1
        }
        guard position < bytes.count else { return .needMore }
        guard position > 0 else { return .refused(.noSize) }
        if bytes[position] == .cr { return end(bytes, position, size, extensions: 0) }
        guard bytes[position].isBlank || bytes[position] == UInt8(ascii: ";") else {
            return .refused(bytes[position] == .lf ? .bareLF : .invalidLine)
        }
        var reader = ExtensionReader(bytes: bytes, position: position, end: min(bytes.count, position + extensionLimit))
        switch reader.read() {
        case .done: return end(bytes, reader.position, size, extensions: reader.position - position)
        case .refused: return .refused(.invalidExtension)
        case .needMore: return bytes.count >= position + extensionLimit ? .refused(.extensionsTooLarge) : .needMore
        }
    }

    /// Reads the CRLF; the byte at `position` is the CR.
    private static func end(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ size: Int, extensions: Int) -> Step {
        guard position + 1 < bytes.count else { return .needMore }
        guard bytes[position + 1] == .lf else { return .refused(.bareLF) }
        return .line(ChunkLine(size: size, length: position + 2, extensionCount: extensions))
    }
}

/// `*( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )` up to a CR (RFC 9112 §7.1.1).
///
/// Extensions are ignored; they are parsed because another recipient might frame a malformed one differently.
private struct ExtensionReader {
    enum Outcome { case needMore, done, refused }

    let bytes: UnsafeRawBufferPointer
    var position: Int
    let end: Int

    mutating func read() -> Outcome {
        while true {
            let before = position
            skipBlanks()
            guard position < end else { return .needMore }
            // Blanks are allowed only before a further extension: before the CR they are an error.
            if bytes[position] == .cr { return position == before ? .done : .refused }
            guard bytes[position] == UInt8(ascii: ";") else { return .refused }
            position += 1
            skipBlanks()
            let name = readToken()
            guard name == .done else { return name }
            let afterName = position
            skipBlanks()
            guard position < end else { return .needMore }
            guard bytes[position] == UInt8(ascii: "=") else {
                position = afterName
                continue
            }
            position += 1
            skipBlanks()
            guard position < end else { return .needMore }
            let value = bytes[position] == UInt8(ascii: "\"") ? readQuoted() : readToken()
            guard value == .done else { return value }
        }
    }

    private mutating func skipBlanks() {
        while position < end, bytes[position].isBlank { position += 1 }
    }

    private mutating func readToken() -> Outcome {
        guard position < end, let base = bytes.baseAddress else { return .needMore }
        let count = Scan.token(base + position, end - position)
        guard count > 0 else { return .refused }
        position += count
        return position < end ? .done : .needMore
    }

    /// RFC 9110 §5.6.4, from the opening quote on.
    private mutating func readQuoted() -> Outcome {
        position += 1
        while position < end {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return position < end ? .done : .needMore
            case UInt8(ascii: "\\"):
                guard position < end else { return .needMore }
                guard bytes[position].isText else { return .refused }
                position += 1
            default:
                guard byte.isText else { return .refused }
            }
        }
        return .needMore
    }
}

extension UInt8 {
    /// Whether the byte may stand in a quoted string: any but a control character; tab is allowed.
    fileprivate var isText: Bool { self >= 0x20 && self != 0x7f || self == .tab }
}
