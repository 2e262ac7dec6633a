/// Bytes as tables write them.
struct HexadecimalText {
    /// The bytes of two digits each.
    static func bytes(_ text: String) -> [UInt8] {
        var rest = Substring(text.filter { $0 != " " })
        var bytes: [UInt8] = []
        while !rest.isEmpty {
            bytes += UInt8(rest.prefix(2), radix: 16).map { [$0] } ?? []
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
