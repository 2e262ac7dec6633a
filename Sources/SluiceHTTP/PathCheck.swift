/// What in a percent-encoded path other programs may read as something else (RFC 3986 §3.3, §5.2.4, §6.2.2).
public struct PathCheck: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A segment is `.` or `..`, in whatever encoding; `;` ends a segment here, as in Java servers.
    public static let dotSegment = PathCheck(rawValue: 1)
    /// `%2f`.
    public static let encodedSlash = PathCheck(rawValue: 2)
    /// `\` or `%5c`.
    public static let backslash = PathCheck(rawValue: 4)
    /// `%00`.
    public static let nul = PathCheck(rawValue: 8)
    /// `//`.
    public static let emptySegment = PathCheck(rawValue: 16)
    /// Another control character, encoded.
    public static let control = PathCheck(rawValue: 32)
    /// A `%` without two hexadecimal digits.
    public static let malformed = PathCheck(rawValue: 64)

    public init(_ path: UnsafeRawBufferPointer) {
        self = []
        var index = 0
        // Of the segment so far: how many dots, and whether nothing else.
        var dots = 0
        var isDotsOnly = true
        var segmentCount = 0
        while index < path.count {
            var byte = path[index]
            index += 1
            var isEncoded = false
            if byte == UInt8(ascii: "%") {
                guard index + 1 < path.count, let high = path[index].hexadecimalValue,
                    let low = path[index + 1].hexadecimalValue
                else {
                    insert(.malformed)
                    isDotsOnly = false
                    continue
                }
                byte = high << 4 | low
                index += 2
                isEncoded = true
                noteEncoded(byte)
            }
            switch byte {
            case UInt8(ascii: "."):
                dots += 1
                segmentCount += 1
            case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: ";"):
                if byte == UInt8(ascii: "\\") { insert(.backslash) }
                if isDotsOnly, (1...2).contains(dots) { insert(.dotSegment) }
                if byte == UInt8(ascii: "/"), !isEncoded {
                    if segmentCount == 0, index > 1 { insert(.emptySegment) }
                    segmentCount = 0
                } else {
                    segmentCount += 1
                }
                dots = 0
                // What follows a `;` is parameters, no segment.
                isDotsOnly = byte != UInt8(ascii: ";")
            default:
                isDotsOnly = false
                segmentCount += 1
            }
        }
        if isDotsOnly, (1...2).contains(dots) { insert(.dotSegment) }
    }

    private mutating func noteEncoded(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "/"): insert(.encodedSlash)
        case 0: insert(.nul)
        case 1..<0x20, 0x7f: insert(.control)
        default: break
        }
    }
}
