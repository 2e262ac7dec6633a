import SluiceContract
import Testing

@testable import SluiceGateway

/// RFC 9110 §10.2.2: a client can follow what points back at the upstream.
@Suite struct LocationMapTests {
    @Test(arguments: [
        ("/v1/b?c#d", "/raw/b?c#d"), ("http://fruit.example/v1/b", "/raw/b"), ("HTTP://Fruit.Example/v1/", "/raw/"),
        ("/v1", "/v1"), ("/v2/b", "/v2/b"), ("/v1/../b", "/v1/../b"), ("/v1/%2e%2E/b", "/v1/%2e%2E/b"),
        ("https://fruit.example/v1/b", "https://fruit.example/v1/b"), ("http://fruit.example", "http://fruit.example"),
        ("http://fruit.example:81/v1/b", "http://fruit.example:81/v1/b"),
        ("//fruit.example/v1/b", "/raw/b"),
        ("http://evil/v1/b", "http://evil/v1/b"), ("b", "b"), ("", ""),
        ("http://fruit.example@evil/v1/b", "http://fruit.example@evil/v1/b"), ("/v1//b", "/raw//b"),
    ])
    func pointsAtTheGateway(location: String, seen: String) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let answer = try bench.get(
            "/raw/a", answer: "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        #expect(answer["Location"] == seen)
        bench.expectQuiet()
    }

    /// At the root, two slashes would name a host.
    @Test(arguments: [("/v1/b", "/b"), ("/v1//evil", "/v1//evil")])
    func atTheRoot(location: String, seen: String) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /**", to: "fruit /**")]))
        let answer = try bench.get(
            "/a", answer: "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        #expect(answer["Location"] == seen)
    }

    /// What the upstream was told is its name, is its name.
    @Test(arguments: [(Upstream.HostField.client, "localhost"), (.fixed("api.example"), "api.example")])
    func theNameItWasTold(host: Upstream.HostField, name: String) throws {
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("ANY /raw/**", to: "fruit /**")], upstreams: [Build.upstream { $0.host = host }]))
        let answer = try bench.get(
            "/raw/a", answer: "HTTP/1.1 201 Created\r\nLocation: http://\(name)/v1/b\r\nContent-Length: 0\r\n\r\n")
        #expect(answer["Location"] == "/raw/b")
    }

    @Test func withoutARestNothingIsMapped() throws {
        let bench = try Bench(Build.configuration([try Build.binding("GET /one", to: "fruit /one")]))
        let answer = try bench.get(
            "/one", answer: "HTTP/1.1 302 Found\r\nLocation: /v1/two\r\nContent-Length: 0\r\n\r\n")
        #expect(answer["Location"] == "/v1/two")
    }
}
