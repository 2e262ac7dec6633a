import Testing

@testable import SluiceGateway

/// What the admin socket refuses, and what it says then.
@Suite struct AdminRequestTests {
    static let refused: [(String, String, Int, String)] = [
        ("GET", "/", 404, "/cache/stats"), ("GET", "/fruits", 404, "not '/fruits'"),
        ("GET", "/cach", 404, "did you mean '/cache'?"), ("GET", "/cache/", 404, "not '/cache/'"),
        ("POST", "/cache", 405, "POST"), ("DELETE", "/cache/entry?target=/a", 405, "DELETE"),
        ("DELETE", "/cache", 400, "what is to be purged"), ("DELETE", "/cache?soft", 400, "what is to be purged"),
        ("DELETE", "/cache?all&tag=a", 400, "2 of them"), ("DELETE", "/cache?tag=a&tag=b", 400, "one value"),
        ("DELETE", "/cache?all=perhaps", 400, "true or false"), ("DELETE", "/cache?key=12", 400, "32 hexadecimal"),
        ("DELETE", "/cache?tga=a", 400, "did you mean 'tag'?"), ("GET", "/cache?limit=0", 400, "1 to 1000"),
        ("GET", "/cache?limit=1001", 400, "1 to 1000"), ("GET", "/cache?limit=x", 400, "1 to 1000"),
        ("GET", "/cache?state=old", 400, "fresh or stale"), ("GET", "/cache?after=x", 400, "earlier list"),
        ("GET", "/cache?tag=%zz", 400, "hexadecimal"), ("GET", "/cache?tag=%ff", 400, "percent-encoded"),
        ("GET", "/cache/entry", 400, "either"), ("GET", "/cache/entry?key=1&target=/a", 400, "key"),
        ("GET", "/cache/entry?target=/nothing", 404, "Nothing is stored"), ("GET", "/cache/stats?a=1", 400, "nothing"),
        ("GET", "/cache/explain", 400, "GET /fruits?limit=3"), ("GET", "/cache/explain?request=GET", 400, "method"),
        ("GET", "/cache/explain?request=GET%20fruits", 400, "method"),
        ("GET", "/cache/explain?request=GET%20/fruits%20x", 400, "method"),
        ("GET", "/cache/explain?request=G%28T%20/fruits", 400, "a method"),
        ("GET", "/cache/explain?request=OPTIONS%20/fruits", 405, "OPTIONS"),
        ("GET", "/cache/explain?request=GET%20/nothing", 404, "Nothing is bound"),
        ("GET", "/cache/explain?request=PUT%20/fruits", 405, "PUT"),
        ("GET", "/cache/explain?request=GET%20/fruits?limit=x", 400, "limit"),
        ("GET", "/cache/explain?request=GET%20/../fruits", 400, "segments"),
        // Credentials have no place in a target.
        ("GET", "/cache/explain?request=GET%20/fruits&field=x:y", 400, "request, client"),
        ("GET", "/reload", 405, "GET"), ("POST", "/reload?now", 400, "nothing"),
        ("POST", "/reload", 404, "cannot be reloaded"),
    ]

    @Test(arguments: refused)
    func refuses(_ method: String, _ target: String, _ status: Int, _ words: String) throws {
        let bench = try AdminBench()
        let answer = try bench.ask(target, by: method)
        #expect(answer.status == status)
        #expect(answer.text.contains(words), "\(answer.text)")
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(bench.fetches == 0)
        bench.bench.expectQuiet()
    }

    @Test(arguments: [("x", "Name: value"), ("x y: z", "as HTTP has them"), (": z", "as HTTP has them")])
    func refusesFields(_ field: String, _ words: String) throws {
        let answer = try AdminBench().ask(
            "/cache/explain", fields: ["Explain-Request: GET /fruits", "Explain-Field: \(field)"])
        #expect(answer.status == 400)
        #expect(answer.text.contains(words) && answer.text.contains(#""in":"header""#), "\(answer.text)")
    }

    /// No byte of it reaches the routes of the gateway, nor the other way round.
    @Test func theSocketsAreTwoWorlds() throws {
        let bench = try AdminBench()
        #expect(try bench.ask("/fruits").status == 404)
        #expect(try bench.bench.get("/cache").status == 404)
        let client = bench.bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
        client.request("GARBAGE\r\n\r\n")
        #expect(client.answers.first?.status == 400)
        #expect(bench.fetches == 0)
    }

    @Test func headHasNoBody() throws {
        let bench = try AdminBench()
        let client = bench.bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
        client.request("HEAD", "/cache")
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?.body.isEmpty == true)
        #expect(client.answers.first?["Cache-Control"] == "no-store")
    }
}
