import CSIMD
import Testing

/// The grammar that all tiers share, by itself: the exact readings, and that the fast ones take nothing that those
/// refuse.
@Suite struct GrammarTests {
    private static let numbers: [(text: String, isNumber: Bool)] = [
        ("0", true), ("-0", true), ("7", true), ("-12", true), ("1.5", true), ("0.25", true), ("1e3", true),
        ("1E-2", true), ("2.5e+10", true), ("123456789012345678901234567890", true), ("", false), ("-", false),
        ("01", false), ("-01", false), ("1.", false), (".5", false), ("1.e3", false), ("1e", false), ("1e+", false),
        ("--1", false), ("1.2.3", false), ("1-2", false), ("1x", false), ("0x1", false), ("+1", false),
    ]

    private static func number(_ text: String, isWhole: Bool) -> (length: Int, state: sluice_json_number_state) {
        let bytes = Array(text.utf8) + Array(repeating: UInt8(ascii: ","), count: 96)
        return bytes.withUnsafeBufferPointer {
            let number = sluice_json_number_at($0.baseAddress!, $0.baseAddress! + text.utf8.count, isWhole)
            return (number.end - $0.baseAddress!, number.state)
        }
    }

    @Test(arguments: numbers.filter { !$0.text.isEmpty })
    func exactNumbers(_ text: String, _ isNumber: Bool) {
        let whole = Self.number(text, isWhole: true)
        #expect((whole.state == SLUICE_JSON_NUMBER_ENDED && whole.length == text.utf8.count) == isNumber)
        // In pieces, a number is never over before its end has been seen.
        for count in 1..<max(text.utf8.count, 2) where isNumber && count < text.utf8.count {
            #expect(Self.number(String(text.prefix(count)), isWhole: false).state == SLUICE_JSON_NUMBER_CUT)
        }
    }

    /// With a comma behind, and with whitespace, behind which the next token comes.
    @Test(arguments: numbers)
    func fastNumbersTakeNoMore(_ text: String, _ isNumber: Bool) {
        for after in [",", " ,", "}", "\n]"] {
            let bytes = Array((text + after).utf8) + Array(repeating: UInt8(ascii: " "), count: 96)
            var isInteger = false
            let digits = sluice_json_plain_number(bytes, bytes[0], &isInteger)
            #expect(digits == 0 || isNumber)
            if sluice_json_number_faults(bytes) == 0 { #expect(isNumber) }
            if sluice_json_integer_faults(bytes, 18) == 0 { #expect(isNumber && isInteger) }
        }
    }

    @Test(arguments: [
        (#"\n"#, 2), (#"\/"#, 2), (#"\""#, 2), (#"\u00e9"#, 6), (#"\uD83D\uDE00"#, 12), (#"\x"#, 0), (#"\u00g0"#, 0),
        (#"\uDE00"#, 0), (#"\uD83D"#, 0), (#"\uD83D\n"#, 0), (#"\uD83D\u0041"#, 0), (#"\uD83Dx"#, 0),
    ])
    func escapes(_ text: String, _ length: Int) {
        #expect(sluice_json_escape_length(Array(text.utf8) + Array(repeating: 0x20, count: 16)) == Int32(length))
    }

    @Test(arguments: [("true", 4), ("false", 5), ("null", 4), ("tru ", 0), ("falsy", 0), ("nul", 0), ("True", 0)])
    func literals(_ text: String, _ length: Int) {
        let bytes = Array(text.utf8) + Array(repeating: 0x20, count: 16)
        #expect(sluice_json_word(bytes, bytes[0]) == Int32(length))
        #expect(sluice_json_is_literal(bytes, true, true) == (length > 0))
        #expect(!sluice_json_is_literal(bytes, text == "null", text != "null"))
    }
}
