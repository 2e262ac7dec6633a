import SluiceHTTP
import Testing

@testable import SluiceCache

@Suite struct PreconditionsTests {
    static let rows: [(String, [String], Preconditions.Verdict)] = [
        ("RFC 9110 §13.1.2", ["If-None-Match: \"a\""], .notModified),
        ("RFC 9110 §13.1.2 weak", ["If-None-Match: W/\"a\""], .notModified),
        ("RFC 9110 §13.1.2 list", ["If-None-Match: \"x\", \"a\""], .notModified),
        ("RFC 9110 §13.1.2 any", ["If-None-Match: *"], .notModified),
        ("RFC 9110 §13.1.2 other", ["If-None-Match: \"b\""], .proceed),
        (
            "RFC 9110 §13.1.3 ignored beside If-None-Match",
            ["If-None-Match: \"b\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], .proceed
        ),
        ("RFC 9110 §13.1.3", ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], .notModified),
        ("RFC 9110 §13.1.3 older", ["If-Modified-Since: Sat, 05 Nov 1994 08:49:37 GMT"], .proceed),
        ("RFC 9110 §13.1.1", ["If-Match: \"b\""], .failed),
        ("RFC 9110 §13.1.1 strong", ["If-Match: W/\"a\""], .failed),
        ("RFC 9110 §13.1.1 same", ["If-Match: \"a\""], .proceed),
        ("RFC 9110 §13.1.4", ["If-Unmodified-Since: Sat, 05 Nov 1994 08:49:37 GMT"], .failed),
    ]

    @Test(arguments: rows)
    func conditions(clause: String, lines: [String], verdict: Preconditions.Verdict) {
        let stored = DecisionTests.fields(["ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"])
        let request = DecisionTests.fields(lines)
        let found = Preconditions.evaluate(request, .init(stored), now: DecisionTests.now)
        #expect(found == verdict)
    }

    static let ranges: [(String, ByteRange)] = [
        ("bytes=0-4", .part(0..<5)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
        ("bytes=8-20", .part(8..<10)), ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=5-4", .whole), ("bytes=0-1,3-4", .whole), ("items=0-1", .whole), ("bytes=a-b", .whole),
        ("bytes=-99", .part(0..<10)), ("bytes=9-20", .part(9..<10)), ("bytes=10-20", .unsatisfiable),
    ]

    /// RFC 9110 §14.1.2, §14.2: of ten bytes.
    @Test(arguments: ranges)
    func byteRange(value: String, range: ByteRange) {
        let request = DecisionTests.fields(["Range: \(value)"])
        let found = ByteRange(request, length: 10)
        #expect(found == range)
    }
}
