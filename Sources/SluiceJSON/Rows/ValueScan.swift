/// Finds where one JSON value ends, without checking it, which the extractor does. Without this a row could close the
/// array around it, or contain two values.
struct ValueScan {
    private var depth = 0
    private var text = Text.outside
    private var place = Place.before

    private enum Text {
        case outside, inside, behindEscape
    }

    /// Where the next byte stands, seen from the value as a whole.
    private enum Place {
        case before, inside, behind
    }

    /// Whether no container and no string is open.
    var isWhole: Bool { depth == 0 && text == .outside }

    var isInString: Bool { text != .outside }

    /// - Returns: whether the byte can belong to a single value.
    @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
        switch text {
        case .inside:
            if byte == UInt8(ascii: "\"") {
                text = .outside
                if depth == 0 { place = .behind }
            } else if byte == UInt8(ascii: "\\") {
                text = .behindEscape
            }
        case .behindEscape: text = .inside
        case .outside:
            if depth == 0, !takeOutermost(byte) { return false }
            switch byte {
            case UInt8(ascii: "\""): text = .inside
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { place = .behind }
            default: break
            }
        }
        return true
    }

    /// A byte outside of containers and strings.
    private mutating func takeOutermost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D:
            if place == .inside { place = .behind }
            return true
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","): return false
        default:
            if place == .behind { return false }
            place = .inside
            return true
        }
    }

    /// The fault for a byte that cannot belong to a single value.
    static func fault(_ byte: UInt8, expected: String) -> RowFault {
        let isShown = (0x21...0x7E).contains(byte)
        let shown = isShown ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte \(byte)"
        return RowFault(expected: expected, found: "\(shown) behind a value, or in front of one")
    }
}
