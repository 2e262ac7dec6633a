/// Bytes that are not text, in the notation of recordings: base64 with padding (RFC 4648 §4).
enum RecordedBytes {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let digits = Dictionary(zip(alphabet, UInt32(0)...)) { first, _ in first }

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count
                        ? alphabet[Int(word >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil where the text is not base64.
    static func bytes(_ text: String) -> [UInt8]? {
        let plain = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard text.utf8.count % 4 == 0, text.utf8.count - plain.count <= 2,
            text.utf8.dropFirst(plain.count).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        var bytes: [UInt8] = []
        var (word, bits) = (UInt32(0), UInt32(0))
        for character in plain {
            guard let digit = digits[character] else { return nil }
            (word, bits) = (word << 6 | digit, bits + 6)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> bits))
                word &= (1 << bits) - 1
            }
        }
        return bytes
    }
}
