import SluiceContract
import SluiceRules
import Testing

@testable import SluiceConfig

/// `drift:`, `on-drift:` and `example:`.
@Suite struct DriftSectionTests {
    private static func bench(_ settings: String, value: String? = "'[Fruit]'", upstream: String = "") -> Bench {
        let value = value.map { "value: \($0), " } ?? ""
        return SluiceConfigTests.fruit(
            "GET /a: {to: fruit /a, \(value)\(settings)}", types: "Fruit: {name: String, size: Int?}",
            upstream: upstream)
    }

    private static func binding(_ settings: String) -> Binding? {
        bench(settings).configuration().bindings.first
    }

    @Test(arguments: [
        ("drift: true", ["new-keys", "unknown-cases"], Duration.seconds(60)),
        ("drift: {notice: new-keys}", ["new-keys"], .seconds(60)),
        ("drift: {notice: [unknown-cases, new-keys], every: 5s}", ["unknown-cases", "new-keys"], .seconds(5)),
        ("drift: {every: 1h}", ["new-keys", "unknown-cases"], .seconds(3600)),
    ])
    func readsWhatIsNoticed(_ text: String, _ words: [String], _ every: Duration) {
        let drift = Self.binding(text)?.drift
        #expect(drift?.notice.map(\.rawValue) == words && drift?.every == every)
    }

    @Test func isOffUnlessItIsSaid() {
        #expect(Self.binding("report: 3")?.drift == nil)
        #expect(Self.binding("drift: false")?.drift == nil)
        #expect(Self.binding("report: 3")?.onDrift == .fail)
    }

    /// What all bindings inherit is without a meaning for those that pass, and is no mistake there.
    @Test func isInherited() {
        let bench = SluiceConfigTests.fruit(
            """
            GET /a: {to: fruit /a, value: Int}
            GET /b: {to: fruit /b, value: Int, drift: false}
            GET /c: {to: fruit /c}
            """,
            root: "defaults: {drift: {every: 2s}, on-drift: pass}")
        let bindings = bench.configuration().bindings
        #expect(bindings.map { $0.drift?.every } == [.seconds(2), nil, nil])
        #expect(bindings.map(\.onDrift) == [.pass, .pass, .fail])
    }

    @Test(arguments: [
        ("drift: new-keys", "the text 'new-keys' does not say what is noticed"),
        ("drift: {notice: keys}", "the text 'keys' is not known here"),
        ("drift: {notice: []}", "nothing is to be noticed"),
        ("drift: {notice: [new-keys, new-keys]}", "a word stands twice"),
        ("on-drift: ignore", "the text 'ignore' is not known here"),
        ("on-drift: default", "there is no default that could be answered"),
        ("rows: csv, drift: true", "rows are not looked at beside what goes out"),
    ])
    func refusesWhatIsWrong(_ text: String, _ message: String) {
        let mistakes = Self.bench(text).load().mistakes
        #expect(mistakes.contains { $0.message.hasPrefix(message) }, "\(mistakes)")
    }

    /// With `pass` the same goes out whether a value has drifted or not, so nothing may change on its way.
    @Test(arguments: [
        ("[{name: {from: full_name, type: String}}]", "", "'full_name' is renamed to 'name'"),
        ("{size: Int = 3}", "", "'size' has a default"),
        ("{at: Date(seconds) -> Date}", "", "converts it"),
        ("{name: String}", "unknown: drop, ", "'unknown: drop' leaves keys out"),
        ("{name: String}", "keys: camelCase, ", "'keys: camelCase' renames keys"),
        ("'[String]'", "parent: 'items.*.name', ", "'parent:' collects it with a star"),
        ("'[Fruit]'", "local-urls: next, ", "'local-urls:' changes it"),
        ("'[Fruit]'", "pages: {next: link}, ", "'pages:' gathers it from several answers"),
    ])
    func whatChangesDoesNotPass(_ value: String, _ settings: String, _ reason: String) {
        let mistakes = Self.bench("\(settings)on-drift: pass", value: value).load().mistakes
        #expect(
            mistakes.contains {
                $0.message.hasPrefix("with on-drift: pass the value goes out as the upstream writes it")
                    && $0.message.hasSuffix(reason)
            }, "\(mistakes)")
    }

    /// The same behind a name, where a second look at the type has nothing to tell.
    @Test(arguments: [
        ("Fruit: {name: String, color: String = red}", "'color' has a default"),
        ("Fruit: {name: String, '*': drop}", "'unknown: drop' leaves keys out"),
        ("Fruit: {at: Date(seconds) -> Date}", "converts it"),
        ("Fruit: {name: {from: full_name, type: String}}", "'full_name' is renamed to 'name'"),
        ("Fruit: {seed: Seed?}\nSeed: {size: Int = 1, in: Fruit?}", "'size' has a default"),
    ])
    func whatChangesBehindANameDoesNotPass(_ types: String, _ reason: String) {
        for isInherited in [false, true] {
            let bench = SluiceConfigTests.fruit(
                "GET /a: {to: fruit /a, value: [Fruit]\(isInherited ? "" : ", on-drift: pass")}", types: types,
                root: isInherited ? "defaults: {on-drift: pass}" : "")
            let mistakes = bench.load().mistakes
            #expect(mistakes.count == 1 && mistakes[0].message.hasSuffix(reason), "\(mistakes)")
        }
    }

    @Test(arguments: ["'[Fruit]'", "'Fruit?'", "{'*': Int}", "'red | green | …'", "JSON", "'Int(1...3) | String'"])
    func whatChangesNothingPasses(_ value: String) {
        #expect(Self.bench("on-drift: pass", value: value).configuration().bindings.first?.onDrift == .pass)
    }

    @Test func nothingHasDriftedWithoutAType() {
        let warnings = Self.bench("drift: true, on-drift: pass", value: nil).load().warnings
        #expect(
            warnings.map(\.message) == [
                "'drift' has no effect without 'value:'", "'on-drift' has no effect without 'value:'",
                "type 'Fruit' is not used by any binding",
            ])
    }

    /// What is explained is read as the same.
    @Test(arguments: ["drift: {notice: new-keys, every: 90s}, on-drift: pass", "default: [], on-drift: default"])
    func explainsWhatItReads(_ text: String) {
        let configuration = Self.bench(text).configuration()
        let again = Bench(Explain.yaml(configuration)).configuration()
        #expect(again.bindings.first?.drift == configuration.bindings.first?.drift)
        #expect(again.bindings.first?.onDrift == configuration.bindings.first?.onDrift)
    }

    // MARK: - Examples of parameters

    @Test(arguments: [
        ("{type: Int, example: 3}", "3"), ("{type: String, example: 3}", "\"3\""),
        ("{type: [String], example: [a, b]}", "[\"a\",\"b\"]"), ("{type: red | green, example: red}", "\"red\""),
        ("{type: Int, default: 1, example: 7}", "7"),
    ])
    func readsExamples(_ parameter: String, _ json: String) {
        let configuration = Self.bench("params: {limit: \(parameter)}").configuration()
        #expect(configuration.bindings.first?.parameters.first?.exampleJSON == json)
        let again = Bench(Explain.yaml(configuration)).configuration()
        #expect(again.bindings.first?.parameters == configuration.bindings.first?.parameters)
    }

    @Test(arguments: [
        ("{type: Int, example: many}", "the example is not of its type"),
        ("{fixed: 1, example: 2}", "no client sets a fixed value"),
    ])
    func refusesExamples(_ parameter: String, _ message: String) {
        let mistakes = Self.bench("params: {limit: \(parameter)}").load().mistakes
        #expect(mistakes.contains { $0.message.hasPrefix(message) }, "\(mistakes)")
    }
}
