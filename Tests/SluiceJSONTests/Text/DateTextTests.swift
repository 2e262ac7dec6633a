import SluiceJSON
import Testing

@Suite struct DateTextTests {
    /// RFC 3339 §5.8, and what is none.
    @Test(
        arguments: [
            ("1985-04-12T23:20:50.52Z", 482_196_050), ("1996-12-19T16:39:57-08:00", 851_042_397),
            ("1990-12-31T23:59:60Z", 662_688_000), ("1937-01-01T12:00:27.87+00:20", -1_041_337_173),
            ("1970-01-01T00:00:00Z", 0), ("2024-02-29T12:00:00Z", 1_709_208_000), ("1970-01-01", 0),
            ("1970-01-01 00:00:00Z", 0), ("1970-01-01T00:00:00", nil), ("1970-13-01T00:00:00Z", nil),
            ("2023-02-29T12:00:00Z", nil), ("1970-01-01T24:00:00Z", nil), ("1970-01-01T00:00:00+1:00", nil), ("", nil),
        ] as [(String, Int?)])
    func seconds(text: String, seconds: Int?) {
        #expect(DateText.seconds(text) == seconds)
    }

    /// RFC 3339 §5.7: a leap second is the last one of a month in UTC; where the offset from that is not known, any may
    /// be one.
    @Test(
        arguments: [
            ("2016-12-31T23:59:60Z", true), ("1990-12-31T15:59:60-08:00", true), ("2017-01-01T08:59:60.5+0900", true),
            ("2017-01-01T00:59:60+01", true), ("2024-02-29T23:59:60Z", true), ("2024-02-28T23:59:60Z", false),
            ("2023-02-28T23:59:60Z", true), ("2016-12-31T23:58:60Z", false), ("2016-12-31T12:59:60Z", false),
            ("2016-12-31T23:59:60+01:00", false), ("2017-01-01T23:59:60-08:00", false), ("2016-12-31T23:59:61Z", false),
            ("2016-06-30T03:04:60", true),
        ] as [(String, Bool)])
    func leapSeconds(text: String, isDate: Bool) {
        #expect((DateText.seconds(text, mayBeLocal: true) != nil) == isDate)
    }

    @Test func localTimeIsUTC() {
        #expect(DateText.seconds("1970-01-02T00:00:00", mayBeLocal: true) == 86_400)
    }
}
