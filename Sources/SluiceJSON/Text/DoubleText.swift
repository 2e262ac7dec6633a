/// `Double`: any JSON number that is not beyond the largest finite one. The text is a number already.
enum DoubleText {
    static func isFinite(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // Below 1e308 whatever the digits are: the common case, without a conversion.
        if text.count <= 300, !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return true }
        return Double(String(decoding: text, as: UTF8.self))?.isFinite ?? false
    }
}
