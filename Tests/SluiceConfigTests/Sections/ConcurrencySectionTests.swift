import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct ConcurrencySectionTests {
    @Test func readsNumbersAndMappings() {
        let configuration = fruit(
            "GET /a: {to: fruit /a, concurrency: {limit: 5, queue: 0, wait: 250ms}, rate: 1/s}",
            upstream: "concurrency: 50\nrate: 2/s\npause: 0"
        ).configuration()
        #expect(configuration.bindings[0].concurrency == ConcurrencyLimit(5, queue: 0, wait: .milliseconds(250)))
        #expect(configuration.bindings[0].rate == RateLimit(1, per: .seconds(1)))
        #expect(configuration.upstreams[0].concurrency == ConcurrencyLimit(50))
        #expect(configuration.upstreams[0].rate == RateLimit(2, per: .seconds(1)))
        #expect(configuration.upstreams[0].pauseMax == .zero)
    }

    @Test(arguments: [
        ("0", "0 is out of range"), ("{queue: 1}", "key 'limit' is missing"),
        ("{limit: 1, wait: 0}", "a wait of nothing never succeeds"), ("many", "'many' where a number is wanted"),
    ])
    func refuses(text: String, mistake: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, concurrency: \(text)}").mistakes
        #expect(mistakes.count == 1 && mistakes.allSatisfy { $0.hasSuffix(mistake) }, "\(mistakes)")
    }
}
