import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct RateNotationTests {
    @Test(arguments: [
        ("100/s", RateLimit(100, per: .seconds(1))), ("5000/h", RateLimit(5000, per: .seconds(3600))),
        ("1/10s", RateLimit(1, per: .seconds(10))), ("100/s burst 20", RateLimit(100, per: .seconds(1), burst: 20)),
        ("3/250ms", RateLimit(3, per: .milliseconds(250))), ("7/d", RateLimit(7, per: .seconds(86_400))),
    ])
    func reads(text: String, rate: RateLimit) {
        #expect(RateNotation.parse(text) == rate)
        #expect(rate.description == text)
    }

    @Test(arguments: [
        "", "100", "/s", "100/", "0/s", "100/0s", "-1/s", "100/s burst", "100/s burst 0", "100/s 20", "100/week",
        "1.5/s", "100 / s", "100/s burst 1 2", "10000000000/s",
    ])
    func refuses(text: String) {
        #expect(RateNotation.parse(text) == nil)
    }

    @Test func suggestsAUnit() {
        #expect(
            fruit("GET /a: {to: fruit /a, rate: 100}").mistakes == [
                "2:32: the text '100' where a rate is wanted → 100/s"
            ])
    }
}
