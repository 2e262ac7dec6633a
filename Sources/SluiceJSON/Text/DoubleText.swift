/// `Double`: any JSON number that is finite as a `Double`. The text is known to be a number.
enum DoubleText {
    static func isFinite(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // The common case, without a conversion: up to 300 characters without an exponent are always below 1e308.
        if text.count <= 300, !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return true }
        return Double(String(decoding: text, as: UTF8.self))?.isFinite ?? false
    }
}
