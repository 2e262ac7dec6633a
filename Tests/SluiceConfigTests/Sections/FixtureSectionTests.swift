import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct FixtureSectionTests {
    private static let fruit = "{name: String, size: Int = 3, tags: [String], at?: Date(seconds) -> Date}"

    private static func binding(_ fixture: String, value: String? = fruit) -> Bench {
        let value = value.map { "value: \($0), " } ?? ""
        return SluiceConfigTests.fruit("GET /a: {to: fruit /a, \(value)\(fixture)}")
    }

    private static func fixture(_ text: String, value: String? = fruit) -> Fixture? {
        binding("fixture: \(text)", value: value).configuration().bindings.first?.fixture
    }

    /// What is left out and has a default is in what is served.
    @Test func provesAValue() {
        #expect(
            Self.fixture("{value: {name: fig, tags: [no, 1]}}")?.answer
                == .value(#"{"name":"fig","tags":["no","1"],"size":3}"#))
        #expect(
            Self.fixture("{value: {name: fig, tags: [], size: 1, at: '2026-01-31T12:00:00Z'}, after: 2s}")?.after
                == .seconds(2))
    }

    @Test(arguments: [
        ("loading", Fixture.Answer.loading), ("generate", .generate(seed: 1)), ("{generate: 7}", .generate(seed: 7)),
        ("{generate: true}", .generate(seed: 1)), ("{problem: timeout}", .problem(.totalTimeout)),
        ("{problem: name-not-found}", .problem(.nameNotFound)),
        ("{status: 404}", .content([], mediaType: "")),
        ("{status: 404, body: {a: 1}}", .content(Array(#"{"a":1}"#.utf8), mediaType: "application/json")),
        ("{status: 500, body: no}", .content(Array("no".utf8), mediaType: "text/plain; charset=utf-8")),
    ])
    func readsEachKind(_ text: String, _ answer: Fixture.Answer) {
        #expect(Self.fixture(text)?.answer == answer)
    }

    @Test func readsFiles() throws {
        var bench = Self.binding("fixture: {file: fruit.json}")
        bench.files["/etc/sluice/fruit.json"] = .init(text: #"{"name":"fig", "size":1, "tags":[]}"#)
        let fixture = try #require(bench.configuration().bindings.first?.fixture)
        #expect(fixture.answer == .value(#"{"name":"fig", "size":1, "tags":[]}"#))
        #expect(fixture.file == "/etc/sluice/fruit.json")
        var plain = Self.binding("fixture: {file: a.html}", value: nil)
        plain.files["/etc/sluice/a.html"] = .init(text: "<p>")
        #expect(
            plain.configuration().bindings.first?.fixture?.answer
                == .content(Array("<p>".utf8), mediaType: "text/html; charset=utf-8"))
        #expect(
            Self.binding("fixture: {file: none.json}").mistakes.first?.contains("cannot be read") == true)
    }

    /// A value in a file has a line and a column there.
    @Test func tellsWhereAFileIsWrong() {
        var bench = Self.binding("fixture: {file: fruit.json}")
        bench.files["/etc/sluice/fruit.json"] = .init(
            text: "{\n  \"name\": \"fig\",\n  \"size\": \"big\", \"tags\": []\n}")
        let mistake = bench.load().mistakes.first?.description ?? ""
        #expect(mistake.contains("at $.size in '/etc/sluice/fruit.json', line 3, column 11"), "\(mistake)")
        #expect(mistake.contains("expected Int"), "\(mistake)")
    }

    @Test(arguments: [
        ("{value: {name: fig, tags: [], size: big}}", "the fixture is not of its type: the text 'big'"),
        ("{value: {name: fig}}", "the fixture is not of its type: it lacks 'tags'"),
        ("{value: {}, problem: timeout}", "the fixture answers twice"),
        ("{after: 2s}", "the fixture answers nothing"),
        ("{problem: tiemout}", "the text 'tiemout' is not known here"),
        ("{status: 999}", "999 is no status of an answer"),
        ("{status: 404, value: {}}", "an answer of status 404 has no type here"),
        ("{body: {a: 1}}", "an answer of status 200 is of type"),
        ("{status: 404, headers: {Transfer-Encoding: chunked}}", "field 'Transfer-Encoding' cannot be set here"),
        ("{generate: -1}", "-1 is no seed"), ("fig", "the text 'fig' is no fixture"),
        ("lodaing", "the text 'lodaing' is no fixture"),
    ])
    func refusesWhatIsWrong(_ text: String, _ message: String) {
        let mistakes = Self.binding("fixture: \(text)").load().mistakes
        #expect(mistakes.contains { $0.message.hasPrefix(message) }, "\(mistakes)")
    }

    /// A wrong fixture hides neither the next one nor those of other bindings.
    @Test func tellsEveryWrongFixture() {
        let mistakes = SluiceConfigTests.fruit(
            """
            GET /a: {to: fruit /a, value: Int, fixture: {value: x}, fixtures: {one: {value: y}, two: {value: 2}}}
            GET /b: {to: fruit /b, value: Int, fixtures: {three: {value: z}}}
            """
        ).load().mistakes.map(\.message)
        #expect(mistakes == ["x", "y", "z"].map { "the fixture is not of its type: the text '\($0)'" })
    }

    @Test func pointsAtTheValue() {
        let bench = SluiceConfigTests.fruit(
            "GET /a:\n    to: fruit /a\n    value: '[Int]'\n    fixture:\n      value: [1, x, 3]")
        let mistake = bench.load().mistakes.first
        #expect(mistake?.message == "the fixture is not of its type: the text 'x'")
        let line = bench.yaml.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
            $0.contains("[1, x, 3]")
        }
        #expect(mistake?.line == line.map { $0 + 1 })
        #expect(mistake.map { $0.column } == 20)
    }

    @Test func readsNames() {
        let bindings = Self.binding("fixtures: {empty: {value: {name: '', tags: []}}, slow: loading}")
            .configuration().bindings
        #expect(bindings.first?.fixtures.map(\.name) == ["empty", "slow"])
        #expect(bindings.first?.usualFixture?.answer == .value(#"{"name":"","tags":[],"size":3}"#))
        let wrong = Self.binding("fixtures: {'a b': loading}").load().mistakes
        #expect(wrong.map(\.message) == ["'a b' cannot be asked for as Prefer: example=NAME"])
    }

    @Test func noTypeIsNothingToGenerate() {
        let mistakes = Self.binding("fixture: generate", value: nil).load().mistakes
        #expect(mistakes.map(\.message) == ["there is no type to make a value of"])
    }

    @Test func noFixtureSpeaksWebSocket() {
        let mistakes = Self.binding("upgrade: websocket, fixture: loading", value: nil).load().mistakes
        #expect(mistakes.map(\.message) == ["no fixture speaks websocket"])
    }

    /// What is explained is read as the same.
    @Test(arguments: [
        "loading", "generate", "{generate: 5, after: 250ms}", "{problem: type-mismatch}",
        "{value: {name: fig, tags: [a]}, status: 201, headers: {X-A: b}}", "{status: 404, body: 'no: such'}",
        "{status: 503}",
    ])
    func explainsWhatItReads(_ text: String) {
        let configuration = Self.binding("fixture: \(text)").configuration()
        let again = Bench(Explain.yaml(configuration)).configuration()
        #expect(again.bindings.first?.fixture == configuration.bindings.first?.fixture)
    }

    // MARK: - Without a type of its own

    private static func composed(_ fixture: String) -> Bench {
        SluiceConfigTests.fruit(
            """
            GET /a: {to: fruit /a, value: Int}
            GET /b: {to: fruit /b, value: {name: String}}
            GET /all: {parts: {a: GET /a, b: GET /b}, \(fixture)}
            """)
    }

    /// What a composed binding answers follows from its parts, and so do its fixtures.
    @Test func aCompositionHasFixturesOfItsPartsTypes() throws {
        var bench = Self.composed(
            "fixture: {value: {a: 1, b: {name: fig}}}, fixtures: {made: generate, file: {file: all.json}}")
        bench.files["/etc/sluice/all.json"] = .init(text: #"{"a":2,"b":{"name":"pear"}}"#)
        #expect(bench.mistakes == [])
        let binding = try #require(bench.configuration().bindings.last)
        #expect(binding.fixture?.answer == .value(#"{"a":1,"b":{"name":"fig"}}"#))
        #expect(
            binding.fixtures.map(\.fixture.answer)
                == [.generate(seed: 1), .value(#"{"a":2,"b":{"name":"pear"}}"#)])
    }

    @Test(arguments: [
        ("fixture: {value: {a: x, b: {name: fig}}}", "the fixture is not of its type"),
        ("fixtures: {none: {body: {a: 1}}}", "an answer of status 200 is of type"),
        ("fixture: {status: 404, value: {a: 1}}", "an answer of status 404 has no type here"),
    ])
    func aFixtureOfACompositionIsProven(_ fixture: String, _ message: String) {
        let mistakes = Self.composed(fixture).mistakes
        #expect(mistakes.count == 1 && mistakes[0].contains(message), "\(mistakes)")
    }
}
