/// Base64 with padding (RFC 4648 §4).
public enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    public static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for position in 0..<4 {
                let isPadding = position > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * position)) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
