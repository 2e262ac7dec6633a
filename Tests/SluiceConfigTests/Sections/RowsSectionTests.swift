import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct RowsSectionTests {
    @Test func readsEveryFormat() {
        let configuration = fruit(
            """
            GET /a: {to: fruit /a, value: '[Int]', rows: ndjson}
            GET /b: {to: fruit /b, value: [{a: Int}], rows: csv}
            GET /c: {to: fruit /c, value: JSON, rows: {format: csv, columns: [a, 'b: c'], separator: semicolon}}
            GET /d: {to: fruit /d, value: '[Int]', parent: '*.x', rows: events}
            GET /e: {to: fruit /e, value: '[Int]', rows: {format: events, end: '[DONE]', as: array}}
            GET /f: {to: fruit /f, value: Int, parent: '[0]', rows: {format: ndjson}}
            """
        ).configuration()
        #expect(
            configuration.bindings.map(\.rows) == [
                RowPolicy(.ndjson), RowPolicy(.csv(.init())),
                RowPolicy(.csv(.init(columns: ["a", "b: c"], separator: .semicolon))),
                RowPolicy(.events(end: nil), delivery: .lines),
                RowPolicy(.events(end: "[DONE]"), delivery: .array), RowPolicy(.ndjson, delivery: .array),
            ])
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("value: '[Int]', rows: xml", "the text 'xml' is not known here"),
        ("value: '[Int]', rows: {}", "key 'format' is missing"),
        ("value: '[Int]', rows: {format: ndjson, columns: [a]}", "'columns' belongs to 'format: csv'"),
        ("value: '[Int]', rows: {format: events, separator: tab}", "'separator' belongs to 'format: csv'"),
        ("value: '[Int]', rows: {format: csv, end: x}", "'end' belongs to 'format: events'"),
        ("value: '[Int]', rows: {format: csv, columns: []}", "a table of 0 columns"),
        ("value: '[Int]', rows: {format: csv, columns: [a, b, a]}", "the column 'a' stands twice"),
        ("value: Int, rows: csv", "rows make an array, and the value is Int"),
        ("rows: csv", "'rows' has no meaning without 'value:'"),
        ("value: '[Int]', parent: '*.a', rows: csv", "a table has no paths"),
        ("value: '[Int]', parent: a.b, rows: ndjson", "in which 'a' leads nowhere → *.a.b"),
        ("value: '[Int]', parent: '*.a.*', rows: events", "are taken one by one"),
        ("value: '[Int]', parent: '[0]', rows: events", "are taken one by one"),
        ("value: '[Int]', rows: csv, pages: {next: link}", "rows have no pages"),
        ("value: '[Int]', rows: csv, keep: {bearer: a}", "rows have no token"),
        ("value: '[Int]', rows: events, default: []", "have no default"),
        ("value: '[Int]', rows: events, cache: {}", "are not stored"),
        ("value: '[Int]', rows: events, compress: true", "are not compressed"),
        ("value: '[Int]', rows: ndjson, graphql: '{ a }'", "an answer of GraphQL is one document"),
    ])
    func refuses(_ text: String, _ message: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, \(text)}").mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    /// What is said for all bindings does not concern rows that go out as they arrive.
    @Test func linesInheritNoCache() {
        let configuration = fruit(
            "GET /a: {to: fruit /a, value: '[Int]', rows: events}\nGET /b: {to: fruit /b, value: '[Int]', rows: csv}",
            root: "defaults: {cache: {fresh: 1m}, compress: true}"
        ).configuration()
        #expect(configuration.bindings.map { $0.cache == nil } == [true, false])
        #expect(configuration.bindings.map { $0.compression == nil } == [true, false])
    }
}
