import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct HeadersSectionTests {
    @Test(arguments: [
        "Host", "authorization", "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding",
        "Upgrade", "Content-Length", "Via", "Proxy-Authorization",
    ])
    func refusesWhatIsNotTheUsers(_ name: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, headers: {\(name): x}}").load().mistakes
        #expect(mistakes.map(\.message) == ["field '\(name)' cannot be set here"])
        #expect(mistakes.first?.suggestion != nil)
    }

    @Test(arguments: [
        ("'a b': c", "2:36: 'a b' is no field name"), ("X-A: b, x-a: c", "2:44: field 'x-a' stands twice"),
        ("X-A: \"a\\r\\nHost: b\"", "2:41: this cannot be the value of 'X-A'"),
        ("X-A: ' a'", "2:41: this cannot be the value of 'X-A'"),
        ("X-A: [a]", "2:41: this cannot be the value of 'X-A'"),
        ("X-A: ", "2:41: this cannot be the value of 'X-A'"),
    ])
    func refuses(_ text: String, _ mistake: String) {
        #expect(fruit("GET /a: {to: fruit /a, headers: {\(text)}}").mistakes == [mistake])
    }

    @Test func lowerLayersAreReplacedByName() {
        let bench = fruit(
            "GET /a: {to: fruit /a}", upstream: "headers: {x-a: '2', X-C: ''}",
            root: "defaults: {headers: {X-A: '1', X-B: '1'}}")
        #expect(
            bench.configuration().upstreams.first?.headers == [
                HeaderSetting(name: "X-B", value: "1"), HeaderSetting(name: "x-a", value: "2"),
                HeaderSetting(name: "X-C", value: ""),
            ])
    }
}
