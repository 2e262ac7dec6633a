/// Why coded content cannot be decoded.
public enum CodingFault: Error, Hashable, Sendable {
    /// It is not of its coding: a wrong header, a wrong block, a checksum that does not match.
    case malformed
    /// It ends before its end.
    case truncated
    /// Something follows its end.
    case trailing
    /// It wants a dictionary, and nobody has agreed on one (RFC 1950 §2.3, RFC 8878 §5).
    case dictionary
    /// It wants a larger window than recipients have to provide (RFC 9659 §3).
    case window
    /// Decoded, it is longer than ``DecodingLimits/decodedBytes``.
    case size
    /// It expands by more than ``DecodingLimits/ratio``.
    case ratio
    /// There is no memory for a decoder.
    case memory

    /// What is wrong with content of a coding, as a part of a sentence: `its gzip content …`.
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

    /// Whether a limit was exceeded; else the content is not what it says it is.
    public var isLimit: Bool {
        switch self {
        case .window, .size, .ratio, .memory: true
        case .malformed, .truncated, .trailing, .dictionary: false
        }
    }
}
