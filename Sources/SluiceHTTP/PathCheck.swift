/// Features of a percent-encoded path that other programs may read differently (RFC 3986 §3.3, §5.2.4, §6.2.2).
public struct PathCheck: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A segment is `.` or `..`, in any encoding; `/` and `\`, plain or encoded, separate segments, and a `;` ends the
    /// part that is compared.
    public static let dotSegment = PathCheck(rawValue: 1)
    /// `%2f`.
    public static let encodedSlash = PathCheck(rawValue: 2)
    /// `\` or `%5c`.
    public static let backslash = PathCheck(rawValue: 4)
    /// `%00`.
    public static let nul = PathCheck(rawValue: 8)
    /// `//`.
    public static let emptySegment = PathCheck(rawValue: 16)
    /// An encoded control character other than NUL.
    public static let control = PathCheck(rawValue: 32)
    /// A `%` without two hexadecimal digits.
    public static let malformed = PathCheck(rawValue: 64)
    /// Bytes that are UTF-8 in a form longer than needed, such as `%c0%af` for `/` (RFC 3629 §3).
    public static let overlong = PathCheck(rawValue: 128)

    /// Whether a path has letters, digits, `-`, `_`, `~` and slashes alone: no two programs read such a path
    /// differently, and it is its own normal form.
    public static func isPlain(_ path: UnsafeRawBufferPointer) -> Bool { path.consists(of: .plain) }

    /// O(count), one pass.
    public init(_ path: UnsafeRawBufferPointer) {
        self = []
        var segment = Segment()
        var index = 0
        while index < path.count {
            let byte = path[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < path.count, let high = path[index + 1].hexadecimalValue,
                    let low = path[index + 2].hexadecimalValue
                else {
                    insert(.malformed)
                    segment.add(byte)
                    index += 1
                    continue
                }
                note(encoded: high << 4 | low, &segment)
                index += 3
            } else {
                if byte == UInt8(ascii: "/"), index > 0, path[index - 1] == byte { insert(.emptySegment) }
                note(byte, &segment)
                index += 1
            }
        }
        if segment.isDots { insert(.dotSegment) }
    }

    private mutating func note(encoded byte: UInt8, _ segment: inout Segment) {
        switch byte {
        case UInt8(ascii: "/"): insert(.encodedSlash)
        case 0: insert(.nul)
        case 1..<0x20, 0x7f: insert(.control)
        case 0xc0, 0xc1: insert(.overlong)
        case 0x80..<0x90 where segment.lastEncoded == 0xf0: insert(.overlong)
        case 0x80..<0xa0 where segment.lastEncoded == 0xe0: insert(.overlong)
        default: break
        }
        note(byte, &segment)
        segment.lastEncoded = byte
    }

    private mutating func note(_ byte: UInt8, _ segment: inout Segment) {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "\\"):
            if byte == UInt8(ascii: "\\") { insert(.backslash) }
            if segment.isDots { insert(.dotSegment) }
            segment = Segment()
        case UInt8(ascii: ";"):
            // Parameters of the segment follow (RFC 3986 §3.3); servers that cut them off see the dots alone.
            if segment.isDots { insert(.dotSegment) }
            segment.add(byte)
        default:
            segment.add(byte)
        }
    }

    /// The part of a segment that has been read so far.
    private struct Segment {
        var dots = 0
        var hasOthers = false
        /// The preceding byte, if it was percent-encoded; else 0.
        var lastEncoded: UInt8 = 0

        var isDots: Bool { !hasOthers && (1...2).contains(dots) }

        mutating func add(_ byte: UInt8) {
            if byte == UInt8(ascii: ".") { dots += 1 } else { hasOthers = true }
            lastEncoded = 0
        }
    }
}
