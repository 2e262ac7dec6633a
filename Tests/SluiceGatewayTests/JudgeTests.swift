import SluiceContract
import Testing

@testable import SluiceGateway

/// Status first, then shape: whose error it is, and what of it is kept (DESIGN §8).
@Suite struct JudgeTests {
    static func answer(
        _ status: Int, body: String, fields: String = "", _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Message {
        let upstream = Build.upstream {
            $0.error = ErrorPaths(message: FieldPath("error.message"), code: FieldPath("error.code"))
            $0.errorByStatus = [422: ErrorPaths(message: FieldPath("errors.0.text"))]
        }
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a", edit)], upstreams: [upstream]))
        defer { bench.expectQuiet() }
        return try bench.get(
            "/a", answer: "HTTP/1.1 \(status) X\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    @Test(
        arguments: [
            (404, #"{"error": {"message": "no such fruit", "code": 17}}"#, "no such fruit", #""code":"17""#),
            (500, #"{"error": {"message": "a \"b\" \u00e9", "code": "E1"}}"#, #"a \"b\" é"#, #""code":"E1""#),
            (422, #"{"errors": [{"text": "too small"}]}"#, "too small", #""status":422"#),
            (400, "<html>", "answered with status 400", #""source":"upstream""#),
            (503, "", "503", #""retryable":true"#),
            (401, #"{"error": {"message": ["x"]}}"#, "401", #""upstream":"fruit""#),
        ])
    func errorsComeOutInTheEnvelope(status: Int, body: String, detail: String, other: String) throws {
        let answer = try Self.answer(status, body: body) { $0.value = .scalar(.json) }
        #expect(answer.status == status)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(answer.text.contains(detail) && answer.text.contains(other), "\(answer.text)")
    }

    /// What is beyond a limit may be as declared: it is no drift, and the limit is named.
    @Test(arguments: [
        ("[[[[[1]]]]]", "json-depth", "at most 4 levels of nesting"),
        (#""123456789""#, "json-string", "at most 8 bytes"),
        (#"{"a":1,"b":2,"c":3,"d":4}"#, "json-keys", "at most 3 keys"),
        ("[" + String(repeating: " ", count: 60) + "]", "json-document", "at most 60 bytes"),
    ])
    func limitsAreNamed(body: String, limit: String, expected: String) throws {
        let bindings = [
            try Build.binding("GET /a", to: "fruit /a", value: "JSON"),
            try Build.binding("POST /a", to: "fruit /a") { $0.body = .json(.scalar(.json)) },
        ]
        let bench = try Bench(
            Build.configuration(bindings) {
                ($0.limits.jsonDepth, $0.limits.jsonStringBytes, $0.limits.jsonKeys) = (4, 8, 3)
                $0.limits.jsonBytes = 60
            })
        let answer = try bench.get("/a", answer: "HTTP/1.1 200 X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.status == 502 && answer.text.contains("upstream-too-large"), "\(answer.text)")
        #expect(answer.text.contains("'limits.\(limit)'") && answer.text.contains(expected), "\(answer.text)")
        #expect(bench.gateway.loop.metrics.registry.drift.all.isEmpty)
        let client = bench.client()
        client.request("POST", "/a", type: "application/json", body: body)
        let refused = try #require(client.answers.first)
        #expect(refused.status == 400 && refused.text.contains("'limits.\(limit)'"), "\(refused.text)")
    }

    @Test func theBindingsOwnPathsWin() throws {
        let answer = try Self.answer(400, body: #"{"why": "because", "error": {"message": "no", "code": "C"}}"#) {
            $0.error = ErrorPaths(message: FieldPath("why"))
        }
        #expect(answer.text.contains("because") && answer.text.contains(#""code":"C""#), "\(answer.text)")
        let byStatus = try Self.answer(400, body: #"{"why": "because"}"#) {
            $0.errorByStatus = [400: ErrorPaths(message: FieldPath("why"))]
        }
        #expect(byStatus.text.contains("because"))
    }

    @Test(arguments: [("Retry-After: 7\r\n", "7"), ("Retry-After: -1\r\n", nil), ("", nil)] as [(String, String?)])
    func retryHintsAreKept(field: String, kept: String?) throws {
        #expect(try Self.answer(429, body: "", fields: field) { $0.value = .scalar(.json) }["Retry-After"] == kept)
    }

    /// RFC 9110 §15.5.2.
    @Test func challengesComeAlong() throws {
        let answer = try Self.answer(401, body: "", fields: "WWW-Authenticate: Bearer realm=\"x\"\r\n") {
            $0.value = .scalar(.json)
        }
        #expect(answer.status == 401)
        #expect(answer["WWW-Authenticate"] == "Bearer realm=\"x\"")
    }

    /// RFC 9110 §15.5.6, §15.5.16, §15.5.17, §15.5.22: what the status has to say.
    @Test(
        arguments: [
            (405, "Allow", "GET, BREW", true), (404, "Allow", "GET", false), (415, "Accept", "text/csv", true),
            (415, "Accept-Encoding", "br", true), (400, "Accept-Encoding", "br", false),
            (416, "Content-Range", "bytes */9", true), (400, "Content-Range", "bytes */9", false),
            (426, "Upgrade", "HTTP/2.0", true), (400, "Upgrade", "HTTP/2.0", false),
            (403, "WWW-Authenticate", "Bearer scope=x", true),
        ])
    func theStatusKeepsItsFields(status: Int, name: String, value: String, isKept: Bool) throws {
        let fields = "\(name): \(value)\r\n" + (name == "Upgrade" ? "Connection: Upgrade\r\n" : "")
        let answer = try Self.answer(status, body: "", fields: fields) { $0.value = .scalar(.json) }
        #expect(answer.status == status)
        #expect(answer.values(name) == (isKept ? [value] : []))
        #expect((answer["Connection"] == "Upgrade") == (isKept && name == "Upgrade"))
    }

    /// RFC 9110 §15.5.22: also where the answer passes as it is.
    @Test func aPassed426NamesTheProtocol() throws {
        let answer = try Self.answer(426, body: "", fields: "Connection: Upgrade\r\nUpgrade: TLS/1.0, HTTP/2.0\r\n")
        #expect(answer.status == 426)
        #expect(answer["Upgrade"] == "TLS/1.0, HTTP/2.0")
        #expect(answer["Connection"] == "Upgrade")
        #expect(try Self.answer(400, body: "", fields: "Connection: Upgrade\r\nUpgrade: x\r\n")["Upgrade"] == nil)
    }

    /// RFC 9110 §15.3.7: a part that nobody asked for is no document; a range of another unit than bytes may be one.
    @Test(
        arguments: [
            ("", 502), ("Content-Range: bytes 0-2/9\r\n", 502), ("Content-Range: BYTES 0-2/*\r\n", 502),
            ("Content-Type: multipart/byteranges; boundary=a\r\n", 502), ("Content-Range: items 0-2/9\r\n", 206),
            ("Content-Range: 0-2/*\r\n", 206),
        ])
    func anUnaskedPart(field: String, status: Int) throws {
        let answer = try Self.answer(206, body: "[1]", fields: field) { $0.value = .scalar(.json) }
        #expect(answer.status == status)
        if status == 206 {
            #expect(answer.text == "[1]")
            #expect(answer["Content-Range"] == String(field.dropFirst(15).dropLast(1)))
        } else {
            #expect(answer.text.contains("upstream-protocol") && answer.text.contains("206"))
        }
    }

    /// A 403 that says when to come back is a quota, and no answer for good.
    @Test(arguments: [("Retry-After: 7\r\n", true), ("", false)])
    func a403MayBeRetried(field: String, isRetryable: Bool) throws {
        let answer = try Self.answer(403, body: "", fields: field) { $0.value = .scalar(.json) }
        #expect(answer.text.contains("\"retryable\":\(isRetryable)"))
    }

    /// Without a value or error paths of its own a binding passes errors through as they are.
    @Test(arguments: [301, 304, 400, 500])
    func untypedBindingsPassErrorsThrough(status: Int) throws {
        let answer = try Self.answer(
            status, body: status == 304 ? "" : "as it is", fields: "Location: /x\r\nX-A: b\r\n")
        #expect(answer.status == status)
        #expect(answer.text == (status == 304 ? "" : "as it is"))
        #expect(answer["X-A"] == "b")
        #expect(answer["Location"] == "/x")
    }

    @Test func aLongErrorIsReadToALimit() throws {
        let body = #"{"error": {"message": "early", "pad": ""# + String(repeating: "x", count: 200_000) + #""}}"#
        let answer = try Self.answer(500, body: body) { $0.value = .scalar(.json) }
        #expect(answer.status == 500)
        #expect(answer.text.utf8.count < 2000)
    }

    /// A redirect goes to the client; followed where it was asked for, and then only on the same origin (RFC 9110
    /// §10.2.2, RFC 3986 §5.2).
    @Test(
        arguments: [
            ("/v1/b", "/v1/b"), ("http://fruit.example/v1/b", "/v1/b"), ("HTTP://Fruit.Example:80/v1/b", "/v1/b"),
            ("http://fruit.example:/v1/b", "/v1/b"), ("b", "/v1/c/b"), ("./b", "/v1/c/b"), ("../b", "/v1/b"),
            ("?x=1", "/v1/c/a?x=1"), ("b?x#y", "/v1/c/b?x"), ("/v1/../b", "/b"), ("../../../b", "/b"),
            ("#x", "/v1/c/a?q=1"), ("http://fruit.example", "/"), ("http://fruit.example?x", "/?x"),
            ("//fruit.example/b", "/b"), ("http://name.example/b", "/b"), ("b%20c", "/v1/c/b%20c"),
            ("http://other.example/v1/b", nil), ("//other.example/b", nil), ("https://fruit.example/v1/b", nil),
            ("http://fruit.example.evil/b", nil), ("http://fruit.example:81/b", nil), ("http://x@fruit.example/b", nil),
            ("mailto:b", nil), ("/v1\\b", nil), ("\\b", nil), ("/v1/%2e%2e/b", nil), ("/b c", nil), ("/b%zz", nil),
            ("/..//other.example", nil),
        ] as [(String, String?)])
    func redirectsAreFollowedOnTheSameOrigin(location: String, target: String?) throws {
        let bench = try Bench(
            Build.configuration(
                [
                    try Build.binding("GET /a", to: "fruit /c/a") {
                        $0.follow = .sameOrigin
                        $0.unknownParameters = .pass
                    }
                ],
                upstreams: [
                    Build.upstream {
                        $0.bearer = .value("x")
                        $0.host = .fixed("name.example")
                    }
                ]), tokens: ["fruit": "secret"])
        let client = bench.client()
        client.request("GET", "/a?q=1")
        try bench.origin().answer(302, "Location: \(location)")
        if let target {
            #expect(try bench.origin().requests.last?.target == target)
            #expect(try bench.origin().requests.last?["Authorization"] == "Bearer secret")
            try bench.origin().answer(200, body: "there")
            #expect(client.answers.first?.text == "there")
        } else {
            #expect(client.answers.first?.status == 302)
            #expect(client.answers.first?["Location"] == location)
            #expect(try bench.origin().requests.count == 1)
        }
        bench.expectQuiet()
    }

    /// A path that begins with two slashes is one all the same, and names no host.
    @Test(arguments: [("/b/c", "/b/c"), ("b", nil), ("?w", nil)] as [(String, String?)])
    func theBaseIsWhatWasAskedFor(location: String, target: String?) throws {
        let upstream = Build.upstream {
            $0.basePath = ""
            $0.follow = .sameOrigin
        }
        let bench = try Bench(
            Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")], upstreams: [upstream]))
        let client = bench.client()
        client.request("GET", "/raw//x/y?z")
        #expect(try bench.forwarded().target == "//x/y?z")
        try bench.origin().answer(302, "Location: \(location)")
        #expect(try bench.forwarded().target == target ?? "//x/y?z")
        #expect(client.answers.map(\.status) == (target == nil ? [302] : []))
    }

    /// A GET may have content; where that is gone, the client has to send it once more.
    @Test func contentIsNotLeftOutOnTheWay() throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a") { $0.follow = .sameOrigin }]))
        let client = bench.client()
        client.request("GET", "/a", type: "text/plain", body: "abc")
        try bench.origin().answer(302, "Location: /v1/b")
        #expect(client.answers.first?.status == 302)
        #expect(try bench.origin().requests.count == 1)
        bench.expectQuiet()
    }

    @Test func redirectsEndSomewhere() throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a") { $0.follow = .sameOrigin }]))
        let client = bench.client()
        for _ in 0..<2 {
            client.request("GET", "/a")
            for _ in 0...Redirect.followedMax { try bench.origin().answer(302, "Location: /v1/a") }
            #expect(client.answers.last?.status == 302)
            #expect(client.answers.last?.isComplete == true)
        }
        #expect(client.answers.count == 2)
        bench.expectQuiet()
    }
}
