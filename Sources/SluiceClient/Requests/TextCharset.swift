public import FoundationEssentials

/// What a request may say its text's charset with: a ``TextEncoding``, or Foundation's `String.Encoding`.
public protocol TextCharset: Sendable {
    /// Nil for one that no text is sent in.
    var textEncoding: TextEncoding? { get }
}

extension TextEncoding: TextCharset {
    public var textEncoding: TextEncoding? { self }
}

extension String.Encoding: TextCharset {
    public var textEncoding: TextEncoding? {
        switch self {
        case .utf8: .utf8
        case .utf16: .utf16
        case .utf16BigEndian: .utf16BigEndian
        case .utf16LittleEndian: .utf16LittleEndian
        case .ascii: .ascii
        case .isoLatin1: .isoLatin1
        default: nil
        }
    }
}
