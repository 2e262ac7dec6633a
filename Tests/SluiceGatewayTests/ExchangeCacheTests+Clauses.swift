import SluiceContract
import Testing

@testable import SluiceGateway

/// Clauses that are easily missed.
extension ExchangeCacheTests {
    /// RFC 5861 §4: what the upstream says of the resource is no failure; and where it cannot be asked, it has no
    /// status (RFC 9211 §2.3).
    @Test(arguments: [
        ("404 Not Found", 404, nil), ("500 X", 200, "fwd-status=500; "), ("429 X", 429, nil), ("", 200, ""),
    ])
    func whatYieldsToStale(answer: String, status: Int, told: String?) throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /fruits", to: "fruit /fruits", value: "String") {
                    $0.cache = CachePolicy()
                    $0.cache?.staleIfError = .seconds(600)
                }
            ]))
        try bench.get("/fruits", answer: self.answer("\"apple\"", "Cache-Control: max-age=60"))
        bench.advance(by: .seconds(61))
        let client = bench.client()
        client.request("GET", "/fruits")
        if answer.isEmpty {
            try bench.origin().reset()
            if let origin = bench.origins.last, !origin.isClosed { origin.reset() }
        } else {
            try bench.origin().send("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(client.answers.first?.status == status)
        guard let told else { return }
        #expect(client.answers.first?["Cache-Status"] == "sluice; fwd=stale; \(told)detail=stale-if-error")
    }

    /// RFC 9211 §2.3: an error that is answered again is no answer of the upstream's, which was not asked.
    @Test func aKeptErrorYieldsToStaleWithoutAStatus() throws {
        let bench = try bench(value: "String") {
            $0.cache?.staleIfError = .seconds(600)
            $0.cache?.retryAfterError = .seconds(5)
        }
        try bench.get("/fruits", answer: answer("\"apple\"", "Cache-Control: max-age=60"))
        bench.advance(by: .seconds(61))
        let first = try bench.get("/fruits", answer: "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n")
        #expect(first["Cache-Status"] == "sluice; fwd=stale; fwd-status=500; detail=stale-if-error")
        let second = try bench.get("/fruits")
        #expect(second.text == "\"apple\"")
        let status = try #require(second["Cache-Status"])
        #expect(status.hasPrefix("sluice; hit;") && status.hasSuffix("detail=stale-if-error"), "\(status)")
        #expect(!status.contains("fwd-status"), "\(status)")
    }

    /// RFC 9111 §4.3.4: a 304 that names another validator updates nothing; the upstream is asked without one.
    @Test func aForeign304() throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60", "ETag: \"a\""))
        bench.advance(by: .seconds(61))
        let client = bench.client()
        client.request("GET", "/fruits")
        try bench.origin().send("HTTP/1.1 304 X\r\nETag: \"b\"\r\n\r\n")
        #expect(client.answers.isEmpty)
        #expect(try bench.forwarded()["If-None-Match"] == nil)
        try bench.origin().send(answer("pear", "Cache-Control: max-age=60", "ETag: \"b\""))
        #expect(client.answers.first?.text == "pear")
        #expect(try bench.get("/fruits").text == "pear")
        bench.expectQuiet()
    }

    /// An answer as large as may be is stored, and one with another byte is not, whether its length is told before it
    /// or not.
    @Test(arguments: [(100, true, true), (100, false, true), (101, true, false), (101, false, false)])
    func theLargestThatIsStored(_ count: Int, _ isAnnounced: Bool, _ isStored: Bool) throws {
        let binding = try Build.binding("GET /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        let bench = try Bench(Build.configuration([binding]) { $0.cache.entryBytes = 100 })
        let body = String(repeating: "x", count: count)
        let chunked =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        let first = isAnnounced ? answer(body, "Cache-Control: max-age=60") : chunked
        #expect(try bench.get("/fruits", answer: first).text == body)
        #expect(try bench.get("/fruits", answer: answer("pear")).text == (isStored ? body : "pear"))
    }

    /// A target without a query is where the note about its queries lies.
    @Test func noVarySearchWithoutAQuery() throws {
        let bench = try bench { $0.unknownParameters = .pass }
        let fields = ["Cache-Control: max-age=60", "No-Vary-Search: params=(\"utm\")"]
        func answer(_ text: String) -> String { self.answer(text, fields[0], fields[1]) }
        try bench.get("/fruits?a=1&utm=2", answer: answer("apple"))
        #expect(try bench.get("/fruits", answer: answer("all")).text == "all")
        #expect(try bench.get("/fruits").text == "all")
        #expect(try bench.get("/fruits?utm=9").text == "all")
        #expect(try bench.get("/fruits?utm=1&a=1").text == "apple")
    }

    /// RFC 9111 §3.5: nor does `fresh:` make an answer to one client's credentials everybody's.
    @Test func freshDoesNotShareCredentials() throws {
        let bench = try bench { $0.cache?.fresh = .seconds(60) }
        let alice = bench.client()
        alice.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alice\r\n\r\n")
        try bench.origin().send(answer("alice's"))
        #expect(alice.answers.first?["Cache-Status"] == "sluice; fwd=uri-miss; detail=authorization")
        #expect(try bench.get("/fruits", answer: answer("apple")).text == "apple")
    }

    /// RFC 9875 §3: also those whose answer was on its way.
    @Test func aGroupIsInvalidatedBeforeItsNameIsKnown() throws {
        let get = try Build.binding("GET /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        let post = try Build.binding("POST /trees", to: "fruit /trees")
        let bench = try Bench(Build.configuration([get, post]))
        let client = bench.client()
        client.request("GET", "/fruits")
        let origin = try bench.origin()
        try bench.exchange(
            "POST /trees HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 204 No Content\r\nCache-Group-Invalidation: \"orchard\"\r\n\r\n")
        origin.send(
            answer("apple", "Cache-Control: max-age=60", "Cache-Groups: \"orchard\"", "Connection: close"))
        #expect(client.answers.first?.text == "apple")
        #expect(try bench.get("/fruits", answer: answer("pear")).text == "pear")
    }
}
