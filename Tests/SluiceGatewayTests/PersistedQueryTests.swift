import SluiceContract
import Testing

@testable import SluiceGateway

/// Queries that are sent by their digest, or by an identifier.
@Suite struct PersistedQueryTests {
    private static let query = "query($n: Int) { a }"
    private static let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"DIGEST"}}"#
    private static let unknown = #"{"errors": [{"message": "PersistedQueryNotFound"}]}"#
    private static let good = #"{"data": {"a": 7}}"#

    private static func bench(
        _ document: GraphQLDocument, _ key: String = "GET /a", to target: String = "fruit POST /g",
        _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        let binding = try Build.binding(key, to: target, value: "Int") {
            $0.graphQL = document
            $0.body = .none
            $0.parent = FieldPath("a")
            $0.parameters = [try Build.parameter("n", "Int?")]
            try edit(&$0)
        }
        return try Bench(Build.configuration([binding]))
    }

    /// - Returns: the answer, and the bodies of all requests, with a word for the digest.
    private static func ask(
        _ bench: Bench, _ answers: String...
    ) throws -> (answer: Message?, bodies: [String]) {
        let before = bench.origins.flatMap(\.requests).count
        let client = bench.client()
        client.request("GET", "/a?n=1")
        for answer in answers { try bench.origin().send(answer) }
        bench.expectQuiet()
        let requests = bench.origins.flatMap(\.requests).dropFirst(before)
        for request in requests where request.method == "POST" {
            #expect(request["Content-Length"] == "\(request.bodyCount)")
            #expect(request.values("Content-Type") == ["application/json"])
        }
        return (client.answers.first, requests.map { shown($0.text) })
    }

    private static func shown(_ text: String) -> String {
        text.replacing(/%22[0-9a-f]{64}/, with: "%22DIGEST").replacing(/[0-9a-f]{64}/, with: "DIGEST")
    }

    private static let short = #"{"extensions":\#(extensions),"variables":{"n":1}}"#
    private static let whole = #"{"query":"query($n: Int) { a }","extensions":\#(extensions),"variables":{"n":1}}"#
    private static let plain = #"{"query":"query($n: Int) { a }","variables":{"n":1}}"#

    @Test func theDigestIsThatOfTheQuery() throws {
        let bench = try Self.bench(.persisted("{__typename}"))
        let client = bench.client()
        client.request("GET", "/a")
        let digest = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"
        #expect(try bench.forwarded().text.contains(#""sha256Hash":"\#(digest)""#))
    }

    @Test func aKnownQueryIsNotSent() throws {
        let (answer, bodies) = try Self.ask(Self.bench(.persisted(Self.query)), FetchAnswerTests.json(Self.good))
        #expect(answer?.text == "7")
        #expect(bodies == [Self.short])
    }

    /// However the server says it.
    @Test(
        arguments: [
            FetchAnswerTests.json(unknown), FetchAnswerTests.json(unknown, status: 400),
            FetchAnswerTests.json(#"{"data": null, "errors": [{"message": "PersistedQueryNotFound"}]}"#),
            FetchAnswerTests.json(
                #"{"errors": [{"message": "what?", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}"#, status: 404
            ),
        ], [1, .max])
    func anUnknownQueryIsSentOnce(refusal: String, pieces: Int) throws {
        let bench = try Self.bench(.persisted(Self.query))
        let client = bench.client()
        client.request("GET", "/a?n=1")
        try bench.origin().send(refusal, inPiecesOf: pieces)
        try bench.origin().send(FetchAnswerTests.json(Self.good))
        #expect(client.answers.first?.text == "7")
        #expect(bench.origins.flatMap(\.requests).map { Self.shown($0.text) } == [Self.short, Self.whole])
        let (_, again) = try Self.ask(bench, FetchAnswerTests.json(Self.good))
        #expect(again == [Self.short])
    }

    /// An error beside data says nothing of the query: it has been executed, and what goes out is not asked for anew.
    @Test(arguments: [0, 1, 1 << 20])
    func whatHasDataIsAskedOnce(hold: Int) throws {
        let bench = try Self.bench(.persisted(Self.query)) {
            $0.value = .scalar(.json)
            $0.holdBytes = hold
        }
        let both = #"{"data": {"a": 777}, "errors": [{"message": "PersistedQueryNotFound"}]}"#
        let (_, bodies) = try Self.ask(bench, FetchAnswerTests.json(both))
        #expect(bodies == [Self.short])
    }

    @Test func aNullBesideTheRefusalIsNoData() throws {
        let bench = try Self.bench(.persisted(Self.query)) {
            $0.value = .scalar(.json)
            $0.parent = nil
            $0.holdBytes = 0
        }
        let refusal = #"{"data": null, "errors": [{"message": "PersistedQueryNotFound"}]}"#
        let (answer, bodies) = try Self.ask(
            bench, FetchAnswerTests.json(refusal), FetchAnswerTests.json(#"{"data": {"a": 7}}"#))
        #expect(bodies == [Self.short, Self.whole])
        #expect(answer?.text == #"{"a": 7}"#)
    }

    @Test func twiceUnknownIsAnError() throws {
        let (answer, bodies) = try Self.ask(
            Self.bench(.persisted(Self.query)), FetchAnswerTests.json(Self.unknown), FetchAnswerTests.json(Self.unknown)
        )
        #expect(answer?.status == 502 && answer?.text.contains("PersistedQueryNotFound") == true)
        #expect(bodies == [Self.short, Self.whole])
    }

    /// A server that keeps no queries is not asked by digests again.
    @Test func digestsMayNotBeSupported() throws {
        let bench = try Self.bench(.persisted(Self.query))
        let (answer, bodies) = try Self.ask(
            bench, FetchAnswerTests.json(#"{"errors": [{"message": "PersistedQueryNotSupported"}]}"#),
            FetchAnswerTests.json(Self.good))
        #expect(answer?.text == "7")
        #expect(bodies == [Self.short, Self.plain])
        #expect(try Self.ask(bench, FetchAnswerTests.json(Self.good)).bodies == [Self.plain])
    }

    @Test func otherErrorsAreErrors() throws {
        let (answer, bodies) = try Self.ask(
            Self.bench(.persisted(Self.query)), FetchAnswerTests.json(#"{"errors": [{"message": "no"}]}"#))
        #expect(answer?.status == 502 && bodies == [Self.short])
    }

    /// Variables that a client sends in its body stay as they are.
    @Test(arguments: [1, .max], [1 << 20, 30])
    func aBodyIsSentAgain(pieces: Int, hold: Int) throws {
        let bench = try Self.bench(.persisted("mutation($n: Int, $s: String) { a }"), "POST /a", to: "fruit /g") {
            $0.body = .json(.scalar(.json))
            $0.parameters = []
            $0.holdBytes = hold
        }
        let text = #"{"n": 1, "s": "01234567890123456789"}"#
        let client = bench.client()
        let head = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        client.request(head + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)", inPiecesOf: pieces)
        let query = #""query":"mutation($n: Int, $s: String) { a }","#
        let rest = #""extensions":\#(Self.extensions),"variables":\#(text)}"#
        // What is not held cannot be sent again, and is sent with the query at once.
        if hold > text.utf8.count { try bench.origin().send(FetchAnswerTests.json(Self.unknown)) }
        try bench.origin().send(FetchAnswerTests.json(Self.good))
        #expect(client.answers.first?.text == "7")
        let bodies = bench.origins.flatMap(\.requests).map { Self.shown($0.text) }
        #expect(bodies == (hold > text.utf8.count ? ["{" + rest] : []) + ["{" + query + rest])
    }

    @Test(arguments: [
        (
            GraphQLDocument.registered(id: "sha256:1\"", member: "documentId"),
            #"{"documentId":"sha256:1\"","variables":{"n":1}}"#
        ),
        (.registered(id: "9", member: "id"), #"{"id":"9","variables":{"n":1}}"#),
        (
            .registered(id: "9", member: "persistedQuery"),
            #"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"9"}},"variables":{"n":1}}"#
        ),
    ])
    func registeredQueriesHaveNames(document: GraphQLDocument, body: String) throws {
        let (answer, bodies) = try Self.ask(Self.bench(document), FetchAnswerTests.json(Self.good))
        #expect(answer?.text == "7")
        #expect(bodies == [body])
        let refused = try Self.ask(Self.bench(document), FetchAnswerTests.json(Self.unknown))
        #expect(refused.answer?.status == 502 && refused.bodies == [body])
    }

    // MARK: - By GET

    private static func requests(
        _ document: GraphQLDocument, asking target: String = "/a?n=1", _ answers: [String],
        _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> (answer: Message?, requests: [Message]) {
        let bench = try bench(document, to: "fruit GET /g", edit)
        let client = bench.client()
        client.request("GET", target)
        for answer in answers { try bench.origin().send(answer) }
        bench.expectQuiet()
        return (client.answers.first, bench.origins.flatMap(\.requests))
    }

    @Test func aGETHasItAllInItsTarget() throws {
        let asked = try Self.requests(.registered(id: "a b", member: "documentId"), [FetchAnswerTests.json(Self.good)])
        #expect(asked.answer?.text == "7")
        #expect(asked.requests.map(\.method) == ["GET"])
        #expect(asked.requests[0].target == "/v1/g?documentId=a%20b&variables=%7B%22n%22%3A1%7D")
        #expect(asked.requests[0].body.isEmpty && asked.requests[0]["Content-Length"] == nil)
        let none = try Self.requests(.query("{ a }"), asking: "/a", [FetchAnswerTests.json(Self.good)])
        #expect(none.requests[0].target == "/v1/g?query=%7B%20a%20%7D")
    }

    @Test func whatADigestDoesNotSayIsPosted() throws {
        let answers = [FetchAnswerTests.json(Self.unknown), FetchAnswerTests.json(Self.good)]
        let asked = try Self.requests(.persisted(Self.query), answers)
        #expect(asked.answer?.text == "7")
        #expect(asked.requests.map(\.method) == ["GET", "POST"])
        #expect(
            Self.shown(asked.requests[0].target)
                == "/v1/g?extensions=%7B%22persistedQuery%22%3A%7B%22version%22%3A1%2C%22sha256Hash%22%3A%22DIGEST%22"
                + "%7D%7D&variables=%7B%22n%22%3A1%7D")
        #expect(asked.requests[1].target == "/v1/g")
        #expect(Self.shown(asked.requests[1].text) == Self.whole)
    }

    /// The next page is asked for by the digest, which is known by then.
    @Test func furtherPagesAreAskedForByTheDigest() throws {
        func page(_ item: Int, _ cursor: String) -> String {
            FetchAnswerTests.json(#"{"data": {"a": [\#(item)], "next": \#(cursor)}}"#)
        }
        let asked = try Self.requests(
            .persisted(Self.query), [FetchAnswerTests.json(Self.unknown), page(1, #""x""#), page(2, "null")]
        ) {
            $0.value = .array(.scalar(.int))
            $0.pages = PagePolicy(.cursor(try #require(FieldPath("next")), parameter: "after"))
        }
        #expect(asked.answer?.text == "[1,2]")
        #expect(asked.requests.map(\.method) == ["GET", "POST", "GET"])
        #expect(asked.requests[2].target.hasSuffix("&variables=%7B%22n%22%3A1%2C%22after%22%3A%22x%22%7D"))
    }

    @Test func aMutationEndsWhatIsStored() throws {
        let asks = try Build.binding("GET /a", to: "fruit GET /g", value: "Int") {
            $0.graphQL = .query("{ a }")
            $0.body = .none
            $0.parent = FieldPath("a")
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        let changes = try Build.binding("POST /a", to: "fruit /g") {
            $0.graphQL = .query("mutation { a }")
            $0.body = .none
        }
        let bench = try Bench(Build.configuration([asks, changes]))
        func count() -> Int { bench.origins.reduce(0) { $0 + $1.requests.count } }
        for _ in 0..<2 { #expect(try bench.get("/a", answer: FetchAnswerTests.json(Self.good)).text == "7") }
        #expect(count() == 1)
        let client = bench.client()
        client.request("POST", "/a")
        try bench.origin().send(FetchAnswerTests.json(Self.good))
        try bench.get("/a", answer: FetchAnswerTests.json(Self.good))
        #expect(count() == 3)
    }

    @Test func whatIsAskedByGETIsStored() throws {
        let bench = try Self.bench(.persisted(Self.query), to: "fruit GET /g") {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        let client = bench.client()
        client.request("GET", "/a?n=1")
        try bench.origin().send(FetchAnswerTests.json(Self.unknown))
        try bench.origin().send(FetchAnswerTests.json(Self.good))
        #expect(client.answers.first?.text == "7")
        #expect(try bench.get("/a?n=1").text == "7")
        #expect(bench.origins.flatMap(\.requests).count == 2)
    }
}
