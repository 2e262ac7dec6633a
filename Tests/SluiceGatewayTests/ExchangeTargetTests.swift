import SluiceContract
import Testing

@testable import SluiceGateway

/// What the request line upstream says.
@Suite struct ExchangeTargetTests {
    @Test(
        arguments: [
            ("/raw/", "/v1/"), ("/raw/a", "/v1/a"), ("/raw/a/", "/v1/a/"), ("/raw/a//b", "/v1/a//b"),
            ("/raw/a%2Fb", "/v1/a%2Fb"), ("/raw/%7Ea", "/v1/~a"), ("/raw/a?", "/v1/a?"),
            ("/raw/a?b=c&b=%20+d", "/v1/a?b=c&b=%20+d"),
            ("/raw/a?x=/../y", "/v1/a?x=/../y"), ("/raw/a;b=c", "/v1/a;b=c"), ("/raw/%C3%A9", "/v1/%C3%A9"),
        ])
    func whatPassesThroughStaysAsItIs(target: String, forwarded: String) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        try bench.get(target)
        #expect(try bench.forwarded().target == forwarded)
    }

    /// What two programs could read differently never goes upstream.
    @Test(
        arguments: [
            "/raw/../a", "/raw/a/..", "/raw/./a", "/raw/%2e%2E/a", "/raw/a%00", "/raw/a%5C..%5Cb", "/raw/a\\b",
            "/raw/a%zz", "/raw/%",
        ])
    func ambiguousPathsAreRefused(target: String) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        #expect(try bench.get(target).status == 400)
        #expect(bench.origins.isEmpty)
    }

    @Test(
        arguments: [
            ("GET /a", "fruit /", "/a", "/v1"), ("GET /a", "fruit /b/c", "/a", "/v1/b/c"),
            ("GET /a/{x}-{y}", "fruit /{y}/z{x}.json", "/a/1-2", "/v1/2/z1.json"),
            ("GET /a/{x}/**", "fruit /b/{x}/**", "/a/q%20r/s/t", "/v1/b/q%20r/s/t"),
        ])
    func templatesAreFilled(key: String, to: String, target: String, forwarded: String) throws {
        let binding = try Build.binding(key, to: to) { binding in
            binding.parameters = try binding.path.placeholders.map { try Build.parameter($0, "String", in: .path) }
        }
        let bench = try Bench(Build.configuration([binding]))
        try bench.get(target)
        #expect(try bench.forwarded().target == forwarded)
    }

    @Test func anUpstreamWithoutABasePath() throws {
        let upstream = Upstream(name: "bare", origin: .unix(path: "/run/x.sock"))
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "bare /")], upstreams: [upstream]))
        try bench.get("/a")
        #expect(try bench.forwarded().startLine == "GET / HTTP/1.1")
        #expect(try bench.forwarded()["Host"] == "localhost")
    }

    @Test(
        arguments: [
            ("POST /search", "fruit GET /s", "POST", "GET"), ("ANY /x", "fruit /x", "LOCK", "LOCK"),
            ("BREW /x", "fruit /x", "BREW", "BREW"),
            ("GET /x", "fruit PATCH /x", "GET", "PATCH"), ("GET /x", "fruit /x", "HEAD", "HEAD"),
        ])
    func theMethodUpstream(key: String, to: String, method: String, forwarded: String) throws {
        let bench = try Bench(Build.configuration([try Build.binding(key, to: to)]))
        let path = key.split(separator: " ")[1]
        let client = bench.client()
        client.request("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        #expect(try bench.forwarded().method == forwarded)
    }
}
