/// Parses field lines one after the other (RFC 9112 §5), for the heads and trailers of requests and responses.
///
/// The result does not depend on how the bytes are split into reads: each byte is judged by the bytes before it, and
/// the limits count from the start of the section.
struct FieldSection {
    /// The most that a section may hold.
    struct Limits {
        var bytes: Int
        var count: Int
    }

    enum Step: Equatable {
        case needMore
        /// The empty line has been read.
        case end
        case refused(Fault)
    }

    /// Bytes of whole lines read so far, from the start of the section.
    private(set) var parsed = 0

    /// Continues parsing the section.
    /// - Parameters:
    ///   - section: all bytes received so far, from the start of the section.
    ///   - offset: where the section will stand in the storage of `fields`.
    mutating func parse(
        _ section: UnsafeRawBufferPointer, at offset: Int, into fields: inout HeaderBlock, limits: Limits
    ) -> Step {
        let window = min(section.count, limits.bytes)
        guard let base = section.baseAddress else { return .needMore }
        while parsed < window {
            let line = base + parsed
            let rest = window - parsed
            switch Self.parseLine(line, rest) {
            case .field(let field, let length):
                if fields.count >= limits.count { return .refused(.tooManyFields) }
                var placed = field
                placed.nameOffset &+= UInt32(truncatingIfNeeded: offset + parsed)
                placed.valueOffset &+= UInt32(truncatingIfNeeded: offset + parsed)
                fields.appendField(placed)
                parsed += length
            case .end:
                parsed += 2
                return .end
            case .needMore:
                return section.count >= limits.bytes ? .refused(.sectionTooLarge) : .needMore
            case .refused(let fault):
                return .refused(fault)
            }
        }
        return section.count >= limits.bytes ? .refused(.sectionTooLarge) : .needMore
    }

    private enum Line {
        case needMore
        case end
        case field(HeaderBlock.Field, length: Int)
        case refused(Fault)
    }

    /// Parses one line; offsets in the result count from the start of the line.
    @inline(__always)
    private static func parseLine(_ line: UnsafeRawPointer, _ count: Int) -> Line {
        // Where the bytes before the first colon are a known field name, their characters need no check.
        if count >= 32 {
            let colon = Scan.colon(line)
            let id = FieldID(name: UnsafeRawBufferPointer(start: line, count: colon))
            if id != .other, colon < 32 { return parseValue(line, count, id, nameCount: colon) }
        }
        let nameCount = Scan.token(line, count)
        if nameCount == count { return .needMore }
        let stop = line.load(fromByteOffset: nameCount, as: UInt8.self)
        guard nameCount > 0, stop == UInt8(ascii: ":") else { return noField(line, count, nameCount, stop) }
        guard nameCount <= HeaderBlock.nameBytesMax else { return .refused(.sectionTooLarge) }
        let id = FieldID(name: UnsafeRawBufferPointer(start: line, count: nameCount))
        return parseValue(line, count, id, nameCount: nameCount)
    }

    /// Parses the value, after the colon.
    @inline(__always)
    private static func parseValue(_ line: UnsafeRawPointer, _ count: Int, _ id: FieldID, nameCount: Int) -> Line {
        var start = nameCount + 1
        while start < count, line.load(fromByteOffset: start, as: UInt8.self).isBlank { start += 1 }
        let stop = start + Scan.fieldValue(line + start, count - start)
        if stop == count { return .needMore }
        let terminator = line.load(fromByteOffset: stop, as: UInt8.self)
        guard terminator == .cr else { return .refused(fault(ofControl: terminator)) }
        if stop + 1 == count { return .needMore }
        guard line.load(fromByteOffset: stop + 1, as: UInt8.self) == .lf else { return .refused(.bareCR) }
        var end = stop
        while end > start, line.load(fromByteOffset: end - 1, as: UInt8.self).isBlank { end -= 1 }
        let field = HeaderBlock.Field(
            nameOffset: 0, nameCount: UInt16(truncatingIfNeeded: nameCount), id: id, flags: 0,
            valueOffset: UInt32(truncatingIfNeeded: start), valueCount: UInt32(truncatingIfNeeded: end - start))
        return .field(field, length: stop + 2)
    }

    /// A line that does not begin with a name and a colon: the end of the section, or a fault.
    private static func noField(_ line: UnsafeRawPointer, _ count: Int, _ nameCount: Int, _ stop: UInt8) -> Line {
        switch stop {
        case .cr where nameCount == 0:
            if count == 1 { return .needMore }
            return line.load(fromByteOffset: 1, as: UInt8.self) == .lf ? .end : .refused(.bareCR)
        case .space, .tab: return .refused(nameCount == 0 ? .folded : .blankInName)
        case UInt8(ascii: ":"): return .refused(.emptyName)
        case .cr, .lf: return .refused(nameCount == 0 ? .bareLF : .noColon)
        default: return .refused(.invalidName)
        }
    }

    private static func fault(ofControl byte: UInt8) -> Fault {
        switch byte {
        case .lf: .bareLF
        case 0: .nul
        default: .controlInValue
        }
    }

    /// Why a section is refused.
    enum Fault: Equatable {
        case folded, blankInName, emptyName, noColon, invalidName, bareLF, bareCR, nul, controlInValue
        case tooManyFields, sectionTooLarge

        var reason: StaticString {
            switch self {
            case .folded: "A field line begins with a blank (obsolete line folding, RFC 9112 §5.2)."
            case .blankInName: "A blank stands in a field name or between it and the colon (RFC 9112 §5.1)."
            case .emptyName: "A field has no name (RFC 9110 §5.1)."
            case .noColon: "A field line has no colon (RFC 9112 §5)."
            case .invalidName: "A field name holds a character that no token may hold (RFC 9110 §5.1)."
            case .bareLF: "A line ends with LF alone (RFC 9112 §2.2)."
            case .bareCR: "A CR stands without its LF (RFC 9112 §2.2)."
            case .nul: "A field value holds NUL (RFC 9110 §5.5)."
            case .controlInValue: "A field value holds a control character (RFC 9110 §5.5)."
            case .tooManyFields: "There are more fields than the limit allows (header-count)."
            case .sectionTooLarge: "The fields are larger than the limit allows (header-block)."
            }
        }

        var isLimit: Bool { self == .tooManyFields || self == .sectionTooLarge }
    }
}
