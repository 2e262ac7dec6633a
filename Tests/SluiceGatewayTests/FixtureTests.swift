import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// What stands in for an upstream takes the same way as its answers.
@Suite struct FixtureTests {
    private static func bench(
        _ fixture: Fixture?, use: FixtureUse = .all, key: String = "GET /a", value: String? = "[Int]",
        _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        let binding = try Build.binding(key, to: "fruit /a", value: value) {
            $0.fixture = fixture
            try edit(&$0)
        }
        return try Bench(Build.configuration([binding]) { $0.fixtures = use })
    }

    private static func value(_ json: String, _ edit: (inout Fixture) -> Void = { _ in }) -> Fixture {
        var fixture = Fixture(.value(json))
        edit(&fixture)
        return fixture
    }

    @Test func aValueIsServedAsALiveOneIs() throws {
        let fake = try Self.bench(Self.value("[1,2]"))
        let answer = try fake.get("/a")
        #expect(fake.origins.isEmpty)
        let live = try Self.bench(Self.value("[3]"), use: .off)
        let other = try live.get("/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1,2]")
        #expect(answer.text == "[1,2]" && answer.status == 200)
        #expect(answer.text == other.text)
        #expect(Set(answer.fields.map { "\($0)" }) == Set(other.fields.map { "\($0)" }))
    }

    @Test func aHeadHasTheLengthAndNoBody() throws {
        let bench = try Self.bench(Self.value("[1,2]"))
        let client = bench.client()
        client.request("HEAD", "/a")
        let answer = try #require(client.answers.first)
        #expect(answer.value("Content-Length") == "5" && answer.text.isEmpty)
    }

    @Test func parametersAreChecked() throws {
        let bench = try Self.bench(Self.value("[]")) {
            $0.parameters = [try Build.parameter("n", "Int")]
        }
        #expect(try bench.get("/a?n=x").status == 400)
        #expect(try bench.get("/a?n=1").status == 200)
    }

    /// Neither a bearer nor a value from a variable is needed.
    @Test func noSecretIsNeeded() throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "Int") {
            $0.fixture = Self.value("1")
            $0.headers = [HeaderSetting(name: "X-Key", .secret(.env("NOWHERE")))]
        }
        let upstream = Build.upstream { $0.bearer = .env("NONE") }
        let bench = try Bench(Build.configuration([binding], upstreams: [upstream]) { $0.fixtures = .all })
        #expect(try bench.get("/a").text == "1")
    }

    @Test func itTakesItsTime() throws {
        let bench = try Self.bench(Self.value("[]") { $0.after = .seconds(2) })
        let client = bench.client()
        client.request("GET", "/a")
        bench.advance(by: .milliseconds(1900))
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(200))
        #expect(client.answers.first?.status == 200)
    }

    @Test func loadingEndsWithTheTimeoutOfTheBinding() throws {
        let bench = try Self.bench(Fixture(.loading))
        let client = bench.client()
        client.request("GET", "/a")
        bench.advance(by: .seconds(9))
        #expect(client.answers.isEmpty)
        bench.advance(by: .seconds(60))
        #expect(client.answers.first?.status == 504)
        // And one that leaves before leaves nothing behind.
        let other = bench.client()
        other.request("GET", "/a")
        other.reset()
        bench.advance(by: .seconds(60))
        #expect(bench.gateway.counters.exchangesOpen == 0)
    }

    @Test(arguments: Problem.Kind.allCases)
    func everyProblemCanBeHad(_ kind: Problem.Kind) throws {
        let answer = try Self.bench(Fixture(.problem(kind))).get("/a")
        #expect(answer.status == kind.status)
        #expect(answer.text.contains("urn:sluice:problem:\(kind.rawValue)\""))
    }

    /// The rules of the binding hold as they do for an upstream's failure.
    @Test func aDefaultStandsInForAProblem() throws {
        let bench = try Self.bench(Fixture(.problem(.totalTimeout))) { $0.defaultJSON = "[7]" }
        #expect(try bench.get("/a").text == "[7]")
    }

    @Test func anErrorIsTheUpstreams() throws {
        var fixture = Fixture(.content(Array(#"{"message":"no such fruit"}"#.utf8), mediaType: "application/json"))
        fixture.status = 404
        let bench = try Self.bench(fixture) { $0.error = ErrorPaths(message: FieldPath("message")) }
        let answer = try bench.get("/a")
        #expect(answer.status == 404 && answer.text.contains("no such fruit"))
        #expect(answer.text.contains("upstream-error"))
    }

    @Test func contentPassesThrough() throws {
        var fixture = Fixture(.content(Array("<p>".utf8) + [0xFF], mediaType: "text/html"))
        fixture.fields = [HeaderSetting(name: "X-A", value: "b")]
        let answer = try Self.bench(fixture, value: nil).get("/a")
        #expect(answer.value("Content-Type") == "text/html" && answer.value("X-A") == "b")
        #expect(answer.body == Array("<p>".utf8) + [0xFF])
    }

    @Test func aRequestWithABodyIsReadFirst() throws {
        let bench = try Self.bench(Self.value("[1]"), key: "POST /a") { $0.body = .json(try Build.type("Int")) }
        let client = bench.client()
        let head = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        client.request(head + "Content-Length: 2\r\n\r\n4")
        #expect(client.answers.isEmpty)
        client.send("2")
        #expect(client.answers.first?.status == 200)
        client.request("POST", "/a", type: "application/json", body: "\"x\"")
        #expect(client.answers.last?.status == 400)
    }

    /// What does not go out at once waits at the source.
    @Test func aLargeContentGoesByTheReadersPace() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bench = try Self.bench(Fixture(.content(bytes, mediaType: "image/png")), value: nil)
        let client = bench.client()
        client.window = 100_000
        client.request("GET", "/a")
        #expect(client.outboxHighWater < 1 << 20)
        client.take(10_000_000)
        #expect(client.answers.first?.body == bytes)
    }

    @Test func anAnswerIsStored() throws {
        let bench = try Self.bench(Self.value("[1]")) {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        #expect(try bench.get("/a").text == "[1]")
        let second = try bench.get("/a")
        #expect(second.value("Cache-Status")?.contains("hit") == true)
    }

    @Test func generatedValuesFollowTheParameters() throws {
        let bench = try Self.bench(nil) {
            $0.value = .object(
                ObjectType(fields: [.init(name: "name", type: .scalar(.string)), .init(name: "n", type: .scalar(.int))])
            )
            $0.parameters = [try Build.parameter("n", "Int")]
        }
        let answers = try (0..<10).map { try bench.get("/a?n=\($0)").text }
        #expect(Set(answers).count > 3)
        #expect(try (0..<10).map { try bench.get("/a?n=\($0)").text } == answers)
    }

    /// `value: {200: T, 404: JSON}`: of the type of a success, with its status.
    @Test(
        arguments: [
            ([200: "Int", 404: "JSON"], 200), ([201: "Int", 200: "String"], 200), ([202: "Int", 201: "Int"], 201),
            ([404: "Int"], 501),
        ] as [([Int: String], Int)])
    func typesByStatusAreEnough(types: [Int: String], status: Int) throws {
        let bench = try Self.bench(nil, value: nil) { $0.valueByStatus = try types.mapValues(Build.type) }
        let answer = try bench.get("/a")
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.text.contains("no-fixture") == (status == 501))
        #expect(bench.origins.isEmpty)
    }

    @Test func whatHasNoTypeNeedsAFixture() throws {
        let answer = try Self.bench(nil, value: nil).get("/a")
        #expect(answer.status == 501 && answer.text.contains("no-fixture"))
    }

    @Test(arguments: Array(200...599))
    func everyStatusCanBeHad(_ status: Int) throws {
        var fixture = Fixture(.content(Array("x".utf8), mediaType: "text/plain"))
        fixture.status = status
        for method in ["GET", "HEAD"] {
            let bench = try Self.bench(fixture, key: "ANY /a", value: nil)
            let client = bench.client()
            client.request(method, "/a")
            let answer = try #require(client.answers.first)
            #expect(answer.status == status)
            let isEmpty = method == "HEAD" || [204, 304].contains(status)
            #expect(answer.text == (isEmpty ? "" : "x"))
        }
    }

    /// A redirect to itself is followed as often as any other.
    @Test func aRedirectThatIsFollowedComesToAnEnd() throws {
        var fixture = Fixture(.content([], mediaType: ""))
        fixture.status = 302
        fixture.fields = [HeaderSetting(name: "Location", value: "/v1/a")]
        let bench = try Self.bench(fixture, value: nil) { $0.follow = .sameOrigin }
        #expect(try bench.get("/a").status == 302)
        #expect(bench.gateway.counters.exchangesOpen == 0)
    }

    // MARK: - Names

    @Test func aRequestChooses() throws {
        let bench = try Self.bench(Self.value("[1]")) {
            $0.fixtures = [
                NamedFixture("empty", Self.value("[]")), NamedFixture("broken", Fixture(.problem(.unreachable))),
            ]
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        for _ in 0..<2 {
            let usual = try bench.get("/a")
            #expect(usual.text == "[1]" && usual.value("Preference-Applied") == nil)
            #expect(usual.value("Vary")?.contains("Prefer") == true)
            let empty = try bench.get("/a", "Prefer: respond-async, example=empty; x=y")
            #expect(empty.text == "[]" && empty.value("Preference-Applied") == "example=empty")
            #expect(try bench.get("/a", #"Prefer: example="broken""#).status == 502)
        }
        let unknown = try bench.get("/a", "Prefer: example=full")
        #expect(unknown.text == "[1]" && unknown.value("Preference-Applied") == nil)
        let strict = try bench.get("/a", "Prefer: example=full", "Prefer: handling=strict")
        #expect(strict.status == 400 && strict.text.contains("broken | empty"))
    }

    @Test func nobodyChoosesWhereFixturesAreNotInUse() throws {
        let bench = try Self.bench(nil, use: .off) { $0.fixtures = [NamedFixture("empty", Self.value("[]"))] }
        let answer = try bench.get(
            "/a", "Prefer: example=empty", answer: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[9]")
        #expect(answer.text == "[9]" && answer.value("Preference-Applied") == nil && answer.value("Vary") == nil)
    }

    // MARK: - Where the upstream cannot be reached

    @Test func theUpstreamIsAskedFirst() throws {
        let bench = try Self.bench(Self.value("[1]"), use: .missing)
        let live = try bench.get("/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[9]")
        #expect(live.text == "[9]" && live.value("Cache-Control") == nil)
        // What it says is its answer, be it an error.
        #expect(try bench.get("/a", answer: "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n").status == 500)
    }

    @Test func itStandsInForWhoIsNotThere() throws {
        let bench = try Self.bench(Self.value("[1]"), use: .missing)
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().refuse()
        #expect(client.answers.first?.text == "[1]")
        #expect(client.answers.first?.value("Cache-Control") == "no-store")
    }

    /// The name that was applied is what answers.
    @Test func whoChoosesGetsItThoughTheUpstreamIsThere() throws {
        let bench = try Self.bench(nil, use: .missing) { $0.fixtures = [NamedFixture("empty", Self.value("[]"))] }
        let chosen = try bench.get("/a", "Prefer: example=empty")
        #expect(chosen.text == "[]" && chosen.value("Preference-Applied") == "example=empty")
        #expect(bench.origins.isEmpty)
        #expect(try bench.get("/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[9]").text == "[9]")
    }

    /// Without a credential nobody is asked; and what waited for one is forgotten.
    @Test func itStandsInForACredential() throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "[Int]") {
            $0.fixture = Self.value("[1]") { $0.after = .seconds(12) }
        }
        let upstream = Build.upstream { $0.bearer = .env("NONE") }
        let bench = try Bench(Build.configuration([binding], upstreams: [upstream]) { $0.fixtures = .missing })
        let client = bench.client()
        client.request("GET", "/a")
        bench.advance(by: .seconds(50))
        #expect(client.answers.first?.text == "[1]")
        #expect(bench.origins.isEmpty)
    }

    @Test func aFixtureThatFailsIsNoCircle() throws {
        let bench = try Self.bench(Fixture(.problem(.connectionRefused)), use: .missing)
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().refuse()
        #expect(client.answers.first?.status == 502)
    }
}

extension Message {
    fileprivate func value(_ name: String) -> String? { values(name).first }
}
