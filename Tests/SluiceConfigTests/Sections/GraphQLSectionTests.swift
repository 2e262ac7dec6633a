import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct GraphQLSectionTests {
    @Test func readsEveryForm() throws {
        let bench = fruit(
            """
            GET /a: {to: fruit /g, graphql: {query: '{ a }'}, value: JSON}
            GET /b: {to: fruit GET /g, graphql: {query: '{ a }', persisted: true}, value: JSON}
            GET /c: {to: fruit /g, graphql: {id: "9"}}
            POST /d: {to: fruit /g, params: {x: Int}, graphql: {id: sha256:9, as: doc_id}}
            GET /e: {to: fruit /g, graphql: {query: '{ a }', persisted: false}}
            GET|HEAD /f: {to: fruit GET /g, params: {x: Int}, graphql: 'query($x: Int) { a }'}
            """)
        let configuration = bench.configuration()
        #expect(bench.warnings == [])
        #expect(
            configuration.bindings.map(\.graphQL) == [
                .query("{ a }"), .persisted("{ a }"), .registered(id: "9", member: "documentId"),
                .registered(id: "sha256:9", member: "doc_id"), .query("{ a }"), .query("query($x: Int) { a }"),
            ])
        #expect(configuration.bindings.map(\.upstreamMethod) == ["POST", "GET", "POST", nil, "POST", "GET"])
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
        #expect(configuration.findings == [])
    }

    @Test func readsPages() throws {
        let query = "'query($after: String) { a }'"
        let bench = fruit(
            """
            GET /a: {to: fruit /g, graphql: \(query), value: '[Int]', pages: {connection: a.b}}
            GET /b: {to: fruit GET /g, graphql: \(query), value: '[Int]', pages: {cursor: a.n, as: after, last: a.l}}
            GET /c: {to: fruit /g, graphql: {id: "9"}, value: '[Int]', pages: {connection: a, as: c}}
            GET /d:
              to: fruit /g
              params: {from: {type: String?, as: after}}
              graphql: \(query)
              value: '[Int]'
              pages: {page: after}
            """)
        let configuration = bench.configuration()
        #expect(bench.warnings == [])
        func path(_ text: String) throws -> FieldPath { try #require(FieldPath(text)) }
        #expect(
            try configuration.bindings.map(\.pages?.way) == [
                .cursor(path("a.b.pageInfo.endCursor"), parameter: "after"), .cursor(path("a.n"), parameter: "after"),
                .cursor(path("a.pageInfo.endCursor"), parameter: "c"), .page(parameter: "after"),
            ])
        #expect(
            try configuration.bindings.map(\.pages?.ending) == [
                .more(path("a.b.pageInfo.hasNextPage")), .last(path("a.l")), .more(path("a.pageInfo.hasNextPage")), nil,
            ])
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("GET /a: {to: fruit /g, graphql: {}}", "2:35: nothing is asked"),
        (
            "GET /a: {to: fruit /g, graphql: {query: '{ a }', id: x}}",
            "2:52: a server that has the query is not sent it"
        ),
        ("GET /a: {to: fruit /g, graphql: {id: x, persisted: true}}", "2:43: 'persisted' belongs to 'query:'"),
        ("GET /a: {to: fruit /g, graphql: {query: '{ a }', as: x}}", "2:52: 'as' belongs to 'id:'"),
        ("GET /a: {to: fruit /g, graphql: {query: '{ a }', persisted: true}}", "passes its answers through"),
        ("GET /a: {to: fruit /g, graphql: {id: ''}}", "an identifier of 0 bytes"),
        ("GET /a: {to: fruit /g, graphql: {id: x, as: query}}", "2:47: 'query' cannot hold an identifier"),
        ("GET /a: {to: fruit /g, graphql: {id: x, as: a b}}", "'a b' cannot hold an identifier"),
        ("GET /a: {to: fruit /g, graphql: {id: x, hash: y}}", "unknown key 'hash' → persisted"),
        ("POST /a: {to: fruit GET /g, graphql: '{ a }'}", "a query of GraphQL travels in a POST, or a GET"),
        ("ANY /a: {to: fruit GET /g, graphql: '{ a }'}", "a query of GraphQL travels in a POST, or a GET"),
        (
            "GET /a: {to: fruit GET /g, params: {x: {in: body, type: Int}}, graphql: 'query($x: Int) { a }'}",
            "a GET carries no body"
        ),
        (
            "GET /a: {to: fruit GET /g, params: {x: {fixed: {env: X}}}, graphql: 'query($x: Int) { a }'}",
            "a secret would stand in the URL of a GET"
        ),
        (
            "GET /a: {to: fruit /g, graphql: '{ a }', value: '[Int]', pages: {connection: a}}",
            "the query has no variable '$after' to ask for the next page by"
        ),
        (
            "GET /a: {to: fruit /g, graphql: '{ a }', value: '[Int]', pages: {next: link}}",
            "a query of GraphQL has no URL of its next page"
        ),
        (
            "GET /a: {to: fruit /g, params: {p: {fixed: 1}}, graphql: 'query($p: Int) { a }', value: '[Int]', "
                + "pages: {page: p}}", "parameter 'p' does not grow"
        ),
        (
            "POST /a: {to: fruit /g, graphql: 'query($p: Int) { a }', value: '[Int]', pages: {page: p}}",
            "pages are asked for by GET"
        ),
    ])
    func refuses(_ text: String, _ message: String) {
        let mistakes = Bench(fruit(text).yaml, environment: ["X": "x"]).mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    /// What `parent:` begins below is no field of the query, unless it asks for one.
    @Test(
        arguments: [
            ("parent: data.u", "{ u { a } }", ["'parent:' begins below 'data' → u"]),
            ("parent: data", "{ u { a } }", ["'parent:' begins below 'data' → leave it out"]),
            ("parent: u", "{ u { a } }", []), ("parent: data.u", "{ data { u } }", []),
        ] as [(String, String, [String])])
    func warnsOfDataInTheParent(_ parent: String, _ query: String, _ warnings: [String]) {
        let bench = fruit("GET /a: {to: fruit /g, graphql: '\(query)', value: JSON, \(parent)}")
        #expect(bench.mistakes == [])
        #expect(bench.warnings.map { String($0.drop { $0 != " " }.dropFirst()) } == warnings)
    }
}
