import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct PagesSectionTests {
    @Test func readsEveryWay() throws {
        let bench = fruit(
            """
            GET /a: {to: fruit /a, value: '[Int]', pages: {cursor: m.next, as: c, items: v, limit: 1000}}
            GET /b: {to: fruit /b, value: '[Int]', parent: v, pages: {next: link, more: more}}
            GET /c: {to: fruit /c, value: '[Int]?', pages: {next: m.url}}
            GET /d: {to: fruit /d, value: JSON, pages: {offset: skip, step: 50}}
            GET /e: {to: fruit /e, value: '[Int]', pages: {page: p}}
            GET /f: {to: fruit /f, value: '[Int]', pages: {next: $.link}}
            """)
        let configuration = bench.configuration()
        let path = try #require(FieldPath("m.next"))
        let url = try #require(FieldPath("m.url"))
        #expect(
            configuration.bindings.map(\.pages?.way) == [
                .cursor(path, parameter: "c"), .link, .url(url), .offset(parameter: "skip", step: 50),
                .page(parameter: "p"), .url(FieldPath(components: [.key("link")])),
            ])
        #expect(configuration.bindings[0].parent == FieldPath("v"))
        #expect(configuration.bindings.map(\.pages?.limit) == [1000, 100, 100, 100, 100, 100])
        #expect(configuration.bindings[1].pages?.more == FieldPath("more"))
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("value: '[Int]', pages: {}", "nothing leads to the next page"),
        ("value: '[Int]', pages: {next: link, page: p}", "several ways lead to the next page"),
        ("value: '[Int]', pages: {cursor: a}", "nothing says how the cursor is sent"),
        ("value: '[Int]', pages: {offset: a}", "nothing says by how much the offset grows"),
        ("value: '[Int]', pages: {page: a, as: b}", "'as' belongs to 'cursor:'"),
        ("value: '[Int]', pages: {page: a, step: 2}", "'step' belongs to 'offset:'"),
        ("value: '[Int]', pages: {cursor: a.*, as: b}", "'*' in 'a.*' yields many values"),
        ("value: '[Int]', parent: v, pages: {page: p, items: v}", "'items' and 'parent' say the same"),
        ("value: Int, pages: {page: p}", "pages are gathered into an array, and the value is Int"),
        ("value: {default: '[Int]', 203: Bool}, pages: {page: p}", "gathered into an array, and the value is Bool"),
        ("value: {404: '[Int]'}, pages: {page: p}", "'pages' has no meaning without 'value:'"),
        ("pages: {page: p}", "'pages' has no meaning without 'value:'"),
        ("value: '[Int]', early: true, pages: {page: p}", "the next page may stand behind the value"),
        ("value: '[Int]', pages: {page: p, limit: 0}", "0 is out of range"),
        ("value: '[Int]', params: {p: {fixed: 1}}, pages: {page: p}", "parameter 'p' does not grow"),
        ("value: '[Int]', pages: {token: p}", "unknown key 'token'"),
    ])
    func refuses(_ text: String, _ message: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, \(text)}").mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    /// By their status, so that they may have another type.
    @Test func errorsAreNoPages() {
        let bench = fruit("GET /a: {to: fruit /a, value: {203: '[Int]', 404: String}, pages: {page: p}}")
        #expect(bench.mistakes.isEmpty, "\(bench.mistakes)")
    }

    @Test func refusesWhatIsNoQuestion() {
        let mistakes = fruit("POST /a: {to: fruit /a, value: '[Int]', pages: {next: link}}").mistakes
        #expect(mistakes.contains { $0.contains("pages are asked for by GET") }, "\(mistakes)")
    }
}
