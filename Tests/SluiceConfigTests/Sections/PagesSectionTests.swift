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
            GET /g: {to: fruit /g, value: '[Int]', pages: {offset: startAt, step: 50, last: isLast}}
            GET /h: {to: fruit /h, value: '[Int]', pages: {page: p, total: meta.total}}
            GET /i: {to: fruit /i, value: '[Int]', pages: {page: p, total-pages: total_pages}}
            """)
        let configuration = bench.configuration()
        let path = try #require(FieldPath("m.next"))
        let url = try #require(FieldPath("m.url"))
        #expect(
            configuration.bindings.map(\.pages?.way) == [
                .cursor(path, parameter: "c"), .link, .url(url), .offset(parameter: "skip", step: 50),
                .page(parameter: "p"), .url(FieldPath(components: [.key("link")])),
                .offset(parameter: "startAt", step: 50), .page(parameter: "p"), .page(parameter: "p"),
            ])
        #expect(configuration.bindings[0].parent == FieldPath("v"))
        #expect(configuration.bindings.map(\.pages?.limit) == [1000] + Array(repeating: 100, count: 8))
        #expect(
            configuration.bindings.suffix(3).map(\.pages?.ending) == [
                .last(FieldPath(components: [.key("isLast")])), FieldPath("meta.total").map { .total($0) },
                .totalPages(FieldPath(components: [.key("total_pages")])),
            ])
        #expect(configuration.bindings[1].pages?.ending == FieldPath("more").map { .more($0) })
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("value: '[Int]', pages: {}", "nothing leads to the next page"),
        ("value: '[Int]', pages: {next: link, page: p}", "several ways lead to the next page"),
        ("value: '[Int]', pages: {cursor: a}", "nothing says how the cursor is sent"),
        ("value: '[Int]', pages: {offset: a}", "nothing says by how much the offset grows"),
        ("value: '[Int]', pages: {page: a, as: b}", "'as' belongs to 'cursor:'"),
        ("value: '[Int]', pages: {page: a, step: 2}", "'step' belongs to 'offset:'"),
        ("value: '[Int]', pages: {page: p, more: m, last: l}", "'more' and 'last' both say which page is the last one"),
        ("value: '[Int]', pages: {connection: c, total: t}", "'total' and 'connection' both say which page"),
        ("value: '[Int]', pages: {page: p, total: a.*}", "'*' in 'a.*' yields many values"),
        ("value: '[Int]', pages: {connection: 'c..d'}", "is no key path"),
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
        ("value: '[Int]', pages: {page: p, has_more: m}", "unknown key 'has_more' → more"),
        ("value: '[Int]', pages: {page: p, isLast: m}", "unknown key 'isLast' → last"),
        ("value: '[Int]', pages: {next: Link}", "'Link' is a key of the page here → link"),
        (
            "value: '[Int]', pages: {next: header Link rel=next}",
            "'header Link rel=next' is a key of the page here → link"
        ),
        ("value: '[Int]', pages: {relay: m}", "unknown key 'relay' → connection"),
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

    @Test func aKeyThatIsCalledAsTheFieldIsWrittenFromTheRoot() {
        let configuration = fruit("GET /a: {to: fruit /a, value: '[Int]', pages: {next: $.Link}}").configuration()
        #expect(configuration.bindings.map(\.pages?.way) == [.url(FieldPath(components: [.key("Link")]))])
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }
}
