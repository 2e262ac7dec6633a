/// A text in base64 (RFC 4648 §4), as `Authorization: Basic` has it.
enum Base64Text {
    /// - Returns: nil where it is none, or no UTF-8.
    static func decoded(_ text: String) -> String? {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            bits = (bits << 6 | UInt32(digit)) & 0xffff
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
