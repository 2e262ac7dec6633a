import SluiceContract
import Testing

@testable import SluiceConfig

/// `then:`, and `loading` in `serve:`.
@Suite struct ThenSectionTests {
    private static let types = """
        Fruit: {name: String, size: Int}
        Small: {name: String}
        """

    /// A binding that is read, and one that changes it.
    private static func bench(
        _ then: String, read: String = "value: Fruit, cache: {fresh: 60s, tags: [fruit]}",
        write: String = "body: Fruit, answer: echo", method: String = "PUT", path: String = "/fruits/{id}"
    ) -> Bench {
        let name = path.contains("{id}") ? "params: {id: Int}, " : ""
        return SluiceConfigTests.fruit(
            """
            GET /fruits: {to: fruit /fruits, value: '[Fruit]', cache: {fresh: 60s}}
            GET /fruits/{id}: {to: 'fruit /fruits/{id}', params: {id: Int}, \(read)}
            GET /plain: {to: fruit /plain}
            \(method) \(path): {to: 'fruit \(path)', \(name)\(write), then: \(then)}
            """, types: types)
    }

    @Test func readsAllOfIt() throws {
        let bench = Self.bench("{invalidate: GET /fruits, tags: [fruit], update: 'GET /fruits/{id}'}")
        let effect = try #require(bench.configuration().bindings.last?.then)
        #expect(effect.invalidate == ["GET /fruits"] && effect.tags == ["fruit"])
        #expect(effect.update == "GET /fruits/{id}")
        let again = Bench(Explain.yaml(bench.configuration())).configuration()
        #expect(again.bindings.last?.then == effect)
    }

    @Test(arguments: [
        ("{}", "'then' says nothing"),
        ("{invalidate: [GET /friuts]}", "there is no binding 'GET /friuts'"),
        ("{invalidate: [GET /plain]}", "nothing of 'GET /plain' is stored"),
        ("{tags: [tree]}", "no 'cache:' has the tag 'tree'"),
        ("{update: GET /plain}", "nothing of 'GET /plain' is stored"),
        ("{update: GET /nowhere}", "there is no binding 'GET /nowhere'"),
        ("GET /fruits", "the text 'GET /fruits'"),
    ])
    func refusesWhatIsNotThere(_ then: String, _ message: String) {
        let mistakes = Self.bench(then).load().mistakes
        #expect(mistakes.contains { $0.message.hasPrefix(message) }, "\(mistakes)")
    }

    /// What is watched is asked for anew, stored or not.
    @Test func whatIsWatchedMayBeNamed() {
        let bench = SluiceConfigTests.fruit(
            """
            GET /a: {to: fruit /a, value: Int, watch: true}
            PUT /b: {to: fruit /b, then: {invalidate: [GET /a]}}
            """)
        #expect(bench.configuration().bindings.last?.then?.invalidate == ["GET /a"])
    }

    @Test(arguments: ["GET|PUT", "ANY", "HEAD"]) func onlyChangesHaveEffects(_ method: String) {
        let mistakes = Self.bench(
            "{invalidate: [GET /fruits]}", write: "cache: false", method: method, path: "/other"
        ).load().mistakes
        #expect(mistakes.contains { $0.message.hasSuffix("changes nothing") }, "\(mistakes)")
    }

    /// Whatever else makes the answer that is read is nothing that a written value has.
    @Test(arguments: [
        ("value: Fruit, cache: {}", "nothing says how long it is fresh"),
        ("value: Fruit, cache: {fresh: 1s, private: true}", "each client has entries of its own"),
        ("value: Fruit, cache: {fresh: 1s, vary: Accept-Language}", "its answers vary with the request"),
        ("cache: {fresh: 1s}", "it has no single type"),
        ("value: Fruit, unknown: reject, cache: {fresh: 1s}", "it has a rule for unknown keys"),
        ("value: Fruit, answer-headers: {X-A: b}, cache: {fresh: 1s}", "its answers have fields of their own"),
    ])
    func whatIsReadIsTheValueAlone(_ read: String, _ reason: String) {
        let mistakes = Self.bench("{update: 'GET /fruits/{id}'}", read: read).load().mistakes
        #expect(
            mistakes.contains {
                $0.message.hasPrefix("the written value cannot become the answer") && $0.message.contains(reason)
            }, "\(mistakes)")
    }

    @Test func parametersBesideThePathAreNotKnown() {
        let bench = SluiceConfigTests.fruit(
            """
            GET /fruits/{id}: {to: 'fruit /f/{id}', params: {id: Int, lang: String?}, value: Int, cache: {fresh: 1s}}
            PUT /fruits/{id}: {to: 'fruit /f/{id}', params: {id: Int}, value: Int, then: {update: 'GET /fruits/{id}'}}
            """)
        let mistakes = bench.load().mistakes
        #expect(mistakes.contains { $0.message.contains("depend on 'lang', too") }, "\(mistakes)")
    }

    /// Its type is proven, as that of a part is.
    @Test(
        arguments: [
            ("body: Fruit, answer: echo", nil), ("body: Fruit, value: Fruit", nil),
            ("body: Small, answer: echo", "the written value is no answer of 'GET /fruits/{id}'"),
            ("body: json, answer: echo", "there is no value that is written and proven"),
            ("body: Fruit", "there is no value that is written and proven"),
            ("body: {name: String, size: Int = 3}, answer: echo", "the written value cannot become the answer"),
            ("body: Fruit, value: JSON", "the written value is no answer of 'GET /fruits/{id}'"),
            ("body: Fruit, value: {name: String, size: JSON}", "the written value is no answer of"),
            ("body: Fruit, value: Fruit, on-drift: pass", "the written value cannot become the answer"),
        ] as [(String, String?)])
    func whatIsWrittenFits(_ write: String, _ message: String?) {
        let loaded = Self.bench("{update: 'GET /fruits/{id}'}", write: write).load()
        guard let message else { return #expect(loaded.mistakes.isEmpty, "\(loaded.mistakes)") }
        #expect(loaded.mistakes.contains { $0.message.hasPrefix(message) }, "\(loaded.mistakes)")
    }

    /// RFC 5789: a PATCH says what changes.
    @Test func aPartIsNotTheWhole() {
        let echo = Self.bench("{update: 'GET /fruits/{id}'}", method: "PATCH").load().mistakes
        #expect(echo.contains { $0.message.contains("what PATCH sends need not be the whole value") }, "\(echo)")
        let answered = Self.bench("{update: 'GET /fruits/{id}'}", write: "value: Fruit", method: "PATCH").load()
        #expect(answered.mistakes.isEmpty, "\(answered.mistakes)")
    }

    @Test func aPlaceIsKnownByThePathThatIsWritten() {
        let mistakes = Self.bench("{update: 'GET /fruits/{id}'}", method: "POST", path: "/fruits").load().mistakes
        #expect(mistakes.contains { $0.message.contains("'{id}' is no part of the path") }, "\(mistakes)")
    }

    // MARK: - serve: loading

    @Test func readsPatience() {
        let bench = SluiceConfigTests.fruit(
            "GET /a: {to: fruit /a, cache: {}, serve: [fresh, loading, error], patience: 2s}")
        let binding = bench.configuration().bindings.first
        #expect(binding?.serve == [.fresh, .loading, .error] && binding?.patience == .seconds(2))
    }

    @Test func loadingNeedsAPlace() {
        let bench = SluiceConfigTests.fruit("GET /a: {to: fruit /a, serve: [fresh, loading, error]}")
        #expect(
            bench.load().mistakes.map(\.message) == [
                "'loading' tells the client to ask again, and nothing is kept for it"
            ]
        )
        // What is inherited is left out where it cannot be.
        let inherited = SluiceConfigTests.fruit(
            "GET /a: {to: fruit /a}\nGET /b: {to: fruit /b, cache: {}}",
            root: "defaults: {serve: [fresh, loading, error]}")
        #expect(inherited.configuration().bindings.map(\.serve) == [[.fresh, .error], [.fresh, .loading, .error]])
    }

    @Test func patienceIsForThoseWhoAreToldToAskAgain() {
        let bench = SluiceConfigTests.fruit("GET /a: {to: fruit /a, cache: {}, patience: 2s}")
        #expect(bench.load().warnings.map(\.message) == ["'patience' has no effect without 'loading' in 'serve:'"])
    }
}
