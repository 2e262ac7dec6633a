import SluiceContract
import Testing

@testable import SluiceGateway

/// Which fields go upstream, and which are the gateway's own business.
@Suite struct UpstreamRequestWriterTests {
    /// What an upstream reads of a request with `fields`.
    static func forwarded(
        _ fields: String, token: String? = nil, version: String = "1.1", address: String = "127.0.0.1",
        isTLS: Bool = false,
        _ upstream: (inout Upstream) -> Void = { _ in }, binding: (inout Binding) throws -> Void = { _ in }
    ) throws -> Message {
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("GET /a", to: "fruit /a", binding)], upstreams: [Build.upstream("fruit", upstream)]),
            tokens: token.map { ["fruit": $0] } ?? [:])
        let client = bench.client(address: address, isTLS: isTLS)
        client.request("GET /a HTTP/\(version)\r\nHost: localhost:8080\r\n\(fields)\r\n")
        return try bench.forwarded()
    }

    /// What a parameter says is said once.
    @Test(arguments: ["Accept", "Accept-Encoding"])
    func parametersTakeThePlaceOfOurOwn(name: String) throws {
        let message = try Self.forwarded(
            "X-Kind: application/vnd.fruit+json\r\n",
            binding: {
                $0.value = .scalar(.json)
                $0.parameters = [
                    Parameter(name: "x-kind", location: .header, type: .scalar(.string), upstreamName: name)
                ]
            })
        #expect(message.values(name) == ["application/vnd.fruit+json"])
    }

    /// RFC 9110 §7.6.1: what is for one hop stays on it, and so does all that `Connection` names.
    @Test(
        arguments: [
            "Connection: keep-alive", "Keep-Alive: timeout=5", "Proxy-Connection: keep-alive", "Upgrade: h2c",
            "TE: gzip",
            "HTTP2-Settings: AAMAAABkAAQAAP__",
        ])
    func fieldsOfOneHopStayBehind(field: String) throws {
        let name = String(field.prefix { $0 != ":" })
        #expect(try Self.forwarded(field + "\r\n")[name] == nil)
    }

    @Test func whatConnectionNamesStaysBehind() throws {
        let message = try Self.forwarded(
            "X-One: 1\r\nConnection: close, X-ONE\r\nX-Two: 2\r\nConnection: x-two, Cookie\r\nCookie: a=b\r\n"
                + "X-Three: 3\r\n"
        )
        #expect(message.fields.map(\.name).filter { $0.hasPrefix("X-") && !$0.hasPrefix("X-F") } == ["X-Three"])
        #expect(message["Cookie"] == nil)
        #expect(message["Connection"] == nil)
    }

    @Test func everythingElseGoesAsItCame() throws {
        let message = try Self.forwarded(
            "Accept: a\r\naccept: b\r\nX-Empty:\r\nCookie: a=b; c=d\r\nRange: bytes=1-2\r\n")
        #expect(message.values("Accept") == ["a", "b"])
        #expect(message["X-Empty"] == "")
        #expect(message["Cookie"] == "a=b; c=d")
        #expect(message["Range"] == "bytes=1-2")
    }

    /// Client and gateway speak of slices, gateway and upstream of whole answers.
    @Test(arguments: [
        "Range: bytes=0-1", "If-Match: \"a\"", "If-None-Match: \"a\"", "If-Range: \"a\"",
    ])
    func conditionsOnASliceStayHere(field: String) throws {
        let name = String(field.prefix { $0 != ":" })
        #expect(try Self.forwarded(field + "\r\n")[name] != nil)
        #expect(try Self.forwarded(field + "\r\n", binding: { $0.value = .scalar(.json) })[name] == nil)
    }

    /// RFC 9110 §13.1: who writes is told by the upstream whether what it has seen is still there. What reads, on
    /// either side, is answered here.
    @Test(arguments: ["If-Match", "If-None-Match", "If-Unmodified-Since"])
    func writesKeepTheirConditions(name: String) throws {
        for (key, to, isKept) in [
            ("PUT /a", "fruit /a", true), ("PATCH /a", "fruit /a", true), ("POST /a", "fruit /a", true),
            ("DELETE /a", "fruit /a", true), ("PUT /a", "fruit POST /a", true), ("GET /a", "fruit POST /a", false),
            ("POST /a", "fruit GET /a", false),
        ] {
            let bench = try Bench(Build.configuration([try Build.binding(key, to: to, value: "JSON")]))
            let value = name == "If-Unmodified-Since" ? "Sun, 06 Nov 1994 08:49:37 GMT" : "\"a\", *"
            let method = key.prefix { $0 != " " }
            let answer = try bench.exchange(
                "\(method) /a HTTP/1.1\r\nHost: localhost\r\n\(name): \(value)\r\nContent-Length: 0\r\n\r\n",
                answer: "HTTP/1.1 412 X\r\nContent-Length: 0\r\n\r\n")
            #expect(answer.status == 412)
            let isDate = name == "If-Unmodified-Since"
            #expect(try bench.forwarded().values(name) == (isKept || isDate ? [value] : []), "\(key) \(to)")
        }
    }

    /// A binding with a value reads JSON, whatever its client would like; `headers:` may say which.
    @Test func aValueIsAskedForAsJSON() throws {
        let browser = "Accept: text/html, */*;q=0.1\r\nAccept: image/png\r\n"
        let value: (inout Binding) -> Void = { $0.value = .scalar(.json) }
        #expect(try Self.forwarded(browser, binding: value).values("Accept") == ["application/json"])
        #expect(try Self.forwarded("", binding: value).values("Accept") == ["application/json"])
        #expect(try Self.forwarded("").values("Accept") == [])
        let other = HeaderSetting(name: "accept", value: "application/vnd.api+json")
        #expect(try Self.forwarded(browser, { $0.headers = [other] }, binding: value).values("Accept") == [other.value])
        let charset = "Accept-Charset: utf-16\r\n"
        #expect(try Self.forwarded(charset, binding: value).values("Accept-Charset") == [])
        #expect(try Self.forwarded(charset).values("Accept-Charset") == ["utf-16"])
        // What is taken out of a redirect says nothing of what is asked for.
        let redirect = try Self.forwarded(browser, binding: { $0.valueByStatus = [303: .scalar(.json)] })
        #expect(redirect.values("Accept") == ["text/html, */*;q=0.1", "image/png"])
        let created = try Self.forwarded(browser, binding: { $0.valueByStatus = [201: .scalar(.json)] })
        #expect(created.values("Accept") == ["application/json"])
    }

    /// Programs behind proxies believe more of them than the three that are written here.
    @Test(arguments: [
        "X-Forwarded-Port", "x-forwarded-prefix", "X-Forwarded-Server", "X-FORWARDED-SSL", "X_Forwarded_Port",
    ])
    func othersOfTheirKindDoNotPass(name: String) throws {
        for policy in [Upstream.ForwardedFields.xForwarded, .rfc7239, .both, .none] {
            #expect(try Self.forwarded("\(name): 1\r\n") { $0.forwarded = policy }.values(name) == [])
        }
        let passed = try Self.forwarded("\(name): 1\r\n") { $0.forwarded = .pass }
        #expect(passed.values(name) == (name.contains("_") ? [] : ["1"]))
    }

    @Test(arguments: [
        (Upstream.HostField.upstream, "fruit.example"), (.client, "localhost:8080"), (.fixed("x.y"), "x.y"),
    ])
    func hostIsSetByPolicy(policy: Upstream.HostField, host: String) throws {
        #expect(try Self.forwarded("") { $0.host = policy }.values("Host") == [host])
    }

    @Test(arguments: [
        ("fruit.example", 8080, false, "fruit.example:8080"), ("::1", 80, false, "[::1]"), ("a", 443, true, "a"),
    ])
    func hostOfTheUpstream(name: String, port: Int, tls: Bool, host: String) throws {
        #expect(try Self.forwarded("") { $0.origin = .tcp(host: name, port: port, tls: tls) }["Host"] == host)
    }

    /// RFC 9110 §7.6.3.
    @Test func viaIsAdded() throws {
        #expect(try Self.forwarded("Via: 1.0 other\r\n")["Via"]?.hasPrefix("1.0 other, 1.1 ") == true)
        #expect(try Self.forwarded("", version: "1.0")["Via"]?.hasPrefix("1.0 ") == true)
    }

    static let spoofed =
        "X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Proto: gopher\r\nX-Forwarded-Host: evil\r\nForwarded: for=1.2.3.4\r\n"

    @Test(
        arguments: [
            (Upstream.ForwardedFields.xForwarded, "::1", "https", nil),
            (.rfc7239, nil, nil, "for=\"[::1]\";proto=https;host=\"localhost:8080\""),
            (.both, "::1", "https", "for=\"[::1]\";proto=https;host=\"localhost:8080\""), (.none, nil, nil, nil),
            (.pass, "1.2.3.4", "gopher", "for=1.2.3.4"),
        ] as [(Upstream.ForwardedFields, String?, String?, String?)])
    func theClientIsToldOfByPolicy(
        policy: Upstream.ForwardedFields, client: String?, scheme: String?, forwarded: String?
    )
        throws
    {
        let message = try Self.forwarded(Self.spoofed, address: "::1", isTLS: true) { $0.forwarded = policy }
        #expect(message["X-Forwarded-For"] == client)
        #expect(message["X-Forwarded-Proto"] == scheme)
        #expect(message["Forwarded"] == forwarded)
    }

    // MARK: - Credentials (DESIGN §9)

    @Test func theBearerIsInjected() throws {
        let message = try Self.forwarded("Authorization: Bearer client\r\n", token: "t0ken") { $0.bearer = .value("x") }
        #expect(message.values("Authorization") == ["Bearer t0ken"])
    }

    @Test func withoutABearerTheClientsOwnPasses() throws {
        #expect(try Self.forwarded("Authorization: Basic abc\r\n").values("Authorization") == ["Basic abc"])
    }

    /// A binding without the bearer sends none, and not the client's either.
    @Test func bearerFalse() throws {
        let message = try Self.forwarded("Authorization: Basic abc\r\n", token: "t0ken") {
            $0.bearer = .value("x")
        } binding: {
            $0.sendsBearer = false
        }
        #expect(message["Authorization"] == nil)
    }

    @Test func aBearerThatCannotBeReadIsAProblem() throws {
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("GET /a", to: "fruit /a")],
                upstreams: [Build.upstream { $0.bearer = .file("/none") }]))
        let answer = try bench.get("/a")
        #expect(answer.status == 502)
        #expect(answer.text.contains("no-bearer"))
        #expect(bench.origins.isEmpty)
    }

    @Test func fixedFieldsAreSent() throws {
        let message = try Self.forwarded("") {
            $0.headers = [HeaderSetting(name: "X-Up", value: "1")]
        } binding: {
            $0.headers = [HeaderSetting(name: "X-Bind", value: "2")]
        }
        #expect(message["X-Up"] == "1")
        #expect(message["X-Bind"] == "2")
    }

    /// DESIGN §7 `keep: {bearer: token}`: for its upstream, from then on.
    @Test(arguments: [true, false])
    func aTokenIsKept(isTyped: Bool) throws {
        let bindings = [
            try Build.binding("POST /signin", to: "fruit /signin") {
                $0.sendsBearer = false
                $0.keep = Binding.Keep(bearer: try #require(FieldPath("auth.token")))
                if isTyped { $0.value = try Build.type("JSON") }
            }, try Build.binding("GET /a", to: "fruit /a"), try Build.binding("GET /other", to: "other /a"),
        ]
        let bench = try Bench(
            Build.configuration(bindings, upstreams: [Build.upstream(), Build.upstream("other")]))
        try bench.get("/a", "Authorization: Bearer mine")
        #expect(try bench.forwarded()["Authorization"] == nil)
        let body = #"{"auth": {"token": "tok\u002b1"}, "x": 1}"#
        let signin = "POST /signin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
        let answer = try bench.exchange(
            signin, answer: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.text == body)
        try bench.get("/a", "Authorization: Bearer mine")
        #expect(try bench.forwarded().values("Authorization") == ["Bearer tok+1"])
        try bench.get("/other", "Authorization: Bearer mine")
        #expect(try bench.forwarded().values("Authorization") == ["Bearer mine"])
    }

    /// A token that could break out of its field is none (RFC 6750 §2.1), and an error keeps none.
    @Test(arguments: [
        (#"{"token": "a\r\nX-Evil: 1"}"#, 200), (#"{"token": ""}"#, 200), (#"{"token": 7}"#, 200),
        (#"{"token": "t"}"#, 401),
    ])
    func whatIsNoTokenIsNotKept(body: String, status: Int) throws {
        let bindings = [
            try Build.binding("GET /signin", to: "fruit /signin") {
                $0.keep = Binding.Keep(bearer: try #require(FieldPath("token")))
            }, try Build.binding("GET /a", to: "fruit /a"),
        ]
        let bench = try Bench(Build.configuration(bindings))
        try bench.get("/signin", answer: "HTTP/1.1 \(status) OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try bench.get("/a")
        #expect(try bench.forwarded()["Authorization"] == nil)
    }

    /// RFC 9110 §6.5.1: trailers come only where they were asked for.
    @Test(arguments: ["TE: trailers\r\n", ""])
    func trailersComeToThoseWhoAsk(field: String) throws {
        let bench = try Bench(Build.configuration([try Build.binding("GET /a", to: "fruit /a")]))
        let client = bench.client()
        client.request("GET /a HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
        #expect(try bench.forwarded()["TE"] == (field.isEmpty ? nil : "trailers"))
        try bench.origin().send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n")
        #expect(client.answers.first?.trailers.map(\.name) == (field.isEmpty ? [] : ["X-Sum"]))
        #expect(client.answers.first?.isComplete == true)
    }
}
