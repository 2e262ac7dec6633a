import SluiceContract
import Testing

@testable import SluiceGateway

/// Pages of other origins (DESIGN §9; Fetch standard §3.2).
@Suite struct ExchangeOriginTests {
    private static func bench(_ policy: CrossOriginPolicy? = nil) throws -> Bench {
        try Bench(
            Build.configuration([
                try Build.binding("GET /fruits", to: "fruit /fruits") { $0.crossOrigin = policy },
                try Build.binding("POST /fruits", to: "fruit /fruits") { $0.crossOrigin = policy },
            ]))
    }

    private static let app = CrossOriginPolicy(.list(["https://app.example", "http://localhost:3000"]))

    static let withoutPolicy: [([String], Int)] = [
        ([], 200), (["Sec-Fetch-Site: none"], 200), (["Sec-Fetch-Site: same-origin"], 200),
        (["Sec-Fetch-Site: cross-site"], 403), (["Sec-Fetch-Site: Cross-Site"], 403),
        (["Sec-Fetch-Site: same-site"], 403), (["Sec-Fetch-Site: Same-Site"], 403),
        (["Sec-Fetch-Site: next-door"], 200), (["Origin: http://localhost", "Sec-Fetch-Site: same-origin"], 200),
        (["Origin: http://localhost", "Sec-Fetch-Site: same-site"], 403),
        (["Origin: http://localhost"], 200), (["Origin: http://localhost:80"], 200),
        (["ORIGIN: HTTP://LocalHost"], 200),
        (["Origin: https://localhost"], 403), (["Origin: http://localhost:8080"], 403),
        (["Origin: http://evil.example"], 403), (["Origin: null"], 403), (["Origin: "], 403),
        (["Origin: http://localhost.evil.example"], 403), (["Origin: http://localhost@evil.example"], 403),
        (["Origin: http://localhost", "Origin: http://evil.example"], 403),
        (["Origin: http://localhost", "Sec-Fetch-Site: cross-site"], 403),
    ]

    @Test(arguments: withoutPolicy)
    func whoMayAsk(fields: [String], status: Int) throws {
        let bench = try Self.bench()
        let head = "GET /fruits HTTP/1.1\r\nHost: localhost\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
        #expect(try bench.exchange(head).status == status)
        #expect(bench.origins.isEmpty == (status == 403))
    }

    /// A page served over TLS has another origin than one that was not.
    @Test func theSchemeCounts() throws {
        let bench = try Self.bench()
        let client = bench.client(isTLS: true)
        client.request("GET", "/fruits", "Origin: http://localhost")
        client.request("GET", "/fruits", "Origin: https://localhost")
        try bench.origin().answer(200)
        #expect(client.answers.map(\.status) == [403, 200])
    }

    @Test func aListedOriginIsLetIn() throws {
        let bench = try Self.bench(Self.app)
        let answer = try bench.get(
            "/fruits", "Origin: https://app.example", "Sec-Fetch-Site: cross-site",
            answer: "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.status == 200)
        #expect(answer.values("Access-Control-Allow-Origin") == ["https://app.example"])
        #expect(answer.values("Vary") == ["Origin"])
        #expect(answer["Access-Control-Allow-Credentials"] == nil)
        let other = try bench.get("/fruits", "Origin: https://app.example:444")
        #expect(other.status == 403)
        #expect(other["Access-Control-Allow-Origin"] == nil)
        // Caches have to know, whoever asks first (RFC 9110 §12.5.5).
        #expect(try bench.get("/fruits").values("Vary") == ["Origin"])
        // An embedded picture sends no Origin: nobody knows whose page it is.
        #expect(try bench.get("/fruits", "Sec-Fetch-Site: cross-site").status == 403)
    }

    /// Problems too can be read by the page.
    @Test func problemsAreReadable() throws {
        let answer = try Self.bench(Self.app).get("/fruits?x=1", "Origin: http://localhost:3000")
        #expect(answer.status == 400)
        #expect(answer["Access-Control-Allow-Origin"] == "http://localhost:3000")
    }

    @Test func anyOriginWithAndWithoutCredentials() throws {
        let open = try Self.bench(CrossOriginPolicy(.any)).get("/fruits", "Origin: https://a.example")
        #expect(open["Access-Control-Allow-Origin"] == "*")
        #expect(open["Vary"] == nil)
        var policy = CrossOriginPolicy(.any)
        policy.credentials = true
        policy.expose = ["ETag", "RateLimit"]
        let answer = try Self.bench(policy).get("/fruits", "Origin: https://a.example")
        #expect(answer["Access-Control-Allow-Origin"] == "https://a.example")
        #expect(answer["Access-Control-Allow-Credentials"] == "true")
        #expect(answer["Access-Control-Expose-Headers"] == "ETag, RateLimit")
        #expect(answer["Vary"] == "Origin")
        #expect(try Self.bench(policy).get("/fruits", "Sec-Fetch-Site: cross-site").status == 200)
    }

    /// An upstream does not open the gateway to pages it knows nothing of.
    @Test func theUpstreamsFieldsStayBehind() throws {
        let answer = try Self.bench().get(
            "/fruits",
            answer: "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Credentials: true\r\n"
                + "Content-Length: 0\r\n\r\n")
        #expect(answer.fields.allSatisfy { !$0.name.lowercased().hasPrefix("access-control") })
    }

    // MARK: - Preflights

    private static func preflight(_ bench: Bench, _ fields: String..., path: String = "/fruits") throws -> Message {
        try bench.exchange(
            "OPTIONS \(path) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    @Test func aPreflightIsAnsweredHere() throws {
        let bench = try Self.bench(Self.app)
        let answer = try Self.preflight(
            bench, "Origin: https://app.example", "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: content-type,x-api-key", "Access-Control-Request-Private-Network: true")
        #expect(answer.status == 204)
        #expect(answer["Access-Control-Allow-Origin"] == "https://app.example")
        #expect(answer["Access-Control-Allow-Methods"] == "GET, HEAD, POST")
        #expect(answer["Access-Control-Allow-Headers"] == "content-type, x-api-key")
        #expect(answer["Access-Control-Max-Age"] == "600")
        #expect(answer["Access-Control-Allow-Private-Network"] == "true")
        #expect(answer.values("Vary") == ["Origin", "Access-Control-Request-Method, Access-Control-Request-Headers"])
        #expect(bench.origins.isEmpty)
        bench.expectQuiet()
    }

    @Test func whatIsConfiguredIsSaid() throws {
        var policy = Self.app
        policy.headers = ["X-A"]
        policy.privateNetwork = false
        policy.maxAge = .seconds(5)
        let answer = try Self.preflight(
            try Self.bench(policy), "Origin: https://app.example", "Access-Control-Request-Method: GET",
            "Access-Control-Request-Headers: x-b", "Access-Control-Request-Private-Network: true")
        #expect(answer["Access-Control-Allow-Headers"] == "X-A")
        #expect(answer["Access-Control-Max-Age"] == "5")
        #expect(answer["Access-Control-Allow-Private-Network"] == nil)
    }

    @Test(arguments: [
        ("https://evil.example", "GET", "/fruits", 403), ("http://localhost", "GET", "/fruits", 403),
        ("https://app.example", "DELETE", "/fruits", 405), ("https://app.example", "GET", "/nothing", 404),
    ])
    func aPreflightIsRefused(origin: String, method: String, path: String, status: Int) throws {
        let bench = try Self.bench(Self.app)
        let answer = try Self.preflight(
            bench, "Origin: \(origin)", "Access-Control-Request-Method: \(method)", path: path)
        #expect(answer.status == status)
        #expect(answer["Access-Control-Allow-Origin"] == nil)
        #expect(bench.origins.isEmpty)
    }

    /// A header list of the client is said back as tokens or not at all.
    @Test func nothingElseIsEchoed() throws {
        let answer = try Self.preflight(
            try Self.bench(Self.app), "Origin: https://app.example", "Access-Control-Request-Method: GET",
            "Access-Control-Request-Headers: x-a, b c, \"d\", e")
        #expect(answer["Access-Control-Allow-Headers"] == "x-a, e")
    }
}
