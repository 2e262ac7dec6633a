import SluiceHTTP
import Testing

@testable import SluiceGateway

/// What upstreams say about when to come back.
@Suite struct QuotaFieldsTests {
    private static let now = 784_111_777

    private static func pause(_ status: Int, _ fields: [(String, String)], now: Int = now) -> [Int]? {
        var head = ResponseHead()
        head.status = status
        for (name, value) in fields {
            Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { head.fields.append(name: name, value: $0) }
            }
        }
        return QuotaFields.pause(head, now: now).map { [$0.seconds, $0.status] }
    }

    /// RFC 9110 §10.2.3.
    @Test(arguments: [
        (429, "7", [7, 429]), (503, "0", [0, 503]), (503, "Sun, 06 Nov 1994 08:49:47 GMT", [10, 503]),
        (503, "Sun, 06 Nov 1994 08:49:30 GMT", [0, 503]), (503, "-1", nil), (503, "soon", nil), (301, "7", nil),
        (403, "7", [7, 429]),
        (200, "7", nil),
    ])
    func retryAfter(status: Int, value: String, expected: [Int]?) {
        #expect(Self.pause(status, [("Retry-After", value)]) == expected)
    }

    /// draft-ietf-httpapi-ratelimit-headers §4.
    @Test(arguments: [
        (#""a";r=0;t=5"#, 5), (#""a";r=1;t=5"#, nil), (#""a";r=1;t=5, "b";r=0;t=3,"c";t=9;r=0"#, 9),
        (#""a;r=0;t=5, x";r=2;t=1"#, nil), (#""a";r=0"#, nil), (#""a";r=00;t=5;pk=:abc=:"#, 5), ("", nil),
        (#""a";r=0;t=-5"#, nil), ("default;r=0;t=5", 5),
    ])
    func rateLimit(value: String, seconds: Int?) {
        #expect(Self.pause(200, [("RateLimit", value)]) == seconds.map { [$0, 429] })
    }

    @Test(arguments: [
        ("RateLimit-Remaining", "0", "RateLimit-Reset", "30", 30),
        ("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1800000012", 12),
        ("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "12", 12),
        ("X-RateLimit-Remaining", "1", "X-RateLimit-Reset", "12", nil),
        ("RateLimit-Remaining", "0", "X-Other", "12", nil),
    ])
    func olderFields(_ name: String, _ left: String, _ reset: String, _ value: String, seconds: Int?) {
        let pause = Self.pause(200, [(name, left), (reset, value)], now: 1_800_000_000)
        #expect(pause == seconds.map { [$0, 429] })
    }
}
