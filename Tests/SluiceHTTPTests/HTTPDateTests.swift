import Testing

@testable import SluiceHTTP

/// RFC 9110 §5.6.7.
@Suite struct HTTPDateTests {
    private static let now = 1_800_000_000

    private static func write(_ seconds: Int) -> String {
        withUnsafeTemporaryAllocation(byteCount: HTTPDate.byteCount, alignment: 1) { buffer in
            HTTPDate.write(seconds, into: buffer)
            return String(UnsafeRawBufferPointer(buffer))
        }
    }

    private static func parse(_ text: String) -> Int? {
        text.withBytes { HTTPDate.parse($0, now: now) }
    }

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ])
    func writes(_ seconds: Int, _ text: String) {
        #expect(Self.write(seconds) == text)
        #expect(Self.parse(text) == seconds)
    }

    @Test(arguments: [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Friday, 31-Dec-99 23:59:59 GMT", 946_684_799),
        // 2027 is now: up to 50 years ahead stays ahead.
        ("Friday, 01-Jan-77 00:00:00 GMT", 3_376_684_800), ("Sunday, 01-Jan-78 00:00:00 GMT", 252_460_800),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ])
    func parsesObsoleteForms(_ text: String, _ seconds: Int) {
        #expect(Self.parse(text) == seconds)
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 1900 00:00:00 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov  6 08:49:37 94", "1994-11-06T08:49:37Z",
    ])
    func refuses(_ text: String) {
        #expect(Self.parse(text) == nil)
    }

    /// Every 11th day and 7,919th second of 800 years is read back.
    @Test func readsBack() {
        for day in stride(from: -146_097, to: 146_097, by: 11) {
            let seconds = day * 86_400 + (day * 7919 % 86_400 + 86_400) % 86_400
            #expect(Self.parse(Self.write(seconds)) == seconds)
        }
    }
}
