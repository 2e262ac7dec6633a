/// Finds where one JSON value ends, without checking it, which the extractor does. Without this a row could close the
/// array around it, or contain two values.
struct ValueScan {
    private var depth = 0
    private var text = Text.outside

    private enum Text {
        case outside, inside, behindEscape
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
            } else if byte == UInt8(ascii: "\\") {
                text = .behindEscape
            }
        case .behindEscape: text = .inside
        case .outside:
            switch byte {
            case UInt8(ascii: "\""): text = .inside
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return false }
                depth -= 1
            case UInt8(ascii: ","): return depth > 0
            default: break
            }
        }
        return true
    }

    /// The fault for a byte that cannot belong to a single value.
    static func fault(_ byte: UInt8) -> RowFault {
        let byte = Character(Unicode.Scalar(byte))
        return RowFault(expected: "one JSON value", found: "'\(byte)' behind a value, or in front of one")
    }
}
