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

    @Test func readsWhereValuesComeFrom() throws {
        let bench = fruit(
            """
            GET /a:
              to: fruit /a
              headers: {X-A: {env: KEY}, X-B: {file: key}, X-C: {from: X-Old}, X-D: null, X-E: {value: e}, X-F: ~}
              answer-headers: {Server: null, X-Total: {from: X-Count}, X-G: g}
              idempotency-key: Idempotency-Key
            POST /b: {to: fruit /b, idempotency-key: X-Key, retry: {on: [503]}, hedge: p95}
            """, upstream: "idempotency-key: Key\nanswer-headers: {X-H: h, Server: s}")
        let configuration = Bench(
            bench.yaml, files: ["/etc/sluice/key": .init(text: "f")], environment: ["KEY": "k"]
        ).configuration()
        let binding = try #require(configuration.bindings.first)
        #expect(
            binding.headers == [
                HeaderSetting(name: "X-A", .secret(.env("KEY"))),
                HeaderSetting(name: "X-B", .secret(.file("/etc/sluice/key"))),
                HeaderSetting(name: "X-C", .field("X-Old")), HeaderSetting(name: "X-D", .nothing),
                HeaderSetting(name: "X-E", value: "e"), HeaderSetting(name: "X-F", .nothing),
            ])
        #expect(
            binding.answerHeaders.fields == [
                HeaderSetting(name: "X-H", value: "h"), HeaderSetting(name: "Server", .nothing),
                HeaderSetting(name: "X-Total", .field("X-Count")), HeaderSetting(name: "X-G", value: "g"),
            ])
        #expect(binding.idempotencyKey == IdempotencyKey("Idempotency-Key"))
        #expect(configuration.secrets == [.env("KEY"), .file("/etc/sluice/key")])
        let explained = Bench(
            Explain.yaml(configuration), files: ["/etc/sluice/key": .init(text: "f")], environment: ["KEY": "k"])
        #expect(explained.configuration() == configuration)
    }

    @Test(arguments: [
        ("headers: {X-A: {from: X-A}}", "'X-A' is this field itself"),
        ("headers: {X-A: {from: Host}}", "field 'Host' cannot be set here"),
        ("headers: {X-A: {env: A, from: B}}", "the field has several values"),
        ("headers: {X-A: {}}", "the field has no value"), ("headers: {X-A: {evn: KEY}}", "unknown key 'evn'"),
        ("headers: {X-A: {env: NOWHERE}}", "the environment has no variable 'NOWHERE'"),
        ("answer-headers: {X-A: {env: KEY}}", "a secret has no place in an answer"),
        ("answer-headers: {Vary: x}", "field 'Vary' cannot be set here"),
        ("answer-headers: {Set-Cookie: null}", "field 'Set-Cookie' cannot be set here"),
        ("idempotency-key: true", "the field has no name"), ("idempotency-key: a b", "'a b' is no field name"),
    ])
    func refusesSources(_ text: String, _ message: String) {
        let bench = fruit("GET /a: {to: fruit /a, \(text)}")
        let mistakes = Bench(bench.yaml, environment: ["KEY": "k"]).load().mistakes
        #expect(mistakes.contains { $0.message.contains(message) }, "\(mistakes)")
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
