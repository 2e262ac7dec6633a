import SluiceContract
import Testing

@testable import SluiceConfig

/// Three layers, later wins, key by key (HERITAGE S7).
@Suite struct BindingSettingsTests {
    private func binding(_ own: String, upstream: String = "", defaults: String = "{}") -> Binding? {
        fruit("GET /a: {to: fruit /a, value: Int, \(own)}", upstream: upstream, root: "defaults: \(defaults)")
            .configuration().bindings.first
    }

    @Test func laterWins() {
        #expect(binding("", defaults: "{unknown: drop}")?.unknownKeys == .drop)
        #expect(binding("", upstream: "unknown: reject", defaults: "{unknown: drop}")?.unknownKeys == .reject)
        #expect(binding("unknown: pass", upstream: "unknown: reject")?.unknownKeys == .pass)
    }

    @Test func mergesCacheKeyByKey() {
        let cache = binding(
            "cache: {fresh: 1s}", upstream: "cache: {fresh: 9s, private: true}", defaults: "{cache: {tags: [a]}}")?
            .cache
        #expect(cache?.fresh == .seconds(1))
        #expect(cache?.isPrivate == true)
        #expect(cache?.tags == ["a"])
        #expect(binding("cache: false", upstream: "cache: {fresh: 9s}")?.cache == nil)
        #expect(binding("cache: {}")?.cache == CachePolicy())
        #expect(binding("")?.cache == nil)
    }

    @Test func inheritsFromTheUpstream() {
        let binding = binding(
            "timeout: {total: 5s}, error: {code: c}",
            upstream: "keys: camelCase\nerror: {message: m}\ntimeout: {connect: 1s}")
        #expect(binding?.keys == .camelCase)
        #expect(binding?.error == ErrorPaths(message: FieldPath("m"), code: FieldPath("c")))
        #expect(binding?.timeout?.connect == .seconds(1))
        #expect(binding?.timeout?.total == .seconds(5))
        #expect(self.binding("")?.timeout == nil)
        #expect(self.binding("")?.error == nil)
    }

    @Test func leavesOutWhatHasNoMeaning() {
        let bench = fruit(
            "POST /a: {to: fruit /a}", root: "defaults: {cache: {fresh: 1s}, answer: echo}")
        #expect(bench.configuration().bindings.first?.cache == nil)
        #expect(bench.configuration().bindings.first?.answer == .response)
        #expect(bench.warnings == [])
    }

    @Test func readsTheRest() {
        let binding = binding(
            "hold: 1KiB, early: true, report: 2, body-max: 3KiB, set-cookie: drop, unknown-params: pass")
        #expect(binding?.holdBytes == 1024)
        #expect(binding?.early == true)
        #expect(binding?.reportCount == 2)
        #expect(binding?.bodyBytesMax == 3072)
        #expect(binding?.passesSetCookie == false)
        #expect(binding?.unknownParameters == .pass)
    }

    @Test(arguments: [
        ("serve: [fresh, stale]", "2:38: 'serve' has no end: nothing is answered where no rule applies"),
        ("serve: []", "2:38: 'serve' has no end: nothing is answered where no rule applies"),
        ("serve: [error, fresh, error]", "2:38: a rule stands twice in 'serve'"),
        ("serve: [fresh, error, default]", "2:38: rules behind 'error' never apply"),
        ("serve: [fresh, default]", "2:38: 'serve' ends with 'default', and the binding has none"),
        ("serve: [frsh, error]", "2:46: the text 'frsh' is not known here → fresh"),
        ("cache: 60s", "2:45: the text '60s' is no cache policy → {fresh: 60s}"),
        ("cache: {key: [a]}", "2:51: 'a' is no parameter of this binding"),
        ("cache: {vary: ['a b']}", "2:53: 'a b' is no field name"),
        ("hold: 64KB", "2:44: the text '64KB' where a size is wanted → 64KiB"),
        ("early: maybe", "2:45: the text 'maybe' where a switch is wanted"),
    ])
    func refuses(_ text: String, _ mistake: String) {
        #expect(fruit("GET /a: {to: fruit /a, value: Int, \(text)}").mistakes.contains(mistake))
    }

    /// What the path says is always asked for, and a body never is.
    @Test(arguments: [
        (
            "GET /a/{x}/{z}: {to: 'fruit /a/{x}/{z}', params: {x: Int, z: Int}, cache: {key: [z]}}",
            ["'key' leaves out 'x', which stands in the path: each path has answers of its own → write key: [x, z]"]
        ),
        (
            "GET /a/{x}: {to: 'fruit /a/{x}', params: {x: Int}, cache: {key: []}}",
            ["'key' leaves out 'x', which stands in the path: each path has answers of its own → write key: [x]"]
        ),
        (
            "GET /a: {to: 'fruit /a/{y}', params: {y: Int, z: Int}, cache: {key: z}}",
            ["'key' leaves out 'y', which stands in the path: each path has answers of its own → write key: [y, z]"]
        ),
        ("GET /a/{x}: {to: 'fruit /a/{x}', params: {x: Int, z: Int}, cache: {key: [x]}}", []),
        ("GET /a: {to: fruit /a, params: {z: Int}, cache: {key: []}}", []),
        (
            "ANY /a: {to: fruit /a, params: {b: {type: Int, in: body}, z: {type: Int, in: query}}, cache: {key: [b]}}",
            ["'b' travels in the body, and requests with a body are not answered from the cache"]
        ),
    ])
    func aKeyHasThePath(_ text: String, _ mistakes: [String]) {
        #expect(fruit(text).mistakes.map { $0.split(separator: " ", maxSplits: 1)[1] } == mistakes.map { $0[...] })
    }

    /// Who switches it off may have forgotten that it is there.
    @Test(
        arguments: [
            ("serve: [fresh, stale, error]", "2:68: 'default' is never answered without 'default' in 'serve:'"),
            ("serve: [fresh, error], on-drift: default", nil), ("serve: [fresh, default, error]", nil),
            ("early: true", nil),
        ] as [(String, String?)])
    func warnsOfADefaultThatIsNeverAnswered(_ text: String, _ warning: String?) {
        let bench = fruit("GET /a: {to: fruit /a, value: Int, \(text), default: 1}")
        #expect(bench.mistakes == [])
        #expect(bench.warnings.filter { $0.contains("'default'") } == [warning].compactMap(\.self))
    }

    @Test func warnsOfWhatHasNoEffect() {
        #expect(
            fruit("GET /a: {to: fruit /a, early: true, hold: 1KiB, report: 1}").warnings == [
                "2:26: 'early' has no effect without 'value:'", "2:39: 'hold' has no effect without 'value:'",
                "2:51: 'report' has no effect without 'value:'",
            ])
    }

    /// A body that is signed is held, whatever becomes of the answer.
    @Test(arguments: ["PUT", "GET|POST", "ANY"])
    func holdIsForBodiesToo(_ method: String) {
        let bench = fruit("\(method) /a: {to: fruit /a, hold: 1KiB}")
        #expect(bench.warnings == [])
        #expect(bench.configuration().bindings.first?.holdBytes == 1024)
    }

    @Test func refusesACacheWithoutGET() {
        #expect(fruit("POST /a: {to: fruit /a, cache: {}}").mistakes == ["2:27: answers to POST are not stored"])
        #expect(fruit("GET|POST /a: {to: fruit /a, cache: {}}").mistakes == [])
    }
}

extension BindingSettingsTests {
    @Test func readsGraphQL() {
        let bench = fruit(
            """
            GET /a/{x}: {to: fruit /graphql, params: {x: Int}, graphql: 'query($x: Int) { a(x: $x) }', value: JSON}
            POST /b: {to: fruit /graphql, params: {x: Int}, graphql: 'mutation($x: Int) { a(x: $x) }'}
            GET /c:
              to: fruit /graphql
              graphql: |
                {
                  a
                }
              parent: a
              value: Int
              retry: {on: [503]}
              hedge: p95
            """)
        let configuration = bench.configuration()
        #expect(bench.warnings == [])
        #expect(configuration.bindings.map(\.upstreamMethod) == ["POST", nil, "POST"])
        #expect(configuration.bindings[0].body == .none)
        #expect(configuration.bindings[2].valuePath.description == "data.a")
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(
        arguments: [
            ("GET /a: {to: fruit /g, graphql: 'query($x: Int) { a }'}", "no parameter fills the variable '$x'"),
            ("GET /a: {to: fruit /g, graphql: 'mutation { a }'}", "a mutation changes something, and GET does not"),
            ("GET /a: {to: fruit /g, graphql: 'subscription { a }'}", "a subscription is no single answer"),
            ("GET /a: {to: fruit /g, graphql: a.graphql}", "this is no query of GraphQL"),
            ("GET /a: {to: fruit GET /g, graphql: '{ a }'}", nil),
            ("POST /a: {to: fruit PUT /g, graphql: '{ a }'}", "a query of GraphQL travels in a POST"),
            ("POST /a: {to: fruit /g, graphql: '{ a }', body: text}", "variables come from JSON"),
            (
                "GET /a: {to: fruit /g, params: {x: {type: Int, in: cookie}}, graphql: 'query($x: Int) { a }'}",
                "a cookie cannot be a variable"
            ),
        ] as [(String, String?)])
    func refusesGraphQL(_ binding: String, _ message: String?) {
        let mistakes = fruit(binding).mistakes
        #expect(message.map { text in mistakes.contains { $0.contains(text) } } ?? mistakes.isEmpty, "\(mistakes)")
    }
}
