import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Answers made to break the gateway, or to make it hand on what is not the client's.
@Suite struct HostileAnswerTests {
    /// "Never", as APIs write it.
    @Test(arguments: ["\"9999-12-31T23:59:59Z\"", "99999999999", "253402300799000"])
    func aTokenWithoutEnd(expires: String) throws {
        let keep = Binding.Keep(bearer: try #require(FieldPath("token")), expires: FieldPath("exp"))
        let bench = try Bench(
            Build.configuration([
                Build.binding("POST /in", to: "fruit /in") { $0.keep = keep },
                Build.binding("GET /me", to: "fruit /me"),
            ]))
        let client = bench.client()
        client.request("POST", "/in", type: "application/json", body: "{}")
        try bench.origin().answer(200, body: #"{"token":"abcdefgh1234","exp":\#(expires)}"#)
        bench.advance(by: .seconds(3600))
        try bench.get("/me")
        #expect(try bench.forwarded()["Authorization"] == "Bearer abcdefgh1234")
    }

    /// What the upstream was asked for may hold a key; whatever repeats it stays here.
    @Test(arguments: [
        "Content-Location: /v1/a?key=s3cr3t-key-1", "Refresh: 0; url=/v1/a?key=s3cr3t-key-1",
        "Location: http://other.example/a?key=s3cr3t-key-1", "Link: </x;key=s3cr3t-key-1>; rel=next",
        "X-Asked: /v1/a?KEY=s3cr3t%2Dkey%2D1",
    ])
    func aKeyInTheTargetIsNotHandedOn(line: String) throws {
        let key = Parameter(
            name: "key", location: .query, type: .scalar(.string), defaultJSON: "\"s3cr3t-key-1\"", isFixed: true)
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a") { $0.parameters = [key] }]))
        let answer = try bench.get(
            "/a", answer: "HTTP/1.1 200 OK\r\n\(line)\r\nX-Kept: 1\r\nContent-Length: 2\r\n\r\nok")
        #expect(try bench.forwarded().target.contains("s3cr3t-key-1"))
        #expect(!answer.fields.contains { $0.value.contains("s3cr3t") }, "\(answer.fields)")
        #expect(answer["X-Kept"] == "1" && answer.text == "ok")
    }

    /// RFC 9110 §15.3.6, §15.4.5.
    @Test(arguments: [
        ("205 X", "Content-Length: 2\r\n\r\n{}", 502), ("205 X", "Content-Length: 0\r\n\r\n", 205),
        ("304 X", "\r\n", 502),
    ])
    func whatATypedBindingDoesNotCheckIsNotHandedOn(status: String, rest: String, expected: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("GET /a", to: "fruit /a", value: "[Int]")]))
        #expect(try bench.get("/a", answer: "HTTP/1.1 \(status)\r\n\(rest)").status == expected)
    }

    @Test(arguments: ["If-None-Match: \"a\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], [nil, "Int"])
    func a304ThatWasAskedFor(field: String, value: String?) throws {
        let bench = try Bench(Build.configuration([try Build.binding("GET /a", to: "fruit /a", value: value)]))
        #expect(try bench.get("/a", field, answer: "HTTP/1.1 304 X\r\nETag: \"a\"\r\n\r\n").status == 304)
    }

    /// Keys of dictionaries are data: they are told to the client that asked, and to nobody else.
    @Test func keysOfDictionariesAreNotTold() throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a", value: "[String: [String: Int]]")]))
        let body = #"{"alice@example.com":{"x":1,"secret-1":"no"}}"#
        let answer = try bench.get("/a", answer: "HTTP/1.1 200 X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.status == 502 && answer.text.contains("alice@example.com"))
        #expect(bench.gateway.loop.metrics.registry.drift.all.map(\.path) == ["$[*][*]"])
    }

    // MARK: - What is stored

    /// A key says who asks, as `Authorization` does (RFC 9111 §3.5).
    @Test func anAnswerToAKeyIsNotForOthers() throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a") { $0.cache = CachePolicy() }]))
        for name in ["one", "two"] {
            let answer = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 3\r\n\r\n\(name)"
            #expect(try bench.get("/a", "X-API-Key: \(name)", answer: answer).text == name)
        }
    }

    /// RFC 9111 §4.1: what a 304 makes depend on another field is not found without it.
    @Test func aVaryThatComesWithA304() throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a") { $0.cache = CachePolicy() }]))
        let first = "HTTP/1.1 200 OK\r\nCache-Control: max-age=5\r\nETag: \"a\"\r\nContent-Length: 3\r\n\r\none"
        try bench.get("/a", "X-Q: 1", answer: first)
        bench.advance(by: .seconds(6))
        let update = "HTTP/1.1 304 X\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\nVary: X-Q\r\n\r\n"
        #expect(try bench.get("/a", "X-Q: 1", answer: update).text == "one")
        let second = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo"
        #expect(try bench.get("/a", "X-Q: 2", answer: second).text == "two")
    }
}
