import Testing

@testable import SluiceConfig

/// One slip is told once, whatever else would follow from it.
@Suite struct SingleMistakeTests {
    private static let start = "upstreams:\n  a:\n    url: https://a.example\n"

    @Test(arguments: [
        ("limits: {bodies: 10MiB}", "4:10: unknown key 'bodies' → body"),
        ("trace: true", "4:8: the text 'true' where a mapping is wanted"),
        ("trace: off", "4:8: the text 'off' where a mapping is wanted → {endpoint: off}"),
        ("    bearer: {env: A}", "4:19: the environment has no variable 'A'"),
        (
            "    tls: false",
            "4:10: the text 'false' where a mapping is wanted → write tls: {verify: false}; everybody on the way can "
                + "then read the token"
        ),
        (
            "    insecure: true",
            "4:5: unknown key 'insecure' → write tls: {verify: false}; everybody on the way can then read the token"
        ),
        (
            "    tls: {insecure: true}",
            "4:11: unknown key 'insecure' → write verify: false; everybody on the way can then read the token"
        ),
        (
            "bindings:\n  - GET /a",
            "5:3: a list where a mapping is wanted → leave the '-' out, and write a ':' behind the path"
        ),
        (
            "bindings:\n  - route: GET /a\n    to: a /a",
            "5:3: a list where a mapping is wanted → leave the '-' out, and write a ':' behind the path"
        ),
        ("bindings:\n  - GET /a: {to: a /a}", "5:3: a list where a mapping is wanted → leave the '-' out"),
        ("bindings:\n  GET /a", "5:3: the text 'GET /a' where a mapping is wanted → GET /a: …"),
        (
            "credentials:\n  o: {oauth2: {grant: client_credentials, token-url: 'https://t.example', client-id: c}}",
            "5:23: the text 'client_credentials' is not known here → client-credentials"
        ),
        (
            "credentials:\n  o: {oauth2: {grant: device-code, token-url: 'https://t.example', device-url: "
                + "'https://d.example', client_id: c}}",
            "5:101: unknown key 'client_id' → client-id"
        ),
        (
            "credentials:\n  o: {oauth2: {grant: device-code, token-endpoint: 'https://t.example', device-url: "
                + "'https://d.example', client-id: c}}",
            "5:36: unknown key 'token-endpoint' → token-url"
        ),
    ])
    func isTold(_ rest: String, _ mistake: String) {
        var bench = Bench(Self.start + rest + "\n")
        bench.environment = ["_": "/bin/sluice"]
        #expect(bench.mistakes == [mistake])
    }

    @Test(arguments: ["uri", "ulr"])
    func aMisspeltKeyIsNotMissing(_ key: String) {
        let mistakes = Bench("upstreams:\n  a: {\(key): 'https://a.example'}\n").mistakes
        #expect(mistakes == ["2:7: unknown key '\(key)' → url"])
    }

    /// A list of all keys would say nothing.
    @Test func atMostEightKeysAreListed() {
        let mistake = fruit("GET /a: {to: fruit /a, xyzzy: 1}").load().mistakes.first
        #expect(mistake?.expected == "one of the keys to, parts, params, use, body, graphql, parent, wrap, …")
    }
}
