import SluiceContract
import Testing

@testable import SluiceGateway

/// Conditions and ranges of clients whose requests wait for the upstream.
extension ExchangeCacheTests {
    /// RFC 9111 §4.1, §5.2.2.7: what a 304 says may be for the client that was asked for alone, or select another
    /// answer for others.
    @Test(arguments: ["Cache-Control: private, max-age=60", "Cache-Control: no-store", "Vary: X-Who"])
    func aValidationForOneClientIsNotForOthers(_ field: String) throws {
        let bench = try bench()
        try bench.get("/fruits", answer: answer("old", "Cache-Control: max-age=60", "ETag: \"v\"", "Connection: close"))
        bench.advance(by: .seconds(61))
        let (alice, bob) = (bench.client(), bench.client())
        alice.request("GET", "/fruits", "X-Who: alice")
        bob.request("GET", "/fruits", "X-Who: bob")
        #expect(fetches(bench) == 2)
        try bench.origin().send(
            "HTTP/1.1 304 Not Modified\r\nETag: \"v\"\r\n\(field)\r\nX-Account: alice\r\nConnection: close\r\n\r\n")
        #expect(alice.answers.first?["X-Account"] == "alice" && alice.answers.first?.text == "old")
        #expect(bob.answers.isEmpty && fetches(bench) == 3)
        #expect(try bench.forwarded()["X-Who"] == "bob")
        try bench.origin().send(answer("new", "X-Account: bob"))
        #expect(bob.answers.first?["X-Account"] == "bob" && bob.answers.first?.text == "new")
        bench.expectQuiet()
    }

    /// RFC 9110 §13.2.1: the upstream has not seen them, so they hold for an answer that is not stored, too.
    @Test(
        arguments: [
            ("If-None-Match: \"v\"", 304, ""), ("If-None-Match: \"w\"", 200, "0123456789"),
            ("Range: bytes=2-4", 206, "234"),
            ("Range: bytes=20-", 416, ""),
        ], ["Cache-Control: private", "Cache-Control: no-store"])
    func conditionsHoldForWhatIsNotStored(_ asked: (field: String, status: Int, text: String), _ control: String) throws
    {
        let bench = try bench()
        let client = bench.client()
        client.request("GET", "/fruits", asked.field)
        try bench.origin().send(answer("0123456789", control, "ETag: \"v\"", "Set-Cookie: a=1"))
        let got = try #require(client.answers.first)
        #expect(got.status == asked.status && got.text == asked.text && got["Set-Cookie"] == "a=1")
        #expect(got["Cache-Status"]?.contains("fwd=uri-miss") == true)
        client.request("GET", "/fruits")
        try #require(bench.origins.last { !$0.isClosed }).send(answer("0123456789", control))
        #expect(client.answers.last?.text == "0123456789")
        bench.expectQuiet()
    }

    /// A client that has its 304 needs no more, and what is too long to be stored is of no use to anybody.
    @Test func whatBecomesTooLongIsFetchedForNobody() throws {
        let get = try Build.binding("GET /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        let bench = try Bench(Build.configuration([get]) { $0.cache.entryBytes = 4096 })
        let client = bench.client()
        client.request("GET", "/fruits", "If-None-Match: \"v\"")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"v\"\r\nTransfer-Encoding: chunked\r\n\r\n")
        origin.send("800\r\n" + String(repeating: "a", count: 0x800) + "\r\n")
        #expect(client.answers.map(\.status) == [304] && !origin.isClosed)
        for _ in 0..<64 where !origin.isClosed {
            origin.send("800\r\n" + String(repeating: "a", count: 0x800) + "\r\n")
        }
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    /// The rest of the document is fetched for the store, and the client does not wait for it.
    @Test func aPartEndsWithItsLastByte() throws {
        let bench = try bench()
        let client = bench.client()
        client.request("GET", "/fruits", "Range: bytes=1-3")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\n01")
        origin.send("2345")
        #expect(client.answers.map(\.text) == ["123"])
        // The connection serves the next request meanwhile.
        client.request("GET", "/fruits")
        origin.send("6789")
        #expect(client.answers.map(\.text) == ["123", "0123456789"] && fetches(bench) == 1)
        #expect(try bench.get("/fruits")["Cache-Status"] == "sluice; hit; ttl=60")
        bench.expectQuiet()
    }
}
