import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct EndpointListTests {
    @Test func readsSeveral() throws {
        let upstream = try #require(
            Bench("upstreams:\n  a: {url: [http://x/v1, 'http://x:81/v1', unix:/run/x.sock:/v1]}\n").configuration()
                .upstreams.first)
        #expect(
            upstream.endpoints == [
                .tcp(host: "x", port: 80, tls: false), .tcp(host: "x", port: 81, tls: false),
                .unix(path: "/run/x.sock"),
            ])
        #expect(upstream.basePath == "/v1")
    }

    @Test(arguments: [
        ("[]", "2:12: the list is empty"),
        ("[http://x, http://x]", "2:23: this endpoint stands twice"),
        ("[http://x, http://y/v1]", "2:23: the base path '/v1' is not that of the first endpoint, ''"),
        ("[http://x, https://y]", "2:23: the scheme is not that of the first endpoint"),
        ("[https://x, unix:/y]", "2:24: the scheme is not that of the first endpoint"),
        ("[http://x, htp://y]", "2:23: 'htp' is no scheme that can be spoken here → http"),
    ])
    func refuses(_ list: String, _ mistake: String) {
        #expect(Bench("upstreams:\n  a: {url: \(list)}\n").mistakes == [mistake])
    }

    @Test func refusesTooMany() {
        let list = (1...65).map { "http://x\($0)" }.joined(separator: ", ")
        #expect(Bench("upstreams:\n  a: {url: [\(list)]}\n").mistakes == ["2:12: 65 endpoints are too many"])
    }
}
