import SluiceContract
import Testing

@testable import SluiceGateway

/// Several pages of an upstream's list in one answer.
@Suite struct PageGatheringTests {
    static func bench(
        _ way: PagePolicy.Way, _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "[Int]") {
            $0.parent = FieldPath("v")
            $0.pages = PagePolicy(way)
            $0.unknownParameters = .pass
            try edit(&$0)
        }
        return try Bench(Build.configuration([binding]))
    }

    static func cursor() throws -> PagePolicy.Way {
        .cursor(try #require(FieldPath("m.next")), parameter: "c")
    }

    /// Lets the origin answer one page after the other.
    static func gather(
        _ bench: Bench, asking target: String = "/a", pieces: Int = .max, pages: [(fields: String, body: String)]
    ) throws -> (answer: Message, targets: [String]) {
        let client = bench.client()
        client.request("GET", target)
        for page in pages {
            try bench.origin().send(FetchAnswerTests.json(page.body, page.fields), inPiecesOf: pieces)
        }
        bench.expectQuiet()
        return (try #require(client.answers.first), bench.origins.flatMap(\.requests).map(\.target))
    }

    static func gather(
        _ bench: Bench, asking target: String = "/a", pieces: Int = .max, _ bodies: String...
    ) throws -> (answer: Message, targets: [String]) {
        try gather(bench, asking: target, pieces: pieces, pages: bodies.map { ("", $0) })
    }

    @Test(arguments: [1, 7, .max], [1 << 20, 5, 0])
    func pagesBecomeOneArray(pieces: Int, hold: Int) throws {
        let bench = try Self.bench(Self.cursor()) { $0.holdBytes = hold }
        let (answer, targets) = try Self.gather(
            bench, asking: "/a?x=1", pieces: pieces, #"{"v": [1, 22], "m": {"next": "b c"}}"#,
            #"{"m": {"next": "d&"}, "v": [ ]}"#, #"{"v": [ 3 ,4], "m": {"next": null}}"#)
        #expect(answer.status == 200 && answer.isComplete)
        #expect(answer.text == "[1, 22,3 ,4]")
        #expect(targets == ["/v1/a?x=1", "/v1/a?x=1&c=b%20c", "/v1/a?x=1&c=d%26"])
    }

    /// As Stripe has it: the next page begins behind the last item of this one.
    @Test(arguments: [1, 7, .max], [1 << 20, 5])
    func theLastItemIsTheCursor(pieces: Int, hold: Int) throws {
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.value = .array(.object(ObjectType(fields: [.init(name: "id", type: .scalar(.string))])))
            $0.parent = FieldPath("data")
            let last = try #require(FieldPath("data[-1].id"))
            $0.pages = PagePolicy(.cursor(last, parameter: "starting_after"))
            $0.pages?.ending = .more(try #require(FieldPath("has_more")))
            $0.unknownParameters = .pass
            $0.holdBytes = hold
        }
        let (answer, targets) = try Self.gather(
            Bench(Build.configuration([binding])), pieces: pieces,
            #"{"data": [{"id":"a"},{"id":"b"}], "has_more": true}"#, #"{"has_more": true, "data": [{"id":"c"}]}"#,
            #"{"has_more": false, "data": [{"id":"d"}]}"#)
        #expect(answer.text == #"[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]"#)
        #expect(targets == ["/v1/a", "/v1/a?starting_after=b", "/v1/a?starting_after=c"])
    }

    @Test(arguments: [#"{"v": [1]}"#, #"{"v": [1], "m": {"next": ""}}"#, #"{"v": [1], "m": null}"#])
    func onePageIsAListToo(body: String) throws {
        let (answer, targets) = try Self.gather(Self.bench(Self.cursor()), body)
        #expect(answer.text == "[1]")
        #expect(targets.count == 1)
    }

    @Test func nothingIsAListToo() throws {
        let (answer, _) = try Self.gather(Self.bench(Self.cursor()), #"{"v": []}"#)
        #expect(answer.text == "[]" && answer.isComplete)
    }

    @Test func linksAreFollowed() throws {
        let next = "Link: </v1/a?p=0>; rel=\"prev\", <http://fruit.example/v1/a?p=2>; rel=\"last next\"\r\n"
        let (answer, targets) = try Self.gather(
            Self.bench(.link), pages: [(next, #"{"v": [1]}"#), ("Link: <x>; rel=first\r\n", #"{"v": [2]}"#)])
        #expect(answer.text == "[1,2]")
        #expect(answer["Link"] == nil)
        #expect(targets == ["/v1/a", "/v1/a?p=2"])
    }

    @Test(
        arguments: [
            ("/v1/b?x=1", "/v1/b?x=1"), ("?p=2", "/v1/a?p=2"), ("https://fruit.example/v1/a", nil), ("/v2/a", nil),
            ("//other.example/v1/a", nil), ("/v1/../a", nil), ("/v1/a", nil), ("/v10/a", nil),
        ] as [(String, String?)])
    func aURLStaysInItsAPI(url: String, target: String?) throws {
        let bench = try Self.bench(.url(#require(FieldPath("n"))))
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().answer(json: #"{"v": [1], "n": "\#(url)"}"#)
        guard let target else {
            #expect(client.answers.first?.status == 502)
            #expect(client.answers.first?.text.contains("bad-page") == true)
            return bench.expectQuiet()
        }
        #expect(try bench.forwarded().target == target)
        try bench.origin().answer(json: #"{"v": [2]}"#)
        #expect(client.answers.first?.text == "[1,2]")
    }

    @Test(
        arguments: [
            ("/a", ["", "?s=2", "?s=4"]), ("/a?s=7", ["?s=7", "?s=9", "?s=11"]), ("/a?s=", ["?s=", "?s=2", "?s=4"]),
            ("/a?%73=7", ["?%73=7", "?s=9", "?s=11"]), ("/a?s", ["?s", "?s=2", "?s=4"]),
            ("/a?s=1099511627776", ["?s=1099511627776", "?s=1099511627778", "?s=1099511627780"]),
        ])
    func offsetsGrow(asked: String, queries: [String]) throws {
        let (answer, targets) = try Self.gather(
            Self.bench(.offset(parameter: "s", step: 2)), asking: asked, #"{"v": [1, 2]}"#, #"{"v": [3]}"#,
            #"{"v": []}"#)
        #expect(answer.text == "[1, 2,3]" && answer.isComplete)
        #expect(targets == queries.map { "/v1/a" + $0 })
    }

    /// The pages behind it would be others than those that follow.
    @Test(arguments: ["-1", "1099511627777", "99999999999999999999", "1.5", "x"])
    func aStartThatIsNoneIsRefused(start: String) throws {
        for way in [PagePolicy.Way.page(parameter: "s"), .offset(parameter: "s", step: 2)] {
            let bench = try Self.bench(way)
            let client = bench.client()
            client.request("GET", "/a?s=\(start)")
            let answer = try #require(client.answers.first)
            #expect(answer.status == 400 && answer.text.contains("bad-parameters"), "\(answer.text)")
            #expect(answer.text.contains("a whole number from 0 to 1099511627776"), "\(answer.text)")
            #expect(bench.origins.flatMap(\.requests).isEmpty)
            bench.expectQuiet()
        }
    }

    @Test func numbersGrow() throws {
        let bench = try Self.bench(.page(parameter: "p")) { $0.pages?.ending = .more(try #require(FieldPath("more"))) }
        let (answer, targets) = try Self.gather(
            bench, #"{"v": [1], "more": true}"#, #"{"v": [2], "more": "yes"}"#, #"{"v": [3], "more": false}"#)
        #expect(answer.text == "[1,2,3]")
        #expect(targets == ["/v1/a", "/v1/a?p=2", "/v1/a?p=3"])
    }

    /// The client can tell that something is missing.
    @Test(
        arguments: [
            #"{"v": ["x"]}"#, #"{"v": [2"#, #"{}"#, #"{"v": [2], "m": {"next": "b"}}"#,
            #"{"v": [2], "m": {"next": ["c"]}}"#, #"{"v": [2], "m": 7}"#,
        ])
    func aLateFailureCutsTheAnswer(second: String) throws {
        let (answer, _) = try Self.gather(Self.bench(Self.cursor()), #"{"v": [1], "m": {"next": "b"}}"#, second)
        #expect(answer.status == 200)
        #expect(!answer.isComplete)
        #expect(answer.text == "[1")
    }

    @Test(arguments: [404, 500, 204, 302])
    func aLateErrorCutsTheAnswer(status: Int) throws {
        let bench = try Self.bench(Self.cursor())
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().answer(json: #"{"v": [1], "m": {"next": "b"}}"#)
        try bench.origin().answer(status, "Location: /v1/elsewhere")
        #expect(client.answers.first?.isComplete == false)
        bench.expectQuiet()
    }

    @Test func thereIsALimit() throws {
        let bench = try Self.bench(Self.cursor()) { $0.pages?.limit = 2 }
        let (answer, targets) = try Self.gather(
            bench, #"{"v": [1], "m": {"next": "b"}}"#, #"{"v": [2], "m": {"next": "c"}}"#)
        #expect(!answer.isComplete)
        #expect(targets.count == 2)
    }

    /// All pages are stored as one answer, and it is asked for anew as a whole.
    @Test func whatIsGatheredIsStored() throws {
        let bench = try Self.bench(Self.cursor()) {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        let tag = "ETag: \"one\"\r\n"
        let (answer, _) = try Self.gather(
            bench, pages: [(tag, #"{"v": [1], "m": {"next": "b"}}"#), (tag, #"{"v": [2]}"#)])
        #expect(answer.text == "[1,2]")
        #expect(try bench.get("/a").text == "[1,2]")
        bench.advance(by: .seconds(61))
        let client = bench.client()
        client.request("GET", "/a")
        #expect(try bench.forwarded()["If-None-Match"] == nil)
        #expect(try bench.forwarded().target == "/v1/a")
        try bench.origin().answer(json: #"{"v": [3]}"#)
        #expect(client.answers.first?.text == "[3]")
    }

    /// A stored list is held until all its pages are there, so an error in the place of a page is the answer.
    @Test(arguments: [404, 429, 500, 503])
    func anErrorInThePlaceOfAPageIsTheAnswer(status: Int) throws {
        let bench = try Self.bench(Self.cursor()) {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().answer(json: #"{"v": [1], "m": {"next": "b"}}"#)
        try bench.origin().send(FetchAnswerTests.json("{}", status: status))
        bench.expectQuiet()
        let answer = try #require(client.answers.first)
        #expect(answer.isComplete)
        #expect(answer.status >= 400)
        #expect(answer["Content-Type"] == "application/problem+json")
        // Nothing is stored of it.
        client.request("GET", "/a")
        try bench.origin().answer(json: #"{"v": [2]}"#)
        #expect(client.answers.last?.text == "[2]")
    }

    /// The client of a stored list leaves while the next page waits for a connection, which then goes to the next
    /// request in the queue.
    @Test func aListIsGivenUpInTheQueue() throws {
        let list = try Build.binding("GET /a", to: "fruit /a", value: "[Int]") {
            $0.parent = FieldPath("v")
            $0.pages = PagePolicy(try Self.cursor())
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        let others = try ["POST /b", "GET /c"].map { try Build.binding($0, to: "fruit /\($0.suffix(1))") }
        var configuration = Build.configuration([list] + others)
        configuration.upstreams[0].connectionsMax = 1
        let bench = try Bench(configuration)
        let (leaving, staying) = (bench.client(), bench.client())
        leaving.request("GET", "/a")
        staying.request("POST", "/b", type: "text/plain", body: "one")
        try bench.origin().answer(json: #"{"v": [1], "m": {"next": "b"}}"#)
        leaving.reset()
        try bench.origin().answer(json: #""posted""#)
        #expect(staying.answers.map(\.text) == [#""posted""#])
        staying.request("GET", "/c")
        try bench.origin().answer(json: #""other""#)
        #expect(staying.answers.map(\.text) == [#""posted""#, #""other""#])
        #expect(bench.origins.flatMap(\.requests).map(\.target) == ["/v1/a", "/v1/b", "/v1/c"])
        bench.expectQuiet()
    }

    /// No further page is asked for while the client takes nothing.
    @Test func theClientsPaceIsThatOfThePages() throws {
        let items = Array(repeating: "1", count: 200_000).joined(separator: ",")
        let bench = try Self.bench(Self.cursor())
        let client = bench.client()
        client.window = 0
        client.request("GET", "/a")
        try bench.origin().answer(json: #"{"v": [\#(items)], "m": {"next": "b"}}"#)
        #expect(bench.origins.flatMap(\.requests).count == 1)
        client.take(.max)
        #expect(bench.origins.flatMap(\.requests).count == 2)
        try bench.origin().answer(json: #"{"v": [2]}"#)
        #expect(client.answers.first?.text == "[\(items),2]")
        bench.expectQuiet()
    }
}
