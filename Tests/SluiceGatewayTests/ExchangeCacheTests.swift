import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// The cache's place in the corridor: hits, validation, coalescing (RFC 9111 §4).
@Suite struct ExchangeCacheTests {
    func bench(value: String? = nil, _ edit: (inout Binding) -> Void = { _ in }) throws -> Bench {
        let binding = try Build.binding("GET /fruits", to: "fruit /fruits", value: value) {
            $0.cache = CachePolicy()
            $0.unknownParameters = .pass
            edit(&$0)
        }
        let bench = try Bench(Build.configuration([binding]))
        bench.gateway.date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
        return bench
    }

    func answer(_ body: String, _ fields: String...) -> String {
        "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n"
            + body
    }

    var fetches: (Bench) -> Int { { $0.origins.reduce(0) { $0 + $1.requests.count } } }

    @Test func secondRequestIsAHit() throws {
        let bench = try bench()
        let first = try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60", "X-A: 1"))
        #expect(first.text == "apple")
        #expect(first["Cache-Status"] == "sluice; fwd=uri-miss; stored")
        bench.advance(by: .seconds(5))
        let second = try bench.get("/fruits")
        #expect(second.text == "apple")
        #expect(second["Cache-Status"] == "sluice; hit; ttl=55")
        #expect(second["Age"] == "5")
        #expect(second["X-A"] == "1")
        #expect(fetches(bench) == 1)
        bench.expectQuiet()
    }

    @Test func staleIsValidatedAndFreshened() throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60", "ETag: \"a\""))
        bench.advance(by: .seconds(61))
        let second = try bench.get("/fruits", answer: "HTTP/1.1 304 Not Modified\r\nX-B: 2\r\n\r\n")
        let asked = try bench.forwarded()
        #expect(asked["If-None-Match"] == "\"a\"")
        #expect(second.status == 200)
        #expect(second.text == "apple")
        #expect(second["X-B"] == "2")
        #expect(second["Cache-Status"] == "sluice; fwd=stale; fwd-status=304")
        let third = try bench.get("/fruits")
        #expect(third["Cache-Status"] == "sluice; hit; ttl=60")
        #expect(fetches(bench) == 2)
        bench.expectQuiet()
    }

    @Test func sliceIsStoredWithItsOwnValidator() throws {
        let bench = try bench(value: "[Int]") { $0.parent = FieldPath("values") }
        let first = try bench.get(
            "/fruits", answer: answer("{\"values\": [1,2]}", "Cache-Control: max-age=60", "ETag: \"whole\""))
        #expect(first.text == "[1,2]")
        let etag = first["ETag"] ?? ""
        #expect(etag != "\"whole\"")
        let second = try bench.get("/fruits")
        #expect(second.text == "[1,2]")
        #expect(second["ETag"] == etag)
        let third = try bench.get("/fruits", "If-None-Match: \(etag)")
        #expect(third.status == 304)
        #expect(fetches(bench) == 1)
        bench.expectQuiet()
    }

    /// A field that is in the key tells answers apart, and one that is not does not.
    @Test func fieldsOfTheKey() throws {
        let bench = try bench {
            $0.parameters = ["a", "b"].map { Parameter(name: $0, location: .header, type: .optional(.scalar(.string))) }
            $0.cache?.key = ["a"]
        }
        try bench.get("/fruits", "a: 1", "b: 1", answer: answer("one", "Cache-Control: max-age=60"))
        #expect(try bench.get("/fruits", "a: 1", "b: 2").text == "one")
        let other = try bench.get("/fruits", "a: 2", "b: 1", answer: answer("two", "Cache-Control: max-age=60"))
        #expect(other.text == "two")
        #expect(try bench.get("/fruits", "a: 2", "b: 3").text == "two")
        #expect(fetches(bench) == 2)
    }

    @Test func manyClientsAskOnce() throws {
        let bench = try bench()
        let request = "GET /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let clients = (0..<20).map { _ in bench.client() }
        for client in clients { client.request(request) }
        clients[0].reset()
        let origin = try bench.origin()
        origin.send(
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nSet-Cookie: a=1\r\nContent-Length: 10\r\n\r\napple")
        #expect(clients[1].answers.first?.text == "apple")
        origin.send("apple")
        for client in clients.dropFirst() {
            #expect(client.answers.first?.text == "appleapple")
            #expect(client.answers.first?["Set-Cookie"] == nil)
            #expect(client.answers.first?["Cache-Status"] == "sluice; fwd=uri-miss; stored; collapsed")
        }
        #expect(fetches(bench) == 1)
        for client in clients.dropFirst() { client.reset() }
        bench.expectQuiet()
    }

    @Test func unstorableAnswerReleasesAllAtOnce() throws {
        let bench = try bench()
        let request = "GET /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let clients = (0..<5).map { _ in bench.client() }
        for client in clients { client.request(request) }
        let answer = answer("secret", "Cache-Control: no-store", "Set-Cookie: a=1")
        try bench.origin().send(answer)
        #expect(clients[0].answers.first?["Set-Cookie"] == "a=1")
        #expect(clients[0].answers.first?["Cache-Status"] == "sluice; fwd=uri-miss; detail=no-store")
        #expect(clients[1].answers.isEmpty)
        #expect(fetches(bench) == 5)
        for origin in bench.origins { if origin.requests.count > 0 { origin.send(answer) } }
    }

    @Test func unsafeRequestInvalidates() throws {
        let get = try Build.binding("GET /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        let post = try Build.binding("POST /fruits", to: "fruit /fruits")
        let bench = try Bench(Build.configuration([get, post]))
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60"))
        try bench.exchange("POST /fruits HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        let third = try bench.get("/fruits", answer: answer("pear", "Cache-Control: max-age=60"))
        #expect(third.text == "pear")
    }

    @Test func staleTakesThePlaceOfAnError() throws {
        let bench = try bench { $0.cache?.staleIfError = .seconds(600) }
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60"))
        bench.advance(by: .seconds(61))
        let second = try bench.get("/fruits", answer: "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
        #expect(second.status == 200)
        #expect(second["Cache-Status"] == "sluice; fwd=stale; fwd-status=503; detail=stale-if-error")
        bench.expectQuiet()
    }

    @Test func staleWhileRevalidating() throws {
        let bench = try bench { $0.cache?.staleWhileRevalidate = .seconds(600) }
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60"))
        bench.advance(by: .seconds(61))
        let second = try bench.get("/fruits", answer: answer("pear", "Cache-Control: max-age=60"))
        #expect(second.text == "apple")
        let third = try bench.get("/fruits")
        #expect(third.text == "pear")
        #expect(fetches(bench) == 2)
        bench.expectQuiet()
    }

    @Test func variantsAreKeptApart() throws {
        let bench = try bench()
        let fields = ["Cache-Control: max-age=60", "Vary: Accept-Language"]
        try bench.get("/fruits", "Accept-Language: en", answer: answer("apple", fields[0], fields[1]))
        try bench.get("/fruits", "Accept-Language: de", answer: answer("Apfel", fields[0], fields[1]))
        #expect(try bench.get("/fruits", "Accept-Language: EN").text == "apple")
        #expect(try bench.get("/fruits", "Accept-Language: de").text == "Apfel")
        #expect(fetches(bench) == 2)
    }

    @Test func rangeOfAStoredAnswer() throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("0123456789", "Cache-Control: max-age=60"))
        let part = try bench.get("/fruits", "Range: bytes=2-4")
        #expect(part.status == 206)
        #expect(part.text == "234")
        #expect(part["Content-Range"] == "bytes 2-4/10")
        #expect(try bench.get("/fruits", "Range: bytes=10-").status == 416)
        // RFC 9110 §14.2: ranges are for GET.
        let head = try bench.exchange("HEAD /fruits HTTP/1.1\r\nHost: localhost\r\nRange: bytes=2-4\r\n\r\n")
        #expect(head.status == 200 && head["Content-Length"] == "10")
    }

    @Test func onlyIfCached() throws {
        let bench = try bench()
        #expect(try bench.get("/fruits", "Cache-Control: only-if-cached").status == 504)
        #expect(bench.origins.isEmpty)
        bench.expectQuiet()
    }

    /// RFC 9111 §4.3.5: a slice has a HEAD of its own.
    @Test func headOfAStoredSlice() throws {
        let bench = try bench(value: "[Int]")
        try bench.get("/fruits", answer: answer("[1,2]", "Cache-Control: max-age=60"))
        let client = bench.client()
        client.request("HEAD", "/fruits")
        #expect(client.answers.first?["Content-Length"] == "5")
        #expect(client.answers.first?["Cache-Status"] == "sluice; hit; ttl=60")
        #expect(fetches(bench) == 1)
    }

    @Test func anErrorIsAnsweredAgain() throws {
        let bench = try bench(value: "[Int]") { $0.cache?.retryAfterError = .seconds(5) }
        let failed = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"
        #expect(try bench.get("/fruits", answer: failed).status == 500)
        let second = try bench.get("/fruits")
        #expect(second.status == 500)
        #expect(second["Cache-Status"] == "sluice; hit; detail=retry-after-error")
        #expect(fetches(bench) == 1)
        bench.advance(by: .seconds(6))
        #expect(try bench.get("/fruits", answer: answer("[1]", "Cache-Control: max-age=60")).text == "[1]")
    }

    /// RFC 9111 §3.5.
    @Test func authorizationIsNotMixed() throws {
        let bench = try bench()
        let request = { (credentials: String) in
            "GET /fruits HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic \(credentials)\r\n\r\n"
        }
        let clients = ["a", "b", "a"].map { name in
            let client = bench.client()
            client.request(request(name))
            return client
        }
        #expect(fetches(bench) == 2)
        for origin in bench.origins { origin.send(answer("mine", "Cache-Control: max-age=60")) }
        #expect(clients[0].answers.first?["Cache-Status"] == "sluice; fwd=uri-miss; detail=authorization")
        #expect(clients[1].answers.first?.text == "mine")
    }

    @Test func aSlowReaderHoldsNobody() throws {
        let bench = try bench()
        let slow = bench.client()
        slow.window = 1000
        slow.request("GET", "/fruits")
        let quick = bench.client()
        quick.request("GET", "/fruits")
        let body = String(repeating: "0123456789", count: 100_000)
        try bench.origin().send(answer(body, "Cache-Control: max-age=60"), inPiecesOf: 50_000)
        #expect(quick.answers.first?.text == body)
        slow.take(.max)
        #expect(slow.answers.first?.text == body)
        let third = try bench.get("/fruits")
        #expect(third.text == body)
        bench.expectQuiet()
    }

    @Test func aBrokenAnswerIsNotStored() throws {
        let bench = try bench()
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/fruits") }
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\napple")
        origin.reset()
        for client in clients { #expect(client.answers.first?.isComplete == false) }
        #expect(try bench.get("/fruits", answer: answer("pear", "Cache-Control: max-age=60")).text == "pear")
    }

    @Test func groupsAreInvalidatedTogether() throws {
        let get = try Build.binding("GET /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        let post = try Build.binding("POST /trees", to: "fruit /trees")
        let bench = try Bench(Build.configuration([get, post]))
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60", "Cache-Groups: \"orchard\""))
        try bench.exchange(
            "POST /trees HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 204 No Content\r\nCache-Group-Invalidation: \"orchard\"\r\n\r\n")
        #expect(try bench.get("/fruits", answer: answer("pear")).text == "pear")
    }

    private func head(_ bench: Bench, _ answer: String) throws -> Message {
        try bench.exchange(
            "HEAD /fruits HTTP/1.1\r\nHost: localhost\r\nCache-Control: no-cache\r\n\r\n",
            answer: "HTTP/1.1 \(answer)\r\n\r\n")
    }

    /// RFC 9111 §4.3.5.
    @Test(arguments: [
        ("200 OK\r\nETag: \"a\"\r\nContent-Length: 5\r\nCache-Control: max-age=90\r\nX-B: 2", 90, "2"),
        ("200 OK\r\nCache-Control: max-age=80\r\nTransfer-Encoding: chunked", 80, nil),
        ("304 X\r\nETag: \"a\"\r\nX-B: 3", 60, "3"),
        ("404 X\r\nContent-Length: 9", 40, nil), ("304 X\r\nX-B: 3", 40, nil),
    ])
    func headFreshensWhatIsStored(answer: String, left: Int, field: String?) throws {
        let bench = try bench()
        try bench.get("/fruits", answer: self.answer("apple", "Cache-Control: max-age=60", "ETag: \"a\""))
        bench.advance(by: .seconds(20))
        _ = try head(bench, answer)
        let hit = try bench.get("/fruits")
        #expect(hit.text == "apple")
        #expect(hit["Cache-Status"] == "sluice; hit; ttl=\(left)")
        #expect(hit["X-B"] == field)
        #expect(fetches(bench) == 2)
        bench.expectQuiet()
    }

    /// RFC 9111 §4.3.5: what is not the same any more is of no use.
    @Test(arguments: ["ETag: \"b\"", "Content-Length: 6", "Last-Modified: Sun, 06 Nov 1994 08:00:00 GMT"])
    func headFindsOutWhatHasChanged(field: String) throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60", "ETag: \"a\""))
        #expect(try head(bench, "200 OK\r\n\(field)").status == 200)
        #expect(try bench.get("/fruits", answer: answer("pear")).text == "pear")
        #expect(fetches(bench) == 3)
        bench.expectQuiet()
    }

    /// Whoever asks after a change is not answered by what was asked for before it.
    @Test func nobodyJoinsWhatIsOutOfDate() throws {
        let get = try Build.binding("GET /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        let post = try Build.binding("POST /fruits", to: "fruit /fruits")
        let bench = try Bench(Build.configuration([get, post]))
        let request = "GET /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let early = bench.client()
        early.request(request)
        let first = try bench.origin()
        try bench.exchange("POST /fruits HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        let late = bench.client()
        late.request(request)
        first.send(answer("old", "Cache-Control: max-age=60"))
        #expect(early.answers.first?.text == "old")
        #expect(late.answers.isEmpty)
        let second = try #require(bench.origins.last { $0.requests.last?.method == "GET" && $0 !== first })
        second.send(answer("new", "Cache-Control: max-age=60"))
        #expect(late.answers.first?.text == "new")
        #expect(try bench.get("/fruits").text == "new")
        bench.expectQuiet()
    }

    /// An answer that the cache has nothing to do with goes on once its client takes more.
    @Test func aLongAnswerToAnotherMethodGoesOn() throws {
        let binding = try Build.binding("ANY /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        let bench = try Bench(Build.configuration([binding]) { $0.limits.bufferedBytes = 1000 })
        let client = bench.client()
        client.window = 100
        client.request("POST /fruits HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        let body = String(repeating: "x", count: 9000)
        try bench.origin().send(answer(body), inPiecesOf: 900)
        client.take(.max)
        #expect(client.answers.first?.text == body)
        client.reset()
        bench.expectQuiet()
    }
}
