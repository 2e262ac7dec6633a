/// Numbers as fields write them: `1*DIGIT`, no sign, no blank, no list (RFC 9110 §8.6, §10.2.3, §7.6.2).
public enum DecimalNumber {
    /// nil where `text` is anything else, or does not fit into 63 bits.
    public static func parse(_ text: UnsafeRawBufferPointer) -> Int? {
        guard text.count > 0, text.count <= 19 else { return nil }
        var number = 0
        for byte in text {
            guard byte.isDigit else { return nil }
            let (shifted, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = shifted.addingReportingOverflow(Int(byte &- 0x30))
            if overflow || carry { return nil }
            number = sum
        }
        return number
    }

    /// Like ``parse(_:)``; a number that does not fit is the largest that does.
    public static func clamped(_ text: UnsafeRawBufferPointer) -> Int? {
        guard text.count > 0, text.allSatisfy({ $0.isDigit }) else { return nil }
        let digits = UnsafeRawBufferPointer(rebasing: text.drop(while: { $0 == UInt8(ascii: "0") }))
        return digits.isEmpty ? 0 : parse(digits) ?? .max
    }
}
