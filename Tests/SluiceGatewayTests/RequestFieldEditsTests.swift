import SluiceContract
import Testing

@testable import SluiceGateway

/// Fields of requests and answers that are set, renamed and dropped, and keys of requests that may be sent again.
@Suite struct RequestFieldEditsTests {
    @Test func fieldsOfRequests() throws {
        let upstream = Build.upstream {
            $0.headers = [
                .init(name: "X-Both", value: "upstream"), .init(name: "X-Plain", value: "p"),
                HeaderSetting(name: "X-Gone", .nothing),
            ]
        }
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.headers = [.init(name: "x-both", value: "binding"), HeaderSetting(name: "X-New", .field("X-Old"))]
        }
        let bench = try Bench(Build.configuration([binding], upstreams: [upstream]))
        try bench.get("/a", "X-Gone: 1", "X-Old: 1", "x-old: 2", "X-New: forged", "X-Other: o", "X-Plain: mine")
        let request = try bench.forwarded()
        #expect(request.values("X-Both") == ["binding"])
        #expect(request.values("X-Plain") == ["p"])
        #expect(request.values("X-New") == ["1", "2"])
        #expect(request.values("X-Old") == [] && request.values("X-Gone") == [])
        #expect(request.values("X-Other") == ["o"])
    }

    @Test(arguments: [nil, "Int"])
    func fieldsOfAnswers(value: String?) throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: value) {
            $0.answerHeaders = AnswerHeaders([
                HeaderSetting(name: "Server", .nothing), HeaderSetting(name: "X-Total", .field("X-Total-Count")),
                .init(name: "Cache-Control", value: "no-store"),
            ])
        }
        let answer = try Bench(Build.configuration([binding])).get(
            "/a",
            answer: FetchAnswerTests.json(
                "1", "Server: x\r\nX-Total: forged\r\nx-total-count: 9\r\nCache-Control: max-age=9\r\nX-Other: o\r\n"))
        #expect(answer.text == "1")
        #expect(answer["Server"] == nil && answer["X-Total-Count"] == nil)
        #expect(answer["X-Total"] == "9" && answer["X-Other"] == "o")
        #expect(answer["Cache-Control"] == "no-store")
    }

    private static func keyed(_ edit: (inout Binding) -> Void = { _ in }) throws -> Bench {
        let binding = try Build.binding("ANY /a", to: "fruit /a") {
            $0.idempotencyKey = IdempotencyKey("Idempotency-Key")
            $0.retry = RetryPolicy()
            edit(&$0)
        }
        return try Bench(Build.configuration([binding]))
    }

    /// A POST is sent again with the same key, and the next one has another.
    @Test func attemptsHaveTheSameKey() throws {
        let bench = try Self.keyed()
        let client = bench.client()
        client.request("POST", "/a", type: "text/plain", body: "abc")
        try bench.origin().answer(503)
        bench.advance(by: .seconds(2))
        let requests = bench.origins.flatMap(\.requests)
        #expect(requests.map(\.text) == ["abc", "abc"])
        let keys = requests.map { $0.values("Idempotency-Key") }
        #expect(keys[0].count == 1 && keys[0] == keys[1])
        let key = try #require(keys[0].first)
        #expect(key.utf8.count == 36 && key.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12])
        try bench.origin().answer(200)
        #expect(client.answers.last?.status == 200)
        client.request("POST", "/a", type: "text/plain", body: "def")
        #expect(try bench.forwarded()["Idempotency-Key"] != key)
        try bench.origin().answer(200)
    }

    @Test func theClientsOwnIsKept() throws {
        let bench = try Self.keyed()
        let client = bench.client()
        client.request("POST /a HTTP/1.1\r\nHost: localhost\r\nidempotency-key: mine\r\nContent-Length: 0\r\n\r\n")
        #expect(try bench.forwarded().values("Idempotency-Key") == ["mine"])
        try bench.origin().answer(200)
        client.request("GET", "/a")
        #expect(try bench.forwarded()["Idempotency-Key"] == nil)
        try bench.origin().answer(200)
    }
}
