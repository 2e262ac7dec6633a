import SluiceContract
import Testing

@testable import SluiceGateway

/// Lists that are not as usual, answers without content, what is done when something fails later, and what changes
/// around a composed answer while it is made.
@Suite struct CompositionEdgeTests {
    /// With `GET /lists` of any JSON, `GET /pairs` that takes two values, and notes that are made and deleted.
    private static func bench(
        _ parts: KeyValuePairs<String, String>, value: String, key: String = "GET /whole/{id}",
        _ edit: (inout [Binding]) throws -> Void = { _ in }
    ) throws -> ComposedBench {
        let bench = try ComposedBench(parts, value: value, key: key) { bindings in
            let whole = bindings.removeLast()
            bindings += [
                try Build.binding("GET /lists", to: "fruit /lists", value: "JSON"),
                try Build.binding("GET /pairs", to: "fruit /pairs", value: "JSON") {
                    $0.parameters = [try Build.parameter("a", "String?"), try Build.parameter("b", "String?")]
                },
                try Build.binding("POST /notes", to: "fruit /notes", value: "Int") { $0.body = .json(.scalar(.json)) },
                try Build.binding("DELETE /notes/{id}", to: "fruit /notes/{id}") {
                    $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                },
                whole,
            ]
            try edit(&bindings)
        }
        bench.know()
        return bench
    }

    private static let pairs: KeyValuePairs = [
        "list": "GET /lists", "pairs": "GET /pairs?a={x.a}&b={x.b} each list.items as x",
    ]

    @Test(arguments: ["null", "[]", "[ ]"])
    func aListOfNothingIsAsked(_ list: String) throws {
        let bench = try Self.bench(Self.pairs, value: "{pairs: JSON}")
        bench.answers["/v1/lists"] = #"{"items":\#(list)}"#
        #expect(try bench.get("/whole/7").text == #"{"pairs":[]}"#)
        #expect(bench.asked == ["/v1/lists"])
        bench.bench.expectQuiet()
    }

    @Test func aListThatIsAbsentHasNoElements() throws {
        let bench = try Self.bench(Self.pairs, value: "{pairs: JSON}")
        bench.answers["/v1/lists"] = "{}"
        #expect(try bench.get("/whole/7").text == #"{"pairs":[]}"#)
    }

    @Test(arguments: ["7", #"{"a":"1"}"#, #""text""#])
    func whatIsNoListIsAProblem(_ list: String) throws {
        let bench = try Self.bench(Self.pairs, value: "{pairs: JSON}")
        bench.answers["/v1/lists"] = #"{"items":\#(list)}"#
        let answer = try bench.get("/whole/7")
        #expect(answer.status == 502)
        #expect(answer.text.contains("'list.items' is no list."))
        #expect(answer.text.contains(#""part":"pairs""#))
        bench.bench.expectQuiet()
    }

    /// An element without a value does not get that of the next one.
    @Test func valuesOfAnElementStayTogether() throws {
        let bench = try Self.bench(Self.pairs, value: "{pairs: JSON}")
        bench.answers["/v1/lists"] = #"{"items":[{"a":"1"},{"b":"2"},{"a":"3","b":"4"},{"a":null},{}]}"#
        for target in ["?a=1", "?b=2", "?a=3&b=4", ""] { bench.answers["/v1/pairs" + target] = #"{"of":"\#(target)"}"# }
        #expect(
            try bench.get("/whole/7").text
                == #"{"pairs":[{"of":"?a=1"},{"of":"?b=2"},{"of":"?a=3&b=4"},{"of":""},{"of":""}]}"#)
        bench.bench.expectQuiet()
    }

    /// One value of a part lies in another that is taken, too.
    @Test func aPartAndAValueOfItAreBothTaken() throws {
        let bench = try Self.bench(
            [
                "list": "GET /lists", "pairs": "GET /pairs?a={list.items[0]}&b={list.first}",
                "each": "GET /pairs?a={x} each list.items as x", "note": "POST /notes body list",
            ], value: "{note: Int}", key: "POST /whole/{id}")
        bench.answers["/v1/lists"] = #"{"items":["p","q"],"first":"r"}"#
        for target in ["?a=p&b=r", "?a=p", "?a=q"] { bench.answers["/v1/pairs" + target] = "1" }
        bench.answers["/v1/notes"] = "9"
        let client = bench.bench.client()
        client.request("POST", "/whole/7", type: "application/json", body: "{}")
        bench.answerAll()
        #expect(client.answers.first?.text == #"{"note":9}"#)
        let sent = bench.bench.origins.flatMap(\.requests).first { $0.target == "/v1/notes" }
        #expect(sent?.text == #"{"items":["p","q"],"first":"r"}"#)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func aPartWithoutContentIsNull() throws {
        let bench = try Self.bench(["gone": "DELETE /notes/{id}"], value: "{gone: JSON}", key: "POST /whole/{id}")
        let client = bench.bench.client()
        client.request("POST", "/whole/7", type: "application/json", body: "{}")
        let origin = try #require(bench.open.first?.origin)
        origin.send("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(client.answers.first?.text == #"{"gone":null}"#)
        client.reset()
        bench.bench.expectQuiet()
    }

    /// Of what passes untouched the status alone says how it went.
    @Test(arguments: [(200, 200), (299, 200), (300, 502), (399, 502), (400, 400), (503, 503)])
    func aPartThatPassesIsJudgedByItsStatus(_ status: Int, _ expected: Int) throws {
        let bench = try Self.bench(["gone": "DELETE /notes/{id}"], value: "{gone: JSON}", key: "POST /whole/{id}")
        let client = bench.bench.client()
        client.request("POST", "/whole/7", type: "application/json", body: "{}")
        let origin = try #require(bench.open.first?.origin)
        origin.send("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
        let answer = try #require(client.answers.first)
        #expect(answer.status == expected)
        if expected == 200 {
            #expect(answer.text == #"{"gone":null}"#)
        } else {
            #expect(answer.text.contains("'gone' was answered with status \(status)."))
            #expect(answer.text.contains(#""part":"gone""#))
        }
        client.reset()
        bench.bench.expectQuiet()
    }

    /// What has come of it before it broke off is no value, though its head was a good one.
    @Test(arguments: [false, true])
    func aPartThatIsCutShortIsAProblem(byReset: Bool) throws {
        let bench = try Self.bench(["list": "GET /lists"], value: "{list: JSON}") { bindings in
            guard let index = bindings.firstIndex(where: { $0.name == "GET /lists" }) else { return }
            bindings[index].holdBytes = 0
        }
        let client = bench.bench.client()
        client.request("GET", "/whole/7")
        let origin = try #require(bench.open.first?.origin)
        origin.send("HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\n[1,2")
        if byReset { origin.reset() } else { origin.endInput() }
        let answer = try #require(client.answers.first)
        #expect(answer.status == 502)
        #expect(answer.text.contains(#""part":"list""#))
        client.reset()
        bench.bench.expectQuiet()
    }

    // MARK: - What is done

    private static let notes: KeyValuePairs = [
        "list": "GET /lists", "notes": "POST /notes each list.items as x body x", "last": "POST /invoices?order={id}",
    ]

    private static func noting(_ list: String) throws -> (ComposedBench, ClientPeer) {
        let bench = try Self.bench(notes, value: "{notes: JSON}", key: "POST /whole/{id}")
        bench.answers["/v1/lists"] = #"{"items":\#(list)}"#
        bench.answers["/v1/notes"] = "1"
        bench.answers["/v1/invoices?order=7"] = "500 broken"
        let client = bench.bench.client()
        client.request("POST", "/whole/7", type: "application/json", body: "{}")
        return (bench, client)
    }

    @Test func changesOfAListAreMadeOneAfterTheOther() throws {
        let (bench, client) = try Self.noting(#"["a","b","b"]"#)
        bench.answerOnce()
        for text in [#""a""#, #""b""#, #""b""#] {
            #expect(bench.open.map(\.target) == ["/v1/notes"])
            #expect(bench.open.first?.origin.requests.last?.text == text)
            bench.answerOnce()
        }
        bench.answerAll()
        #expect(client.answers.first?.text.contains(#""done":["notes"]"#) == true)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func elementsThatAreDoneAreNamed() throws {
        let (bench, client) = try Self.noting(#"["a","b"]"#)
        bench.answerOnce()
        bench.answerOnce()
        bench.answers["/v1/notes"] = "500 broken"
        bench.answerAll()
        let text = client.answers.first?.text ?? ""
        #expect(text.contains(#""part":"notes[1]""#))
        #expect(text.contains(#""done":["notes[0]"]"#))
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func whatIsDoneIsToldWhenTimeIsOver() throws {
        let (bench, client) = try Self.noting(#"["a"]"#)
        bench.answerOnce()
        bench.answerOnce()
        #expect(bench.open.map(\.target) == ["/v1/invoices?order=7"])
        bench.bench.advance(by: UpstreamTimeouts().total + .milliseconds(10))
        let text = client.answers.first?.text ?? ""
        #expect(text.contains(#""part":"last""#))
        #expect(text.contains(#""done":["notes"]"#))
        #expect(text.contains(#""retryable":false"#))
        client.reset()
        bench.bench.expectQuiet()
    }

    // MARK: - Meanwhile

    /// What has begun goes on with the bindings that it began with.
    @Test func aReloadChangesNothingOfWhatIsUnderWay() throws {
        let bench = try Self.bench(
            ["user": "GET /users/{id}", "weather": "GET /weather/{user.city}"], value: "{weather: Int}")
        let client = bench.bench.client()
        client.request("GET", "/whole/7")
        #expect(bench.open.count == 1)
        let other = try Build.binding("GET /other", to: "fruit /other", value: "Int")
        bench.bench.replace(try RouteTable(Build.configuration([other])))
        bench.answerAll()
        #expect(client.answers.first?.text == #"{"weather":21}"#)
        client.request("GET", "/whole/7")
        #expect(client.answers.last?.status == 404)
        client.reset()
        bench.bench.expectQuiet()
    }

    /// Each answer begins while the objects of the last one are given back.
    @Test func requestsOfOneConnectionFollowEachOther() throws {
        let bench = try Self.bench(
            ["user": "GET /users/{id}", "weather": "GET /weather/{user.city}"], value: "{weather: Int}"
        ) { for index in [0, 3] { $0[index].cache = CachePolicy() } }
        bench.fields = "Cache-Control: max-age=60\r\n"
        let client = bench.bench.client()
        for _ in 0..<4 { client.expect("GET") }
        let one = "GET /whole/7 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.request(one + one + one + "GET /users/7 HTTP/1.1\r\nHost: localhost\r\n\r\n" + one)
        bench.answerAll()
        #expect(client.answers.map(\.status) == [200, 200, 200, 200, 200])
        #expect(client.answers.map(\.text).filter { $0 == #"{"weather":21}"# }.count == 4)
        #expect(bench.asked.count == 2)
        client.reset()
        bench.bench.expectQuiet()
    }

    // MARK: - Limits of others

    @Test func aPartCountsAtItsOwnBinding() throws {
        let bench = try Self.bench(["user": "GET /users/{id}"], value: "{user: JSON}") {
            $0[0].rate = RateLimit(1, per: .seconds(60))
        }
        #expect(try bench.get("/whole/7").status == 200)
        let answer = try bench.get("/whole/7")
        #expect(answer.status == 429)
        #expect(answer.text.contains(#""part":"user""#))
        bench.bench.expectQuiet()
    }

    /// Each waits for its place, the whole for none.
    @Test func partsWaitForTheirPlace() throws {
        let bench = try Self.bench(
            ["list": "GET /lists", "pairs": "GET /pairs?a={x} each list.items as x"], value: "{pairs: JSON}"
        ) { bindings in
            guard let index = bindings.firstIndex(where: { $0.name == "GET /pairs" }) else { return }
            bindings[index].concurrency = ConcurrencyLimit(1)
        }
        bench.answers["/v1/lists"] = #"{"items":["1","2","3"]}"#
        for index in 1...3 { bench.answers["/v1/pairs?a=\(index)"] = "\(index)" }
        let client = bench.bench.client()
        client.request("GET", "/whole/7")
        bench.answerOnce()
        #expect(bench.open.map(\.target) == ["/v1/pairs?a=1"])
        bench.answerAll()
        #expect(client.answers.first?.text == #"{"pairs":[1,2,3]}"#)
        client.request("GET", "/whole/7")
        bench.answerOnce()
        client.reset()
        bench.bench.expectQuiet()
    }
}
