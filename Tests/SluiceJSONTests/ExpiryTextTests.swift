import SluiceJSON
import Testing

@Suite struct ExpiryTextTests {
    @Test(
        arguments: [
            ("60", 1060), ("60.9", 1060), ("\"60\"", 1060), ("1800000000", 1_800_000_000),
            ("1800000000123", 1_800_000_000), ("\"1800000000\"", 1_800_000_000), ("1e300", 253_402_300_799),
            ("\"1970-01-02T00:00:00Z\"", 86400), ("\"1970-01-02T01:00:00+01:00\"", 86400), ("\"1970-01-02\"", 86400),
            ("\"1970-01-02T00:00:00\"", 86400), ("0", nil), ("-5", nil), ("null", nil), ("true", nil),
            ("\"soon\"", nil),
            ("{\"a\":1}", nil), ("\"\"", nil), ("", nil),
        ] as [(String, Int?)])
    func theEnd(json: String, end: Int?) { #expect(ExpiryText.end(json, now: 1000) == end) }
}
