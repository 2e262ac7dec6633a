import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// What a 304, or an answer to HEAD, makes of what is stored, and for whom.
extension ExchangeCacheTests {
    private func notModified(_ fields: String...) -> String {
        "HTTP/1.1 304 Not Modified\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// RFC 9111 §5.2.2.4, §5.2.2.7: fields that `Cache-Control` names are for the client that asked, also those of a
    /// 304.
    @Test(arguments: ["private=\"X-User\"", "no-cache=\"x-user\""])
    func namedFieldsOf304s(_ directive: String) throws {
        let bench = try bench()
        let control = "Cache-Control: max-age=1, \(directive)"
        let first = try bench.get("/fruits", answer: answer("apple", control, "ETag: \"a\"", "X-User: alice"))
        #expect(first["X-User"] == "alice")
        bench.advance(by: .seconds(2))
        let second = try bench.get("/fruits", answer: notModified("ETag: \"a\"", "X-User: bob"))
        #expect(second.text == "apple" && second["X-User"] == "bob")
        let third = try bench.get("/fruits")
        #expect(third.text == "apple" && third["X-User"] == nil)
        bench.expectQuiet()
    }

    /// Also where the 304 is the first to name it.
    @Test func storedFieldsThatA304Names() throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=1", "ETag: \"a\"", "X-User: alice"))
        bench.advance(by: .seconds(2))
        let control = "Cache-Control: max-age=60, private=\"X-User\""
        #expect(try bench.get("/fruits", answer: notModified("ETag: \"a\"", control))["X-User"] == nil)
        #expect(try bench.get("/fruits")["X-User"] == nil)
    }

    @Test func namedFieldsOfHEADs() throws {
        let bench = try bench()
        let control = "Cache-Control: max-age=1, private=\"X-User\""
        try bench.get("/fruits", answer: answer("apple", control, "ETag: \"a\""))
        bench.advance(by: .seconds(2))
        let client = bench.client()
        client.request("HEAD", "/fruits")
        try bench.origin().send(
            "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nX-User: bob\r\n\(control)\r\nContent-Length: 5\r\n\r\n")
        let stored = try bench.get("/fruits")
        #expect(stored.text == "apple" && stored["X-User"] == nil)
    }

    /// RFC 9111 §3.5: what a 304 says to one client's credentials is that client's, unless it says that it is not.
    @Test(arguments: [("", false), ("Cache-Control: public, max-age=60", true), ("Cache-Control: s-maxage=60", true)])
    func a304ToCredentials(_ control: String, _ isShared: Bool) throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=1", "ETag: \"a\"", "X-User: nobody"))
        bench.advance(by: .seconds(2))
        let alice = bench.client()
        alice.request("GET", "/fruits", "Authorization: Bearer alice")
        let fields = ["ETag: \"a\"", "X-User: alice"] + (control.isEmpty ? [] : [control])
        try bench.origin().send("HTTP/1.1 304 X\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        #expect(alice.answers.first?.text == "apple" && alice.answers.first?["X-User"] == "alice")
        let anybody = bench.client()
        anybody.request("GET", "/fruits")
        if isShared {
            #expect(anybody.answers.first?["X-User"] == "alice")
            return
        }
        #expect(anybody.answers.isEmpty, "what is stored is as stale as before")
        try bench.origin().send("HTTP/1.1 304 X\r\nETag: \"a\"\r\n\r\n")
        #expect(anybody.answers.first?.text == "apple" && anybody.answers.first?["X-User"] == "nobody")
        bench.expectQuiet()
    }

    /// RFC 9111 §4.3.4: a weak validator is of the stored answer that has the same one.
    @Test func a304WithAnotherWeakValidator() throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=1", "ETag: W/\"1\""))
        bench.advance(by: .seconds(2))
        let client = bench.client()
        client.request("GET", "/fruits")
        try bench.origin().send("HTTP/1.1 304 X\r\nETag: W/\"2\"\r\n\r\n")
        #expect(client.answers.isEmpty)
        try bench.origin().send(answer("pear", "ETag: W/\"2\""))
        #expect(client.answers.first?.text == "pear")
    }

    /// RFC 9111 §4.3.2: these conditions are the origin's to decide; where there is a value, that is the gateway.
    @Test(arguments: ["If-Match: \"z\"", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT"])
    func conditionsOfTheOrigin(_ condition: String) throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60", "ETag: \"a\""))
        let client = bench.client()
        client.request("GET", "/fruits", condition)
        #expect(try bench.forwarded()[String(condition.prefix { $0 != ":" })] != nil)
        try bench.origin().send(answer("pear", "ETag: \"z\""))
        #expect(client.answers.first?.status == 200 && client.answers.first?.text == "pear")
        let typed = try self.bench(value: "String")
        try typed.get("/fruits", answer: answer("\"apple\"", "Cache-Control: max-age=60"))
        let other = typed.client()
        other.request("GET", "/fruits", "If-Match: \"z\"")
        #expect(other.answers.first?.status == 412)
    }

    @Test func conditionsOfTheOriginWithoutTheOrigin() throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=60", "ETag: \"a\""))
        let client = bench.client()
        client.request("GET", "/fruits", "If-Match: \"a\"", "Cache-Control: only-if-cached")
        #expect(client.answers.first?.status == 504)
        bench.expectQuiet()
    }

    /// What a 304 says of the body is not the stored one's, nor of a slice, also where `Cache-Control` names it.
    @Test func namedFieldsOfTheBody() throws {
        let bench = try bench(value: "[Int]")
        let names = "Cache-Control: max-age=1, no-cache=\"ETag, Content-Encoding, Age\""
        try bench.get("/fruits", answer: answer("[1]", "Cache-Control: max-age=1", "ETag: \"whole\""))
        let etag = try #require(try bench.get("/fruits")["ETag"])
        bench.advance(by: .seconds(2))
        let coded = ["ETag: \"whole\"", "Content-Encoding: gzip", "Age: 3"]
        let second = try bench.get(
            "/fruits",
            answer: "HTTP/1.1 304 X\r\n" + ([names] + coded).map { $0 + "\r\n" }.joined() + "\r\n")
        #expect(second.text == "[1]" && second["ETag"] == etag && second["Content-Encoding"] == nil)
    }

    /// A 304 that updates nothing, or ends what is stored, is no purge: that would be one for all that is on its way,
    /// once there are many.
    @Test(arguments: ["ETag: \"b\"", "ETag: \"a\"\r\nCache-Control: no-store"])
    func what304sEndIsNotPurged(_ fields: String) throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=1", "ETag: \"a\""))
        bench.advance(by: .seconds(2))
        let purges = bench.gateway.loopCache.store.purges.number
        let client = bench.client()
        client.request("GET", "/fruits")
        try bench.origin().send("HTTP/1.1 304 X\r\n\(fields)\r\n\r\n")
        if client.answers.isEmpty { try bench.origin().send(answer("pear")) }
        #expect(client.answers.first?.status == 200)
        #expect(bench.gateway.loopCache.store.purges.number == purges)
    }

    /// What the gateway itself refuses is no error of the upstream's, and what one client's way of asking has led to is
    /// not kept for others (`retry-after-error:`).
    @Test func refusalsAreNotKept() throws {
        let bench = try bench(value: "String") {
            $0.cache?.retryAfterError = .seconds(60)
            $0.concurrency = ConcurrencyLimit(1, queue: 0, wait: .seconds(1))
        }
        let first = bench.client()
        first.request("GET", "/fruits?a=1")
        let second = bench.client()
        second.request("GET", "/fruits?a=2")
        #expect(second.answers.first?.status == 503)
        try bench.origin().send(answer("\"apple\""))
        #expect(first.answers.first?.text == "\"apple\"")
        #expect(try bench.get("/fruits?a=2", answer: answer("\"pear\"")).text == "\"pear\"")
        #expect(try bench.get("/fruits?a=3", answer: "HTTP/1.1 400 X\r\nContent-Length: 0\r\n\r\n").status == 400)
        #expect(try bench.get("/fruits?a=3", answer: answer("\"fig\"")).text == "\"fig\"")
        bench.expectQuiet()
    }

    /// The rest of an error that a stale answer has taken the place of is for nobody: its request gives its place back.
    @Test func staleInThePlaceOfAnEndlessError() throws {
        let bench = try bench {
            $0.cache?.staleIfError = .seconds(600)
            $0.concurrency = ConcurrencyLimit(1, queue: 1, wait: .seconds(1))
        }
        try bench.get("/fruits", answer: answer("apple", "Cache-Control: max-age=1"))
        bench.advance(by: .seconds(2))
        let client = bench.client()
        client.request("GET", "/fruits")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 503 X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
        #expect(client.answers.first?.text == "apple")
        #expect(try bench.get("/fruits", answer: answer("pear")).text == "pear")
        // It is read on for a moment, because a short rest costs less than another connection.
        bench.advance(by: .seconds(2))
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    /// `follow: same-origin`: what another target says of its query is nothing for this one's.
    @Test func noVarySearchBehindARedirect() throws {
        let bench = try bench { $0.follow = .sameOrigin }
        let client = bench.client()
        client.request("GET", "/fruits?x=1")
        try bench.origin().send("HTTP/1.1 301 X\r\nLocation: /final?x=1\r\nContent-Length: 0\r\n\r\n")
        try bench.origin().send(answer("apple", "Cache-Control: max-age=60", "No-Vary-Search: params"))
        #expect(client.answers.first?.text == "apple")
        let again = try bench.get("/fruits?x=1")
        #expect(again.text == "apple")
        #expect(again["Cache-Status"]?.hasPrefix("sluice; hit") == true)
    }
}
