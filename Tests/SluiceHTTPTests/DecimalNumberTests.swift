import Testing

@testable import SluiceHTTP

@Suite struct DecimalNumberTests {
    @Test(arguments: [
        ("0", 0), ("007", 7), ("9223372036854775807", Int.max), ("9223372036854775808", nil), ("", nil), ("+1", nil),
        ("-1", nil), (" 1", nil), ("1 ", nil), ("1,1", nil), ("1.0", nil), ("0x1", nil), ("1e3", nil), ("١", nil),
        ("00000000000000000000", nil),
    ])
    func parses(_ text: String, _ number: Int?) {
        #expect(text.withBytes { DecimalNumber.parse($0) } == number)
    }

    @Test(arguments: [
        ("0", 0), ("007", 7), ("9223372036854775807", Int.max), ("9223372036854775808", Int.max),
        ("99999999999999999999", Int.max), ("00000000000000000000", 0), ("00000000000000000000012", 12), ("", nil),
        ("-1", nil), ("99999999999999999999.5", nil),
    ])
    func clamps(_ text: String, _ number: Int?) {
        #expect(text.withBytes { DecimalNumber.clamped($0) } == number)
    }
}
