/// A charset of texts; the raw value is its name in `Content-Type`.
public enum TextEncoding: String, Sendable, CaseIterable {
    case utf8 = "utf-8"
    /// Big-endian with a mark in front; read in the order that the mark says.
    case utf16 = "utf-16"
    case utf16BigEndian = "utf-16be"
    case utf16LittleEndian = "utf-16le"
    case ascii = "us-ascii"
    case isoLatin1 = "iso-8859-1"

    /// By one of the names it goes by (IANA's character sets), in small letters.
    init?(charset: String) {
        switch charset {
        case "utf8": self = .utf8
        case "latin1", "l1", "iso8859-1": self = .isoLatin1
        case "ascii": self = .ascii
        default: self.init(rawValue: charset)
        }
    }

    /// The bytes of a text; nothing where the charset lacks one of its characters.
    func bytes(of text: String) -> [UInt8]? {
        switch self {
        case .utf8: Array(text.utf8)
        case .utf16: [0xFE, 0xFF] + Self.bigEndian(text)
        case .utf16BigEndian: Self.bigEndian(text)
        case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case .ascii: Self.bytes(text, upTo: 0x7F)
        case .isoLatin1: Self.bytes(text, upTo: 0xFF)
        }
    }

    /// The text of bytes; nothing where they are not of the charset.
    func text(of bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .utf16:
            switch (bytes.first, bytes.dropFirst().first) {
            case (0xFF, 0xFE): Self.text(bytes.dropFirst(2), isBigEndian: false)
            case (0xFE, 0xFF): Self.text(bytes.dropFirst(2), isBigEndian: true)
            default: Self.text(bytes[...], isBigEndian: true)
            }
        case .utf16BigEndian: Self.text(bytes[...], isBigEndian: true)
        case .utf16LittleEndian: Self.text(bytes[...], isBigEndian: false)
        case .ascii: bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
        case .isoLatin1: String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
        }
    }

    private static func bigEndian(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private static func bytes(_ text: String, upTo highest: UInt32) -> [UInt8]? {
        text.unicodeScalars.allSatisfy { $0.value <= highest }
            ? text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : nil
    }

    private static func text(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return String(validating: units, as: UTF16.self)
    }
}
