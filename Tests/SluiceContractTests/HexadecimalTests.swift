import SluiceContract
import Testing

@Suite struct HexadecimalTests {
    @Test(
        arguments: [
            (0, 16, "0000000000000000"), (0xab, 4, "00ab"), (.max, 16, "ffffffffffffffff"), (0x12345, 2, "12345"),
        ] as [(UInt64, Int, String)])
    func numbers(number: UInt64, count: Int, text: String) {
        #expect(Hexadecimal.text(number, digits: count) == text)
    }

    @Test func everyByte() {
        let bytes = (0...255).map { UInt8($0) }
        let text = Hexadecimal.text(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hexadecimal.bytes(Array(text.utf8)) == bytes)
        #expect(Hexadecimal.bytes(Array(text.uppercased().utf8)) == bytes)
    }

    @Test(arguments: ["0", "0g", "+1", "-1", " 1", "0x", "1@", "1`"])
    func whatHasOtherDigits(text: String) {
        #expect(Hexadecimal.bytes(Array(text.utf8)) == nil)
    }
}
