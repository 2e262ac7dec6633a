extension UnsafeRawBufferPointer {
    static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Whether the bytes are `text`, upper and lower case of ASCII letters being the same.
    func equalsIgnoringCase(_ text: [UInt8]) -> Bool {
        guard count == text.count else { return false }
        for index in 0..<count where Self.lowercased(self[index]) != Self.lowercased(text[index]) { return false }
        return true
    }

    /// Whether the bytes are `text`, upper and lower case of ASCII letters being the same.
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in 0..<count where Self.lowercased(self[index]) != Self.lowercased(text.utf8Start[index]) {
            return false
        }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
