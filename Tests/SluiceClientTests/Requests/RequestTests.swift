import SluiceClient
import Testing

/// Requests with wrapped properties, on their way out: rows P1 to P7, P10, P13.
@Suite struct RequestTests {
    /// Sends a request and returns what went over the wire.
    static func sent(_ request: some ClientRequest, keys: KeyCoding = .asWritten) async throws -> CallRequest {
        let transport = ScriptedTransport(json: "{}")
        let coding = JSONCoding(keys: keys)
        try await GatewayClient(transport: transport, settings: .init(coding: coding)).send(request)
        return try #require(transport.requests.first)
    }

    static func text(_ request: CallRequest) -> String? {
        guard case .bytes(let bytes) = request.body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    struct Profile: Codable, Sendable {
        var userName = "a b"
        var tags = ["x", "y"]
        var note: String?
    }

    struct JSON: JSONRequest {
        typealias Response = EmptyResponse
        var body = Profile()
        @RequestHTTPMethod var method = .post
    }

    struct Form: FormURLEncodedRequest {
        typealias Response = EmptyResponse
        var body = Profile()
        @RequestHTTPMethod var method = .post
    }

    struct Plain: PlainRequest {
        typealias Response = EmptyResponse
        var body = "é"
        var encoding = TextEncoding.utf8
    }

    struct XML: XMLRequest {
        typealias Response = EmptyResponse
        var body = "<fruit/>"
    }

    struct Raw: RawRequest {
        typealias Response = EmptyResponse
        var body = CallBody.bytes([0, 1, 255])
    }

    /// P1: each kind of content under its own media type; the traps are a text that is called JSON and XML that is
    /// lost.
    @Test func p1KindsOfContent() async throws {
        let json = try await Self.sent(JSON())
        #expect(json.fields["Content-Type"] == "application/json")
        #expect(Self.text(json) == #"{"tags":["x","y"],"userName":"a b"}"#)
        let form = try await Self.sent(Form())
        #expect(form.fields["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(Self.text(form) == "tags=x&tags=y&userName=a%20b")
        let plain = try await Self.sent(Plain())
        #expect(plain.fields["Content-Type"] == "text/plain; charset=utf-8" && Self.text(plain) == "é")
        let latin = try await Self.sent(Plain(encoding: .isoLatin1))
        guard case .bytes([0xE9]) = latin.body else { throw CallError.encode("\(latin.body)") }
        let xml = try await Self.sent(XML())
        #expect(xml.fields["Content-Type"] == "application/xml; charset=utf-8" && Self.text(xml) == "<fruit/>")
        guard case .bytes([0, 1, 255]) = try await Self.sent(Raw()).body else { throw CallError.encode("raw") }
    }

    @Test func p1ATextThatItsCharsetLacksIsRefused() async {
        await #expect(throws: CallError.self) { try await Self.sent(Plain(body: "木", encoding: .isoLatin1)) }
    }

    struct Ask: Request {
        typealias Response = EmptyResponse
        @RequestHTTPMethod var method
    }

    /// P2: seven verbs and one's own.
    @Test(arguments: [HTTPMethod.get, .head, .post, .put, .delete, .options, .patch, "PURGE"])
    func p2Methods(method: HTTPMethod) async throws {
        var ask = Ask()
        ask.method = method
        #expect(try await Self.sent(ask).method == method.rawValue)
    }

    /// P2: tunnels and loops are not for gateways.
    @Test(arguments: [HTTPMethod.connect, .trace])
    func p2MethodsThatAreRefused(method: HTTPMethod) async throws {
        let error = await #expect(throws: CallError.self) {
            var ask = Ask()
            ask.method = method
            _ = try await Self.sent(ask)
        }
        guard case .transport(.badRequest) = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    struct Contact: Request {
        typealias Response = EmptyResponse
        @RequestPath var path = "/app/{id}/contacts/{cid}"
        @RequestPathParameter var id: Int
        @RequestPathParameter(name: "cid") var contactId: String?
    }

    /// P3: templates; the traps are that nil becomes the text "nil" and that `/` in a value splits the path.
    @Test func p3PathParameters() async throws {
        var contact = Contact(id: 123)
        contact.contactId = "A/B ?#%é"
        #expect(try await Self.sent(contact).target == "/app/123/contacts/A%2FB%20%3F%23%25%C3%A9")
    }

    @Test(arguments: [nil, "", ".", ".."])
    func p3WhatWouldBeAnotherPathIsRefused(value: String?) async throws {
        var contact = Contact(id: 1)
        contact.contactId = value
        let error = await #expect(throws: CallError.self) { try await Self.sent(contact) }
        #expect(error?.detail.contains("'cid'") == true)
    }

    @Test func p3PlacesAndParametersBelongTogether() async {
        struct Idle: Request {
            typealias Response = EmptyResponse
            @RequestPath var path = "/fruits"
            @RequestPathParameter var id = 1
        }
        struct Missing: Request {
            typealias Response = EmptyResponse
            @RequestPath var path = "/fruits/{id}"
        }
        struct Unset: Request {
            typealias Response = EmptyResponse
            @RequestPath var path = "/fruits/{id}"
            @RequestPathParameter(name: "id") var id: Int
        }
        await #expect(throws: CallError.self) { try await Self.sent(Idle()) }
        await #expect(throws: CallError.self) { try await Self.sent(Missing()) }
        await #expect(throws: CallError.self) { try await Self.sent(Unset()) }
    }

    enum Order: String, ParameterValue { case name, size }

    struct Search: Request {
        typealias Response = EmptyResponse
        @QueryItem var text: String
        @QueryItem(name: "other_text") var anotherQuery: String
        @QueryItem var optionalText: String?
        @QueryItem var ids = [3, 1, 2]
        @QueryItem var tags: Set<String> = ["b", "a"]
        @QueryItem var order = Order.size
        @QueryItem var exact = true
        @QueryItem var share = 0.5
    }

    /// P4: types of query items; a list repeats its key, nil is left out.
    @Test func p4QueryItems() async throws {
        var search = Search(text: "a&b")
        search.anotherQuery = "bar"
        #expect(
            try await Self.sent(search).target
                == "/?text=a%26b&other_text=bar&ids=3&ids=1&ids=2&tags=a&tags=b&order=size&exact=true&share=0.5")
    }

    struct Fields: Request {
        typealias Response = EmptyResponse
        @RequestHeader var authorization: String?
        @RequestHeader var ifNoneMatch = "\"1\""
        @RequestHeader(name: "X-Trace") var trace: String?
        @RequestHeader(name: "accept") var accepts = ["text/plain", "text/html"]
    }

    /// P5: header fields; nil is left out, a list is several fields. Names have no case.
    @Test func p5HeaderFields() async throws {
        var fields = Fields()
        fields.trace = "t"
        let request = try await Self.sent(fields)
        #expect(request.fields["If-None-Match"] == "\"1\"" && request.fields["X-TRACE"] == "t")
        #expect(request.fields["Authorization"] == nil)
        #expect(request.fields.filter { $0.name == "accept" }.map(\.value) == ["text/plain", "text/html"])
    }

    @Test func p5AFieldOfTheRequestTakesTheClientsPlace() async throws {
        let transport = ScriptedTransport(json: "{}")
        let settings = GatewayClient.Settings(fields: [CallField("X-TRACE", "client"), CallField("X-API-Key", "k")])
        var fields = Fields()
        fields.trace = "own"
        try await GatewayClient(transport: transport, settings: settings).send(fields)
        let names = transport.requests[0].fields.filter { $0.name.lowercased() == "x-trace" }
        #expect(names.map(\.value) == ["own"] && transport.requests[0].fields["X-API-Key"] == "k")
    }

    struct WithCookies: Request {
        typealias Response = EmptyResponse
        @RequestCookies var cookies
    }

    /// P6: cookies go in one field; what would forge another one is refused.
    @Test func p6Cookies() async throws {
        var request = WithCookies()
        request.cookies = [RequestCookie("a", "1"), RequestCookie("b", "x=2")]
        #expect(try await Self.sent(request).fields["Cookie"] == "a=1; b=x=2")
        for cookie in [RequestCookie("a", "1; b=2"), RequestCookie("a=b", "1"), RequestCookie("", "1")] {
            request.cookies = [cookie]
            let wrong = request
            await #expect(throws: CallError.self) { try await Self.sent(wrong) }
        }
    }

    /// P7: what the gateway's cache may do (RFC 9111 §5.2.1).
    @Test(arguments: [
        (CachePolicy.useProtocolCachePolicy, nil), (.reload, "no-cache"), (.onlyStored, "only-if-cached, max-stale"),
        (.preferStored, "max-stale"), (.youngerThan(.seconds(5)), "max-age=5"), (.bypass, "no-store"),
    ])
    func p7CachePolicies(policy: CachePolicy, field: String?) async throws {
        struct Ask: Request {
            typealias Response = EmptyResponse
            @RequestCachePolicy var cache
        }
        var ask = Ask()
        ask.cache = policy
        #expect(try await Self.sent(ask).fields["Cache-Control"] == field)
    }

    /// P10: one way of writing names for all kinds; the trap is that some kinds are left out.
    @Test func p10NamesInEveryKind() async throws {
        struct Ask: JSONRequest {
            typealias Response = EmptyResponse
            var body = Profile()
            @RequestPath var path = "/users/{user_id}"
            @RequestPathParameter var userId = 7
            @QueryItem var maxCount = 2
        }
        let json = try await Self.sent(Ask(), keys: .snakeCase)
        #expect(json.target == "/users/7?max_count=2")
        #expect(Self.text(json) == #"{"tags":["x","y"],"user_name":"a b"}"#)
        #expect(try await Self.text(Self.sent(Form(), keys: .snakeCase)) == "tags=x&tags=y&user_name=a%20b")
    }

    @Test func p10OneRequestMayDiffer() async throws {
        struct Ask: JSONRequest {
            typealias Response = EmptyResponse
            var body = Profile()
            var keyCoding: KeyCoding? { .snakeCase }
        }
        #expect(try await Self.text(Self.sent(Ask()))?.contains("user_name") == true)
    }

    /// P13: a prefix in front of every path.
    @Test func p13PathPrefix() async throws {
        let transport = ScriptedTransport(json: "{}")
        let client = GatewayClient(transport: transport, settings: .init(pathPrefix: "/v1"))
        try await client.send(Contact(id: 1, contactId: .init(name: "cid", defaultValue: "x")))
        #expect(transport.lines == ["GET /v1/app/1/contacts/x"])
    }
}
