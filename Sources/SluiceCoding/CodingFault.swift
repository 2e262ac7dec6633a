/// Why coded content cannot be decoded.
public enum CodingFault: Error, Hashable, Sendable {
    /// The content does not follow its coding: a wrong header, a wrong block, a checksum that does not match.
    case malformed
    /// The content breaks off.
    case truncated
    /// Bytes follow the end of the content.
    case trailing
    /// The content needs a dictionary, and none has been agreed on (RFC 1950 §2.3, RFC 8878 §5).
    case dictionary
    /// The content needs a larger window than recipients have to provide (RFC 9659 §3).
    case window
    /// The decoded content is longer than ``DecodingLimits/decodedBytes``.
    case size
    /// The content expands by more than ``DecodingLimits/ratio``.
    case ratio
    /// There is no memory for a decoder.
    case memory

    /// The fault as the end of a sentence: `its gzip content …`.
    public var reason: String {
        switch self {
        case .malformed: "is damaged"
        case .truncated: "ends too early"
        case .trailing: "has bytes behind its end"
        case .dictionary: "needs a dictionary that nobody has agreed on"
        case .window: "needs a window of more than 8 MiB"
        case .size: "is longer, once decoded, than 'limits: decoded-body' allows"
        case .ratio: "expands by more than 'limits: decoded-ratio' allows"
        case .memory: "needs more memory than there is"
        }
    }

    /// Whether a limit was exceeded; else the content is malformed.
    public var isLimit: Bool {
        switch self {
        case .window, .size, .ratio, .memory: true
        case .malformed, .truncated, .trailing, .dictionary: false
        }
    }
}
