import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct UpstreamSectionTests {
    private func upstream(_ text: String) throws -> Upstream {
        try #require(Bench("upstreams:\n  a: {\(text)}\n").configuration().upstreams.first)
    }

    @Test(arguments: [
        ("http://api.example", Upstream.Origin.tcp(host: "api.example", port: 80, tls: false), ""),
        ("HTTPS://Api.Example/", .tcp(host: "api.example", port: 443, tls: true), ""),
        ("https://api.example:8443/v1/", .tcp(host: "api.example", port: 8443, tls: true), "/v1"),
        ("http://[::1]:81/a/b", .tcp(host: "::1", port: 81, tls: false), "/a/b"),
        ("http://[::1]", .tcp(host: "::1", port: 80, tls: false), ""),
        ("unix:/run/x.sock", .unix(path: "/run/x.sock"), ""),
        ("unix:/run/x.sock:/v1/", .unix(path: "/run/x.sock"), "/v1"),
    ])
    func readsURLs(_ url: String, _ origin: Upstream.Origin, _ base: String) throws {
        let upstream = try upstream("url: '\(url)'")
        #expect(upstream.origin == origin)
        #expect(upstream.basePath == base)
    }

    @Test(arguments: [
        ("api.example", "2:13: the URL has no scheme → https://api.example"),
        ("localhost:9106/v1", "2:13: the URL has no scheme → http://localhost:9106/v1"),
        ("127.0.0.1:9106", "2:13: the URL has no scheme → http://127.0.0.1:9106"),
        ("[::1]:9106", "2:13: the URL has no scheme → http://[::1]:9106"),
        ("htps://api.example", "2:13: 'htps' is no scheme that can be spoken here → https"),
        ("ftp://api.example", "2:13: 'ftp' is no scheme that can be spoken here"),
        ("https://u:p@api.example", "2:21: user and password have no place in a URL → use 'bearer:' for a token"),
        ("https://api.example?a=b", "2:32: a query has no place in an upstream's URL"),
        ("https://api.example/#a", "2:33: a fragment has no place in an upstream's URL"),
        ("https://", "2:21: the URL has no host"), ("https://a:0", "2:21: 'a:0' is no host"),
        ("https://a:65536", "2:21: 65536 is no port"), ("https://-a", "2:21: '-a' is no host"),
        ("https://a b", "2:22: a URL cannot hold this character"),
        ("https://a/x/../y", "2:22: dot segments have no place in an upstream's URL"),
        ("unix:x", "2:18: 'x' is no socket"), ("unix:/x:y", "2:18: '/x:y' is no socket"),
    ])
    func refusesURLs(_ url: String, _ mistake: String) {
        #expect(Bench("upstreams:\n  a: {url: '\(url)'}\n").mistakes == [mistake])
    }

    @Test(arguments: [
        ("http://a", "", Upstream.HTTPVersionChoice.auto), ("https://a", ", protocol: auto", .auto),
        ("http://a", ", protocol: h1", .h1), ("https://a", ", protocol: h2", .h2),
        ("http://a", ", protocol: h2c", .h2c),
        ("unix:/run/x.sock", ", protocol: h2c", .h2c),
    ])
    func readsProtocols(_ url: String, _ setting: String, _ version: Upstream.HTTPVersionChoice) throws {
        let upstream = try upstream("url: '\(url)'\(setting), pool: {ping: 7s, ping-timeout: 3s, gather: 0ms}")
        #expect(upstream.httpVersion == version)
        #expect(upstream.ping == .seconds(7))
        #expect(upstream.pingTimeout == .seconds(3))
        #expect(upstream.gather == .zero)
    }

    @Test(arguments: [
        ("url: 'http://a', protocol: h2", "2:24: 'protocol: h2' is agreed upon in TLS, and this url has none"),
        ("url: 'https://a', protocol: h2c", "2:25: 'protocol: h2c' is HTTP/2 without TLS, and this url has TLS"),
        ("url: 'https://a', protocol: h3", "2:35: the text 'h3' is not known here → h1"),
    ])
    func refusesProtocols(_ text: String, _ mistake: String) {
        #expect(Bench("upstreams:\n  a: {\(text)}\n").mistakes == [mistake])
    }

    @Test func readsTheRest() throws {
        let upstream = try upstream(
            "url: 'http://127.0.0.1', headers: {X-A: b}, host: client, forwarded: both, follow: same-origin, "
                + "keys: camelCase, pool: {idle: 5s, idle-max: 1, connections: 2, queue: 3}, timeout: {total: 1s}")
        #expect(upstream.headers == [HeaderSetting(name: "X-A", value: "b")])
        #expect(upstream.host == .client)
        #expect(upstream.forwarded == .both)
        #expect(upstream.follow == .sameOrigin)
        #expect(upstream.keys == .camelCase)
        #expect(upstream.idle == .seconds(5))
        #expect(upstream.idleConnectionsMax == 1)
        #expect(upstream.connectionsMax == 2)
        #expect(upstream.queueMax == 3)
        // A shorter whole shortens the parts that nobody has set.
        #expect(upstream.timeout.connect == .seconds(1))
        #expect(upstream.timeout.firstByte == .seconds(1))
    }

    @Test(arguments: [
        ("host: a b", "2:38: 'a b' cannot be a Host"), ("forwarded: al", "2:43: the text 'al' is not known here"),
        ("folow: pass", "2:32: unknown key 'folow' → follow"),
        ("timeout: {first-byte: 2m}", "2:42: 'first-byte' is longer than the whole exchange may take"),
        ("timeout: 10s", "2:41: the text '10s' where a mapping is wanted → {total: 10s}"),
        ("pool: {idle-max: 300}", "2:39: more idle connections than connections"),
        ("tls: {verify: false}", "2:32: 'tls' has no meaning without TLS"),
        ("error: {200: {code: a}}", "2:40: 200 is no error"),
        ("error: {message: .a.b}", "2:49: '.a.b' is no key path: a path begins with a key → a.b"),
        ("error: {message: a..b}", "2:49: 'a..b' is no key path: '..' searches everywhere, which a path cannot"),
    ])
    func refuses(_ text: String, _ mistake: String) {
        #expect(Bench("upstreams:\n  a: {url: 'http://127.0.0.1', \(text)}\n").mistakes == [mistake])
    }

    @Test func namesAreWords() {
        #expect(Bench("upstreams:\n  a b: {url: 'http://x'}\n").mistakes == ["2:3: 'a b' cannot name an upstream"])
    }

    @Test func mapsErrors() throws {
        let upstream = try upstream(
            "url: 'http://127.0.0.1', error: {message: m, code: c, 404: {message: n}, 422: {code: d}}")
        #expect(upstream.error == ErrorPaths(message: FieldPath("m"), code: FieldPath("c")))
        #expect(upstream.errorByStatus[404] == ErrorPaths(message: FieldPath("n"), code: FieldPath("c")))
        #expect(upstream.errorByStatus[422] == ErrorPaths(message: FieldPath("m"), code: FieldPath("d")))
    }

    @Test func warnsOfClearText() {
        let text = "upstreams:\n  a: {url: 'http://api.example', bearer: {value: x}}\nbindings:\n  GET /a: {to: a /a}\n"
        #expect(
            Bench(text).warnings == [
                "2:7: the bearer goes to 'api.example' unencrypted → use https:// where the API offers it"
            ])
    }

    @Test func warnsOfUnverifiedCertificates() {
        let text = "upstreams:\n  a: {url: 'https://x', tls: {verify: false}}\nbindings:\n  GET /a: {to: a /a}\n"
        #expect(Bench(text).warnings.map { $0.prefix(48) } == ["2:31: the upstream's certificate is not verified"])
    }
}
