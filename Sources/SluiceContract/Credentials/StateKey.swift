/// The content of a file with the key that a state folder is sealed with. The page's reader and the daemon read it
/// alike.
public enum StateKey {
    /// Of AES-256.
    public static let byteCount = 32
    /// What a file may hold.
    public static let wanted =
        "\(byteCount) bytes, or as many in hexadecimal digits: openssl rand -out FILE \(byteCount)"

    /// - Returns: the key; nil where there is none.
    public static func read(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.count == byteCount { return bytes }
        let digits = bytes.filter { $0 > 0x20 }
        return digits.count == 2 * byteCount ? Hexadecimal.bytes(digits) : nil
    }
}
