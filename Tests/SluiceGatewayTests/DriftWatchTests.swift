import SluiceContract
import Testing

@testable import SluiceGateway

/// What is noticed beside an answer (``DriftWatch``), and what becomes of one that has drifted (`on-drift:`).
@Suite struct DriftWatchTests {
    private static func bench(_ edit: (inout Binding) throws -> Void) throws -> Bench {
        try Bench(
            Build.configuration(
                [try Build.binding("GET /a", to: "fruit /a", edit)],
                types: [
                    TypeDefinition(name: "Fruit", type: .object(try Build.object(["name": "String", "size": "Int?"])))
                ]
            ))
    }

    private static func found(_ bench: Bench) -> [DriftLedger.Row] { bench.gateway.loop.metrics.registry.drift.all }

    private static func get(_ bench: Bench, _ json: String) throws -> Message {
        try bench.get("/a", answer: FetchAnswerTests.json(json))
    }

    // MARK: - drift:

    /// One answer in a while is looked at; what goes out is the same.
    @Test func newThingsAreNoticedNowAndThen() throws {
        let bench = try Self.bench {
            $0.value = .object(try Build.object(["items": "[Fruit]", "color": "red | green | …"]))
            $0.drift = DriftPolicy()
        }
        let news = #"{"items":[{"name":"fig","kind":1},{"name":"kiwi","kind":2}],"color":"blue","more":[1]}"#
        for _ in 0..<3 { #expect(try Self.get(bench, news).text == news) }
        let found = Self.found(bench)
        #expect(found.map(\.path) == ["$.color", "$.items[].kind", "$.more"])
        #expect(found.map(\.finding.kind) == [.unknownCase, .newKey, .newKey])
        #expect(found.map(\.finding.answers) == [1, 1, 1])
        #expect(found.map(\.finding.count) == [1, 2, 1])
        #expect(found.map(\.finding.proposal) == ["red | green | blue | …", "kind: JSON?", "more: JSON?"])
        bench.advance(by: .seconds(61))
        _ = try Self.get(bench, news)
        #expect(Self.found(bench).map(\.finding.answers) == [2, 2, 2])
        bench.expectQuiet()
    }

    @Test(arguments: [
        ([DriftPolicy.Notice.newKeys], ["$.more"]), ([.unknownCases], ["$.color"]),
    ])
    func onlyWhatIsAskedForIsNoticed(_ notice: [DriftPolicy.Notice], _ paths: [String]) throws {
        let bench = try Self.bench {
            $0.value = .object(try Build.object(["color": "red | …"]))
            $0.drift = DriftPolicy()
            $0.drift?.notice = notice
        }
        _ = try Self.get(bench, #"{"color":"blue","more":1}"#)
        #expect(Self.found(bench).map(\.path) == paths)
    }

    /// Alternatives are told apart by their keys: a new one would make an object none of them.
    @Test func alternativesStayOpen() throws {
        let types = try [("A", "name", "String"), ("B", "size", "Int")].map { name, key, type in
            TypeDefinition(name: name, type: .object(try Build.object([key: type])))
        }
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "[A | B]") { $0.drift = DriftPolicy() }
        let bench = try Bench(Build.configuration([binding], types: types))
        #expect(try Self.get(bench, #"[{"name":"fig","more":1},{"size":3}]"#).status == 200)
        #expect(Self.found(bench).isEmpty)
    }

    /// Types that mention themselves are looked at all the way down.
    @Test func recursiveTypesAreLookedAt() throws {
        let tree = TypeDefinition(
            name: "Tree", type: .object(try Build.object(["name": "String", "branches": "[Tree]?"])))
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "Tree") { $0.drift = DriftPolicy() }
        let bench = try Bench(Build.configuration([binding], types: [tree]))
        let answer = FetchAnswerTests.json(#"{"name":"a","branches":[{"name":"b","age":3}]}"#)
        #expect(try bench.get("/a", answer: answer).status == 200)
        #expect(Self.found(bench).map(\.path) == ["$.branches[].age"])
    }

    /// What has drifted is told by its faults alone.
    @Test func whatHasDriftedIsNotLookedAtFurther() throws {
        let bench = try Self.bench {
            $0.value = .named("Fruit")
            $0.drift = DriftPolicy()
        }
        #expect(try Self.get(bench, #"{"name":1,"more":2}"#).status == 502)
        #expect(Self.found(bench).map(\.finding.kind) == [.fault])
    }

    /// Neither under a name that sounds like a credential's, nor what looks like anybody's words.
    @Test func casesAreNamedWhereTheyLookLikeNames() throws {
        let bench = try Self.bench {
            $0.value = .object(try Build.object(["color": "red | …", "token": "a | …", "note": "b | …"]))
            $0.drift = DriftPolicy()
        }
        _ = try Self.get(bench, #"{"color":"dark-blue","token":"s3cret","note":"it was nice"}"#)
        #expect(Self.found(bench).map(\.finding.cases) == [["dark-blue"], [], []])
        #expect(!"\(Self.found(bench))".contains("s3cret") && !"\(Self.found(bench))".contains("nice"))
    }

    // MARK: - on-drift: pass

    /// The same goes out held and streamed, of its type and not.
    @Test(arguments: [1 << 20, 0, 10], [1, 7, Int.max])
    func whatHasDriftedPasses(hold: Int, pieces: Int) throws {
        for json in [#"[{"name":"fig","size":1}, {"name":7}]"#, #"[{"name":"fig"}]"#, #"{"other": "thing"}"#] {
            let bench = try Self.bench {
                $0.value = .array(.named("Fruit"))
                $0.onDrift = .pass
                $0.holdBytes = hold
            }
            let client = bench.client()
            client.request("GET", "/a")
            try bench.origin().send(FetchAnswerTests.json(json), inPiecesOf: pieces)
            #expect(client.answers.first?.text == json)
            #expect(client.answers.first?.status == 200 && client.answers.first?.isComplete == true)
            bench.expectQuiet()
        }
    }

    @Test func whatPassesIsCounted() throws {
        let bench = try Self.bench {
            $0.value = .array(.named("Fruit"))
            $0.onDrift = .pass
        }
        _ = try Self.get(bench, #"[{"name":"fig"}]"#)
        _ = try Self.get(bench, #"[{"name":"fig"},{"name":1},{"name":2}]"#)
        let found = try #require(Self.found(bench).first)
        #expect(found.path == "$[].name" && found.finding.count == 2 && found.finding.answers == 1)
        #expect(Self.found(bench).count == 1)
    }

    /// What is of its type is no less so because something else might pass.
    @Test(
        arguments: ["{}", #"{"data":null}"#, #"{"data":{"id":null}}"#],
        [TypeExpression.optional(.scalar(.string)), .named("Maybe")])
    func whatMayBeAbsentMayBe(_ json: String, _ type: TypeExpression) throws {
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.parent = FieldPath("data.id")
            $0.value = type
            $0.onDrift = .pass
        }
        let types = [TypeDefinition(name: "Maybe", type: .optional(.scalar(.string)))]
        let bench = try Bench(Build.configuration([binding], types: types))
        let answer = try Self.get(bench, json)
        #expect(answer.status == 200 && answer.text == "null", "\(answer.text)")
        #expect(Self.found(bench).isEmpty)
    }

    /// That it is JSON, and that there is something, is still asked.
    @Test(arguments: [("{}", "missing-value"), (#"{"items":[1"#, "type-mismatch")])
    func nothingPassesAsNothing(_ json: String, _ kind: String) throws {
        let bench = try Self.bench {
            $0.parent = FieldPath("items")
            $0.value = .array(.scalar(.int))
            $0.onDrift = .pass
        }
        let answer = try Self.get(bench, json)
        #expect(answer.status == 502 && answer.text.contains(kind), "\(answer.text)")
    }

    /// Siblings share one plan, in which there is no place for what passes.
    @Test func whatPassesIsAskedForAlone() throws {
        let bindings = try ["a", "b"].map { name in
            try Build.binding("GET /\(name)", to: "fruit /all", value: "Int") {
                $0.parent = FieldPath(name)
                $0.cache = CachePolicy()
                if name == "b" { $0.onDrift = .pass }
            }
        }
        #expect(Build.configuration(bindings).siblingGroups.isEmpty)
    }

    // MARK: - on-drift: default

    @Test(arguments: [
        (DriftAnswer.default, [Binding.ServeRule.fresh, .error], 200), (.fail, [.fresh, .error], 502),
        (.fail, [.fresh, .default, .error], 200),
    ])
    func theDefaultStandsInForDrift(_ answer: DriftAnswer, _ serve: [Binding.ServeRule], _ status: Int) throws {
        let bench = try Self.bench {
            $0.value = .scalar(.int)
            $0.defaultJSON = "42"
            $0.serve = serve
            $0.onDrift = answer
        }
        #expect(try Self.get(bench, "\"x\"").status == status)
        // Other failures are none of its business.
        let failed = try bench.get("/a", answer: FetchAnswerTests.json("{}", status: 503))
        #expect(failed.status == (serve.contains(.default) ? 200 : 503))
    }

    /// RFC 7240 §4.4.
    @Test func whoIsStrictHearsOfTheError() throws {
        let bench = try Self.bench {
            $0.value = .scalar(.int)
            $0.defaultJSON = "42"
        }
        let answer = try bench.get("/a", "Prefer: handling=strict", answer: FetchAnswerTests.json("\"x\""))
        #expect(answer.status == 502)
        #expect(try Self.get(bench, "\"x\"").status == 200)
    }

    // MARK: - The log

    @Test func theLogIsToldOnceInAWhile() throws {
        let bench = try Self.bench { $0.value = .array(.scalar(.int)) }
        var told: [DriftNews] = []
        bench.gateway.notice = { if case .drift(let news) = $0 { told.append(news) } }
        for _ in 0..<3 { _ = try Self.get(bench, #"[1,"s3cret"]"#) }
        #expect(told.map(\.path) == ["$[]"] && told.first?.found == "string \"a0aaaa\"")
        #expect(told.first?.binding == "GET /a" && told.first?.declared == "Int" && told.first?.count == 1)
        bench.gateway.date = Array("Sun, 06 Nov 1994 08:50:37 GMT".utf8)
        _ = try Self.get(bench, #"[1,"s3cret"]"#)
        #expect(told.map(\.count) == [1, 3])
    }
}
