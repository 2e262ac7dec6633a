import SluiceContract
import Testing

@testable import SluiceConfig

/// `local-urls:` of a binding.
@Suite struct BindingSectionLocalURLsTests {
    @Test func readsPaths() {
        let bench = fruit(
            """
            GET /a: {to: fruit /a, local-urls: next}
            GET /b: {to: fruit /b, value: JSON, local-urls: [links.next, "items.*.url", "a[0]"]}
            ANY /c/**: {to: fruit /c/**, local-urls: next}
            """)
        let configuration = bench.configuration()
        #expect(bench.warnings == [])
        #expect(
            configuration.bindings.map { $0.localURLs.map(\.description) } == [
                ["next"], ["links.next", "items.*.url", "a[0]"], ["next"],
            ])
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
        #expect(configuration.findings == [])
    }

    @Test(arguments: [
        ("GET /a: {to: fruit /a, local-urls: 'a[-1]'}", "2:38: path 'a[-1]' chooses among elements"),
        ("GET /a: {to: fruit /a, local-urls: [next, 'a[?b==1].c']}", "path 'a[?b==1].c' chooses among elements"),
        ("GET /a: {to: fruit /a, local-urls: 'a.*.b?'}", "chooses among elements"),
        ("GET /a: {to: fruit /a, links: next}", "unknown key 'links' → local-urls"),
        ("GET /a: {to: fruit /a, local-urls: $}", "'$' is no key path"),
        ("GET /a: {to: fruit /a, local-urls: 'a..b'}", "is no key path"),
        ("POST /a: {to: fruit /a, local-urls: next}", "URLs of pages are asked for by GET"),
        ("GET /a: {to: fruit /a, value: '[Int]', pages: {page: p}, local-urls: next}", "all pages are one answer"),
        ("GET /a: {to: fruit /a, value: '[Int]', rows: ndjson, local-urls: next}", "rows have no next page"),
        ("GET /a: {to: fruit /g, graphql: '{ a }', local-urls: next}", "GraphQL has no URL of a next page"),
        ("GET /a: {to: fruit /a, upgrade: websocket, local-urls: next}", "what is spoken then is no JSON"),
        (
            "GET /a: {to: fruit /a, local-urls: [\((0..<33).map { "a\($0)" }.joined(separator: ", "))]}",
            "33 paths are too many"
        ),
    ])
    func refuses(_ text: String, _ message: String) {
        let mistakes = fruit(text).mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }
}
