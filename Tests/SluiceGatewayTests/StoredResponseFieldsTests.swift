import SluiceContract
import Testing

@testable import SluiceGateway

/// Fields of answers that are stored, and of those made from them: they belong to one representation (RFC 9110 §8.8,
/// §15.3.7, §15.4.5).
@Suite struct StoredResponseFieldsTests {
    private static let document = Coded.document(4000)

    private func bench(_ edit: (inout Binding) throws -> Void = { _ in }) throws -> Bench {
        let typed = try Build.binding("GET|HEAD /a", to: "fruit /a", value: "JSON") {
            $0.cache = StoredAnswerExam.policy
            $0.compression = Compression()
            try edit(&$0)
        }
        return try Bench(Build.configuration([typed]))
    }

    private func answer(_ fields: String..., body: String = document, status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined()
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// RFC 9110 §15.4.5: the validator of a 304 is that of the 200 that the same client would get.
    @Test(arguments: ["Accept-Encoding: gzip", "Accept-Encoding: identity", "Accept: */*"])
    func a304HasTheTagOfIts200(accept: String) throws {
        let bench = try bench()
        try bench.get("/a", answer: answer("ETag: \"whole\""))
        let whole = try bench.get("/a", accept)
        let etag = try #require(whole["ETag"])
        #expect(etag.hasPrefix("W/") == (whole["Content-Encoding"] != nil))
        let revalidated = try bench.get("/a", accept, "If-None-Match: \(etag)")
        #expect(revalidated.status == 304)
        #expect(revalidated.values("ETag") == [etag])
        #expect(revalidated["Vary"] == whole["Vary"])
        bench.expectQuiet()
    }

    /// RFC 9110 §15.3.7.
    @Test func aPartVariesAsItsWhole() throws {
        let bench = try bench()
        try bench.get("/a", answer: answer("Vary: Origin"))
        let whole = try bench.get("/a")
        let part = try bench.get("/a", "Range: bytes=0-9")
        #expect(part.status == 206 && part.bodyCount == 10)
        #expect(part["Vary"] == "Origin, Accept-Encoding")
        #expect(part["Vary"] == whole["Vary"])
        #expect(part["ETag"] == whole["ETag"])
        bench.expectQuiet()
    }

    /// Whoever asked gets its cookie, and the validator that all others get.
    @Test(arguments: [200, 203])
    func theFirstAnswerHasItsTag(status: Int) throws {
        let bench = try bench()
        let clients = (0..<2).map { _ in bench.client() }
        for client in clients { client.request("GET", "/a") }
        try bench.origin().send(answer("Set-Cookie: a=1", "Set-Cookie: b=2", status: "\(status) X"))
        let seen = clients.compactMap(\.answers.first) + [try bench.get("/a")]
        #expect(seen.map { $0.values("Set-Cookie") } == [["a=1", "b=2"], [], []])
        #expect(seen[0]["ETag"] != nil)
        #expect(Set(seen.map { $0["ETag"] }).count == 1)
        #expect(seen.allSatisfy { $0.text == Self.document && $0.status == status })
        clients.forEach { $0.reset() }
        bench.expectQuiet()
    }

    /// RFC 9111 §5.2.2.4, §5.2.2.7: what may not be stored is not withheld from the one who asked.
    @Test(arguments: ["no-cache", "private"])
    func namedFieldsAreForTheFirstAlone(directive: String) throws {
        let bench = try bench { $0.value = nil }
        let first = try bench.get("/a", answer: answer("Cache-Control: max-age=60, \(directive)=\"X-Own\"", "X-Own: 1"))
        #expect(first["X-Own"] == "1")
        let second = try bench.get("/a")
        #expect(second["Cache-Status"]?.contains("hit") == true)
        #expect(second["X-Own"] == nil)
    }

    /// The request that is told that what is stored is still right gets the cookie that comes with that.
    @Test func a304BringsItsCookie() throws {
        let bench = try bench()
        try bench.get("/a", answer: answer("ETag: \"whole\""))
        bench.advance(by: .seconds(61))
        let asked = try bench.get("/a", answer: "HTTP/1.1 304 X\r\nSet-Cookie: a=1\r\n\r\n")
        #expect(asked.status == 200 && asked["Set-Cookie"] == "a=1")
        #expect(try bench.get("/a")["Set-Cookie"] == nil)
    }

    /// What a 304 proves is the whole document, and what is stored is a slice of it.
    @Test(arguments: [
        "Repr-Digest: sha-256=:AAAA:", "Content-Digest: sha-256=:AAAA:", "Digest: x", "Signature: s=:AA:",
    ])
    func a304ProvesNothingOfASlice(field: String) throws {
        let bench = try bench()
        try bench.get("/a", answer: answer("ETag: \"whole\""))
        bench.advance(by: .seconds(61))
        let asked = try bench.get("/a", answer: "HTTP/1.1 304 X\r\n\(field)\r\nX-A: 1\r\n\r\n")
        #expect(asked.status == 200 && asked["X-A"] == "1")
        let name = String(field.prefix { $0 != ":" })
        #expect(asked[name] == nil)
        #expect(try bench.get("/a")[name] == nil)
    }

    /// A field that `Connection` names does not reach the upstream (RFC 9110 §7.6.1): what that says without it is not
    /// kept for those who send it.
    @Test(arguments: ["accept-language", "close, Accept-Language", "keep-alive, close"])
    func whatConnectionNamesIsNotKeyed(options: String) throws {
        let bench = try bench {
            $0.value = nil; $0.compression = nil
        }
        let english = answer("Vary: Accept-Language", body: "english")
        let isNamed = options.lowercased().contains("language")
        let first = try bench.get("/a", "Accept-Language: de", "Connection: \(options)", answer: english)
        #expect(first.text == "english")
        #expect(try bench.forwarded()["Accept-Language"] == (isNamed ? nil : "de"))
        let second = try bench.get("/a", "Accept-Language: de", answer: answer(body: "deutsch"))
        #expect(second.text == (isNamed ? "deutsch" : "english"))
    }

    /// Without a cache: the 200 is a slice without the upstream's validator, so the 304 is of no other.
    @Test(arguments: [false, true])
    func a304OfASliceSaysNothingOfTheWhole(isCached: Bool) throws {
        let bench = try bench { if !isCached { $0.cache = nil } }
        let seen = try bench.get(
            "/a", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
            answer:
                "HTTP/1.1 304 X\r\nETag: \"whole\"\r\nContent-Location: /all\r\nContent-Length: 77\r\nX-A: 1\r\n\r\n")
        #expect(seen.status == 304)
        for name in ["ETag", "Content-Location", "Content-Length"] { #expect(seen[name] == nil, "\(name)") }
        #expect(seen["X-A"] == "1")
        #expect(seen["Vary"] == "Accept-Encoding")
        bench.expectQuiet()
    }

    /// It is a 200 that a 304 stands for, whatever is cut out of other answers.
    @Test(arguments: [false, true], [200, 201])
    func a304SpeaksOfWhatThe200WouldBe(isCached: Bool, cut: Int) throws {
        let bench = try bench {
            $0.value = nil
            $0.valueByStatus = [cut: .scalar(.json)]
            if !isCached { $0.cache = nil }
        }
        let seen = try bench.get(
            "/a", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
            answer: "HTTP/1.1 304 X\r\nETag: \"whole\"\r\nContent-Location: /all\r\nX-A: 1\r\n\r\n")
        #expect(seen.status == 304)
        #expect(seen["ETag"] == (cut == 200 ? nil : "\"whole\""))
        #expect(seen["Content-Location"] == (cut == 200 ? nil : "/all"))
        #expect(seen["X-A"] == "1")
        if cut == 200 { #expect(seen["Vary"] == "Accept-Encoding") }
        bench.expectQuiet()
    }

    /// What only the one gets who asked is a slice all the same, and says what it is.
    @Test func aSliceThatIsNotStoredHasItsType() throws {
        let bench = try bench()
        let seen = try bench.get("/a", answer: answer("Cache-Control: no-store", "X-A: 1", body: "[1]"))
        #expect(seen.status == 200 && seen.text == "[1]")
        #expect(seen["Content-Type"] == "application/json")
        #expect(seen["X-A"] == "1")
        bench.expectQuiet()
    }

    /// RFC 9110 §14.4: one `Content-Range`, which is ours.
    @Test(arguments: [("bytes=1-2", "bytes 1-2/4000"), ("bytes=9000-", "bytes */4000")])
    func aPartHasOneContentRange(range: String, expected: String) throws {
        let bench = try bench { $0.value = nil }
        let body = String(repeating: "x", count: 4000)
        try bench.get("/a", answer: answer("Content-Range: bytes 0-3999/9999", body: body))
        #expect(try bench.get("/a", "Range: \(range)").values("Content-Range") == [expected])
        bench.expectQuiet()
    }

    /// What a typed binding passes uncut is the upstream's, validator included, and is not compressed here. A coding
    /// that only the gateway had asked for is taken off, for what is stored and for the client that does not take it.
    @Test func whatPassesUncutKeepsItsFields() throws {
        let bench = try bench()
        let moved = answer("ETag: \"up\"", "Location: /b", status: "301 Moved")
        for _ in 0..<2 {
            let seen = try bench.get("/a", "Accept-Encoding: gzip", answer: moved)
            #expect(seen.status == 301)
            #expect(seen.values("ETag") == ["\"up\""])
            #expect(seen.values("Content-Encoding").isEmpty)
            #expect(seen.text == Self.document)
        }
        let other = try self.bench()
        let client = other.client()
        client.request("GET", "/a", "Accept-Encoding: br")
        let head = "HTTP/1.1 302 Found\r\nETag: \"up\"\r\nCache-Control: no-store\r\nContent-Encoding: gzip"
        try other.origin().send(Coded.message(head, try Coded.bytes(Self.document, .gzip)))
        let seen = try #require(client.answers.first)
        #expect(seen.values("Content-Encoding").isEmpty && seen.text == Self.document)
        #expect(seen.values("ETag") == ["W/\"up\""])
    }
}
