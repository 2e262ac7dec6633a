import SluiceContract
import Testing

@testable import SluiceGateway

/// What is no answer to a request, although something is stored, kept or on its way for its target, or nearly so.
extension ExchangeCacheTests {
    /// Which queries have one answer, each answer says for itself.
    @Test func aRuleOfAnotherAnswer() throws {
        let bench = try bench()
        let (first, second) = ("No-Vary-Search: params=(\"a\")", "No-Vary-Search: params=(\"c\")")
        try bench.get("/fruits?a=1&b=2", answer: answer("apple", "Cache-Control: max-age=60", first))
        try bench.get("/fruits?c=5", answer: answer("pear", "Cache-Control: max-age=60", second))
        #expect(try bench.get("/fruits?c=9&b=2", answer: answer("plum", second)).text == "plum")
    }

    /// As for `Vary`: what was found by the rule of before is not found by the new one.
    @Test func aRuleThatIsChangedByAnUpdate() throws {
        let bench = try bench()
        try bench.get(
            "/fruits?a=1",
            answer: answer("apple", "Cache-Control: max-age=1", "ETag: \"e\"", "No-Vary-Search: params=(\"a\")"))
        bench.advance(by: .seconds(2))
        let update =
            "HTTP/1.1 304 Not Modified\r\nETag: \"e\"\r\nCache-Control: max-age=60\r\n"
            + "No-Vary-Search: params=(\"z\")\r\n\r\n"
        #expect(try bench.get("/fruits?a=1", answer: update).text == "apple")
        #expect(try bench.get("/fruits?a=2", answer: answer("pear")).text == "pear")
    }

    /// RFC 9111 §4: of two that are stored for a request, the newer one is the answer.
    @Test func aRuleThatAppears() throws {
        let bench = try bench { $0.cache?.staleWhileRevalidate = .seconds(600) }
        try bench.get("/fruits?a=1", answer: answer("apple", "Cache-Control: max-age=1"))
        bench.advance(by: .seconds(2))
        let newer = answer("pear", "Cache-Control: max-age=60", "No-Vary-Search: params=(\"a\")")
        #expect(try bench.get("/fruits?a=1", answer: newer).text == "apple")
        for query in ["a=1", "a=2"] { #expect(try bench.get("/fruits?\(query)").text == "pear") }
        bench.expectQuiet()
    }

    /// Whoever waits for the answer to another query may get it by the old rule, and not by the new one.
    @Test func aRuleThatIsGoneMeanwhile() throws {
        let bench = try bench()
        try bench.get(
            "/fruits?a=1", answer: answer("apple", "Cache-Control: max-age=1", "No-Vary-Search: params=(\"a\")"))
        bench.advance(by: .seconds(2))
        let clients = [bench.client(), bench.client()]
        clients[0].request("GET", "/fruits?a=1")
        let first = try bench.origin()
        clients[1].request("GET", "/fruits?a=2")
        try bench.origin().send(answer("two", "Cache-Control: max-age=60"))
        first.send(answer("one", "Cache-Control: max-age=60"))
        #expect(clients.map { $0.answers.first?.text } == ["one", "two"])
    }

    /// RFC 9111 §4.4: what is written is there, whatever was kept of its absence, or comes of it.
    @Test(arguments: [false, true]) func anErrorEndsWithAWrite(isUnderWay: Bool) throws {
        let get = try Build.binding("GET /fruits", to: "fruit /fruits", value: "[Int]") {
            $0.cache = CachePolicy()
            $0.cache?.retryAfterError = .seconds(30)
        }
        let put = try Build.binding("PUT /fruits", to: "fruit /fruits")
        let bench = try Bench(Build.configuration([get, put]))
        let client = bench.client()
        client.request("GET", "/fruits")
        let origin = try bench.origin()
        let absent = "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        if !isUnderWay { origin.send(absent) }
        let written = try bench.exchange(
            "PUT /fruits HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        #expect(written.status == 201)
        if isUnderWay { origin.send(absent) }
        #expect(client.answers.first?.status == 404)
        #expect(try bench.get("/fruits", answer: answer("[1]")).text == "[1]")
    }

    /// A client reads what it has written, also where another query's answer is the one to it.
    @Test(arguments: [nil, []] as [[String]?]) func aWriteToAnotherQuery(key: [String]?) throws {
        let get = try Build.binding("GET /fruits", to: "fruit /fruits") {
            $0.cache = CachePolicy()
            $0.cache?.key = key
            $0.unknownParameters = .pass
        }
        let put = try Build.binding("PUT /fruits", to: "fruit /fruits") { $0.unknownParameters = .pass }
        let bench = try Bench(Build.configuration([get, put]))
        let fields = ["Cache-Control: max-age=60", "No-Vary-Search: params=(\"a\")", "Connection: close"]
        let first = answer("apple", fields[0], key == nil ? fields[1] : "X-A: 1", fields[2])
        try bench.get("/fruits?a=1", answer: first)
        #expect(try bench.get("/fruits?a=2").text == "apple")
        try bench.exchange(
            "PUT /fruits?a=2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        #expect(try bench.get("/fruits?a=2", answer: answer("pear", fields[2])).text == "pear")
        #expect(try bench.get("/fruits?a=1", answer: answer("plum", fields[2])).text == "plum")
    }

    /// A refusal of those who show nothing is none of those who show something.
    @Test(arguments: ["Authorization: Basic YTpi", "X-API-Key: a", "Cookie: a=b"])
    func whoShowsCredentialsIsNotRefusedForOthers(field: String) throws {
        let bench = try bench()
        let refusal = "HTTP/1.1 401 Unauthorized\r\nCache-Control: max-age=60\r\nContent-Length: 0\r\n\r\n"
        #expect(try bench.get("/fruits", answer: refusal).status == 401)
        #expect(try bench.get("/fruits")["Cache-Status"]?.hasPrefix("sluice; hit") == true)
        #expect(try bench.get("/fruits", field, answer: answer("apple", "Cache-Control: no-store")).text == "apple")
    }
}
