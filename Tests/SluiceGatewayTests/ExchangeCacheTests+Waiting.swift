import SluiceContract
import Testing

@testable import SluiceGateway

/// What must not be read by others, or by those who come later, although it is on its way or kept.
extension ExchangeCacheTests {
    /// What makes a stored answer useless although another target is written.
    enum Write: CaseIterable {
        case named, tagged, otherQuery, group
    }

    private func writing(_ write: Write) throws -> (bench: Bench, target: String) {
        let get = try Build.binding("GET /list", to: "fruit /list") {
            $0.cache = CachePolicy()
            $0.cache?.tags = ["t"]
            $0.unknownParameters = .pass
            if write == .otherQuery { $0.cache?.key = [] }
        }
        let put = try Build.binding("PUT /item", to: "fruit /item") {
            $0.then = AfterWrite()
            if write == .named { $0.then?.invalidate = ["GET /list"] }
            if write == .tagged { $0.then?.tags = ["t"] }
        }
        let other = try Build.binding("PUT /list", to: "fruit /list") { $0.unknownParameters = .pass }
        return (try Bench(Build.configuration([get, put, other])), write == .otherQuery ? "/list?q=3" : "/item")
    }

    private func change(_ bench: Bench, _ target: String, _ write: Write) throws {
        let field = write == .group ? "Cache-Group-Invalidation: \"g\"\r\n" : ""
        let answer = try bench.exchange(
            "PUT \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 204 No Content\r\n\(field)Connection: close\r\n\r\n")
        #expect(answer.status == 204)
    }

    /// A request that comes after a change does not wait for an answer that was asked for before it.
    @Test(arguments: Write.allCases, [false, true])
    func afterAChange(write: Write, hasHead: Bool) throws {
        let (bench, target) = try writing(write)
        let clients = [bench.client(), bench.client(), bench.client()]
        clients[0].request("GET", "/list?q=1")
        let first = try bench.origin()
        if hasHead {
            first.send(
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nCache-Groups: \"g\"\r\nContent-Length: 3\r\n\r\n")
        }
        clients[1].request("GET", "/list?q=1")
        #expect(bench.origins.count == 1)
        try change(bench, target, write)
        clients[2].request("GET", "/list?q=1")
        let second = try bench.origin()
        #expect(second !== first)
        second.send(answer("new", "Cache-Control: max-age=60"))
        #expect(clients[2].answers.first?.text == "new")
        first.send(hasHead ? "old" : answer("old", "Cache-Control: max-age=60", "Cache-Groups: \"g\""))
        #expect(clients[..<2].map { $0.answers.first?.text } == ["old", "old"])
        #expect(try bench.get("/list?q=1").text == "new")
    }

    /// An interim answer may be for the one client that caused the request (RFC 9110 §15.2).
    @Test func interimAnswersAreForOneClient() throws {
        let bench = try bench()
        let clients = [bench.client(), bench.client()]
        for client in clients { client.request("GET", "/fruits") }
        let origin = try bench.origin()
        origin.send("HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=1\r\n\r\n")
        #expect(clients.map(\.reader.interim.count) == [1, 0])
        origin.send(answer("apple", "Cache-Control: max-age=60"))
        #expect(clients.map { $0.answers.first?.text } == ["apple", "apple"])
    }

    /// RFC 9111 §5.2.1.5: nothing is stored of an answer to a request with `no-store`.
    @Test(arguments: ["GET", "HEAD"]) func nothingIsKeptOfWhatIsNotToBeStored(method: String) throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=1", "ETag: \"a\""))
        bench.advance(by: .seconds(2))
        let own = method == "GET" ? "HTTP/1.1 304 Not Modified" : "HTTP/1.1 200 OK"
        let client = bench.client()
        client.request(
            "\(method) /fruits HTTP/1.1\r\nHost: localhost\r\nCache-Control: no-store\r\n\r\n")
        try bench.origin().send("\(own)\r\nETag: \"a\"\r\nX-Own: 1\r\nCache-Control: max-age=60\r\n\r\n")
        #expect(client.answers.first?.status == 200)
        client.reset()
        let again = try bench.get("/fruits", answer: answer("pear"))
        #expect(again["X-Own"] == nil)
        #expect(again.text == "pear")
    }

    /// Who waits with such a client asks again.
    @Test func aConditionalRequestForOneClient() throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=1", "ETag: \"a\""))
        bench.advance(by: .seconds(2))
        let first = bench.client()
        first.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\nCache-Control: no-store\r\n\r\n")
        let origin = try bench.origin()
        let second = bench.client()
        second.request("GET", "/fruits")
        origin.send("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nX-Own: 1\r\nCache-Control: max-age=60\r\n\r\n")
        #expect(first.answers.first?["X-Own"] == "1")
        #expect(second.answers.isEmpty)
        try bench.origin().send("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nCache-Control: max-age=60\r\n\r\n")
        #expect(second.answers.first?.text == "apple")
        #expect(second.answers.first?["X-Own"] == nil)
    }

    // MARK: - Errors that are kept

    private func failing(_ edit: (inout Binding) -> Void = { _ in }) throws -> Bench {
        let get = try Build.binding("GET /list", to: "fruit /list", value: "[Int]") {
            $0.cache = CachePolicy()
            $0.cache?.retryAfterError = .seconds(30)
            $0.unknownParameters = .pass
            edit(&$0)
        }
        let put = try Build.binding("PUT /list", to: "fruit /list") { $0.unknownParameters = .pass }
        let item = try Build.binding("PUT /item", to: "fruit /item")
        return try Bench(Build.configuration([get, put, item]))
    }

    private func error(_ status: Int, _ fields: String...) -> String {
        "HTTP/1.1 \(status) X\r\n" + fields.map { $0 + "\r\n" }.joined()
            + "Connection: close\r\nContent-Length: 0\r\n\r\n"
    }

    @Test func aKeptErrorEndsWithAWriteToAnotherQuery() throws {
        let bench = try failing { $0.cache?.key = [] }
        #expect(try bench.get("/list?q=1", answer: error(404)).status == 404)
        #expect(try bench.get("/list?q=2", answer: answer("[1]")).status == 404)
        try change(bench, "/list?q=3", .otherQuery)
        #expect(try bench.get("/list?q=1", answer: answer("[1]")).text == "[1]")
    }

    @Test func aKeptErrorEndsWithItsGroup() throws {
        let bench = try failing()
        #expect(try bench.get("/list", answer: error(404, "Cache-Groups: \"g\"")).status == 404)
        #expect(try bench.get("/list", answer: answer("[1]")).status == 404)
        try change(bench, "/item", .group)
        #expect(try bench.get("/list", answer: answer("[1]")).text == "[1]")
    }

    /// An error that says so is one client's alone, and one to a client that wants nothing stored.
    @Test(arguments: ["Vary: X-Tenant", "Cache-Control: private", "Cache-Control: no-store"])
    func anErrorForOneClientIsNotKept(field: String) throws {
        let bench = try failing()
        #expect(try bench.get("/list", answer: error(403, field)).status == 403)
        #expect(try bench.get("/list", answer: answer("[1]")).text == "[1]")
    }

    @Test func anErrorOfARequestThatIsNotStored() throws {
        let bench = try failing()
        #expect(try bench.get("/list", "Cache-Control: no-store", answer: error(503)).status == 503)
        #expect(try bench.get("/list", answer: answer("[1]")).text == "[1]")
    }

    /// RFC 9111 §5.2.2.7: without the field that says what the content is, nothing is left to be stored.
    @Test(arguments: ["Content-Encoding", "Content-Type"]) func aFieldThatContentNeeds(name: String) throws {
        let bench = try bench()
        let fields = ["Cache-Control: max-age=60, private=\"\(name)\"", "Content-Encoding: x"]
        try bench.get("/fruits", answer: answer("apple", fields[0], fields[1]))
        #expect(try bench.get("/fruits", answer: answer("pear")).text == "pear")
    }
}
