import Foundation
import Testing

/// httpbin, which tells what it was sent.
@Suite(.needsPeers) struct HttpbinTests {
    private func gateway() throws -> Daemon {
        try Daemon(
            """
            upstreams:
              httpbin:
                url: "\(Httpbin.shared.get().url)"
                bearer: {value: secret}
                timeout: {first-byte: 2s}
            types:
              Slide: {title: String, type: all | some, items: "[String]?"}
            bindings:
              ANY /raw/**: {to: httpbin /**}
              GET /bearer: {to: httpbin /bearer, parent: token, value: String}
              GET /nobearer: {to: httpbin /bearer, bearer: false, value: JSON}
              GET /slides: {to: httpbin /json, parent: slideshow.slides, value: [Slide]}
              GET /search:
                to: httpbin /get
                params: {q: String, limit: Int = 10, tags: [String], exact: Bool?}
                parent: args
                value: {q: String, limit: String}
              POST /echo:
                to: httpbin /post
                body: {name: String, size: Int}
                wrap: fruit
                parent: json.fruit
                value: {name: String, size: Int}
              POST /form:
                to: httpbin /post
                body: {form: {name: String, size: Int}}
                parent: form
                value: {name: String, size: String}
            """)
    }

    @Test func theBearerArrives() throws {
        let gateway = try gateway()
        defer { gateway.end() }
        #expect(try gateway.get("/bearer").text == #""secret""#)
        try gateway.get("/nobearer").expectProblem(.upstreamError, status: 401)
    }

    @Test func valuesAreCutOut() throws {
        let gateway = try gateway()
        defer { gateway.end() }
        let response = try gateway.get("/slides")
        #expect(response.status == 200, "\(response.text)")
        let slides = try JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]]
        #expect(slides?.count == 2)
        #expect(slides?.first?["title"] as? String == "Wake up to WonderWidgets!")
    }

    @Test func parametersArrive() throws {
        let gateway = try gateway()
        defer { gateway.end() }
        let response = try gateway.get("/search?q=a%26b&tags=x&tags=y")
        #expect(response.status == 200, "\(response.text)")
        let value = try JSONSerialization.jsonObject(with: Data(response.body)) as? NSDictionary
        #expect(value == ["q": "a&b", "limit": "10", "tags": ["x", "y"]])
        let problem = try gateway.get("/search?limit=x").expectProblem(.badParameters)
        #expect(Set(problem.faults?.map(\.name) ?? []) == ["q", "limit"])
    }

    @Test func aBodyIsCheckedAndWrapped() throws {
        let gateway = try gateway()
        defer { gateway.end() }
        let response = try gateway.post("/echo", json: #"{"name": "fig", "size": 3}"#)
        #expect(response.status == 200, "\(response.text)")
        let value = try JSONSerialization.jsonObject(with: Data(response.body)) as? NSDictionary
        #expect(value == ["name": "fig", "size": 3])
        let problem = try gateway.post("/echo", json: #"{"name": "fig", "size": "3"}"#).expectProblem(.badBody)
        #expect(problem.faults?.first?.name == "$.size")
        #expect(problem.faults?.first?.in == "body")
    }

    @Test func aFormIsChecked() throws {
        let gateway = try gateway()
        defer { gateway.end() }
        let fields = ["Content-Type: application/x-www-form-urlencoded"]
        let response = try gateway.client().request("POST", "/form", fields: fields, body: "name=a+b%21&size=3")
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text.contains(#""name": "a b!""#))
        try gateway.client().request("POST", "/form", fields: fields, body: "name=a&size=big")
            .expectProblem(.badBody)
        try gateway.client().request("POST", "/form", fields: ["Content-Type: text/plain"], body: "name=a")
            .expectProblem(.unsupportedMediaType)
    }

    /// What passes untouched, status and body.
    @Test(arguments: [
        ("GET", "/raw/status/418", 418), ("GET", "/raw/stream/5", 200), ("GET", "/raw/bytes/5000?seed=1", 200),
        ("GET", "/raw/gzip", 200), ("DELETE", "/raw/delete", 200), ("GET", "/raw/redirect/1", 302),
        ("GET", "/raw/status/204", 204), ("GET", "/raw/stream-bytes/70000?seed=2&chunk_size=999", 200),
        ("HEAD", "/raw/get", 200), ("OPTIONS", "/raw/get", 200),
    ])
    func passedUntouched(_ method: String, _ target: String, _ status: Int) throws {
        let gateway = try gateway()
        defer { gateway.end() }
        let through = try gateway.client().request(method, target)
        let direct = try HTTPClient(port: Httpbin.shared.get().port)
            .request(method, String(target.dropFirst("/raw".count)), fields: ["Authorization: Bearer secret"])
        #expect(through.status == status)
        #expect(through.isComplete)
        #expect(through["Content-Type"] == direct["Content-Type"])
        #expect(through["Content-Encoding"] == direct["Content-Encoding"])
        // httpbin says who asked, and the fields that came; what it draws from a seed is the same twice.
        if target.contains("seed") { #expect(through.body == direct.body) }
    }

    @Test func slowIsTooSlow() throws {
        let gateway = try gateway()
        defer { gateway.end() }
        try gateway.get("/raw/delay/5").expectProblem(.firstByteTimeout)
    }

    @Test func cookiesPass() throws {
        let gateway = try gateway()
        defer { gateway.end() }
        let set = try gateway.get("/raw/cookies/set?a=1&b=2")
        #expect(set.values("Set-Cookie").count == 2)
        let response = try gateway.get("/raw/cookies", fields: ["Cookie: a=1; b=2"])
        #expect(response.text.contains(#""b": "2""#), "\(response.text)")
    }

    @Test func forwardedFieldsTellOfTheClient() throws {
        let gateway = try gateway()
        defer { gateway.end() }
        let response = try gateway.get("/raw/headers?show_env=1", fields: ["X-Forwarded-For: 192.0.2.1"])
        #expect(response.text.contains(#""X-Forwarded-Proto": "http""#), "\(response.text)")
        #expect(response.text.contains("127.0.0.1"))
        #expect(!response.text.contains(#""X-Forwarded-For": "192.0.2.1""#), "nobody may pose as somebody else")
    }
}
