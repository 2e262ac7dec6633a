internal import COpenSSL

/// Base64 with the alphabet for URLs and without padding, as JOSE writes it (RFC 4648 §5, RFC 7515 §2).
public enum Base64URL {
    /// `bytes` as ASCII.
    public static func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text = Base64.encode(bytes)
        while text.last == UInt8(ascii: "=") { text.removeLast() }
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return text
    }

    /// `bytes` as ASCII.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { encode($0) } }

    /// `bytes` as a text.
    public static func text(_ bytes: [UInt8]) -> String { String(decoding: encode(bytes), as: UTF8.self) }

    /// The bytes that `text` stands for; nil unless ``encode(_:)`` would give the same text: no padding, blanks, line
    /// ends or characters of another alphabet, and zeros for the unused bits.
    public static func decode(_ text: [UInt8]) -> [UInt8]? {
        let padded = text.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = (4 - padded.count % 4) % 4
        guard let bytes = Base64.decode(padded, padding: padding) else { return nil }
        return encode(bytes) == text ? bytes : nil
    }

    /// The bytes that `text` stands for; nil unless ``encode(_:)`` would give the same text.
    public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }
}

/// Base64 with padding (RFC 4648 §4).
public enum Base64 {
    /// `bytes` as a text.
    public static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.withUnsafeBytes { encode($0) }, as: UTF8.self)
    }

    /// The bytes that `text` stands for; nil unless encoding them would give the same text, with all of its padding.
    public static func decode(_ text: [UInt8]) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, let bytes = decode(Array(text.dropLast(padding)), padding: padding) else { return nil }
        return bytes.withUnsafeBytes { encode($0) } == text ? bytes : nil
    }

    static func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        // OpenSSL writes a NUL after the text.
        let room = (bytes.count + 2) / 3 * 4 + 1
        return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = bytes.baseAddress else { return }
            let read = start.assumingMemoryBound(to: UInt8.self)
            count = Int(EVP_EncodeBlock(buffer.baseAddress, read, Int32(bytes.count)))
        }
    }

    /// Decodes `text`; blanks at both ends are ignored.
    /// - Parameter padding: how many `=` have to be added to the text.
    fileprivate static func decode(_ text: [UInt8], padding: Int) -> [UInt8]? {
        let text = text + repeatElement(UInt8(ascii: "="), count: padding)
        var isWellFormed = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { buffer, count in
            let length = Int(EVP_DecodeBlock(buffer.baseAddress, text, Int32(text.count)))
            isWellFormed = length >= padding
            // Padding is decoded as zeros.
            count = isWellFormed ? length - padding : 0
        }
        return isWellFormed ? bytes : nil
    }
}
