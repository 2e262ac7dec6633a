import SluiceContract
import Testing

@testable import SluiceGateway

/// Requests made to break what stands behind the parser: logs, limits, the upstream's paths and fields.
@Suite struct HostileRequestTests {
    private func bench(
        _ key: String = "ANY /raw/**", to: String = "fruit /**", _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        try Bench(Build.configuration([try Build.binding(key, to: to, edit)]))
    }

    // MARK: - Heads that are refused

    static let refused: [(head: String, seen: String)] = [
        ("GET x HTTP/1.1\r\n\r\n", "GET x"), ("GET ftp://h/ HTTP/1.1\r\n\r\n", "GET ftp://h/"),
        ("GET http://u:p@h/ HTTP/1.1\r\n\r\n", "GET http://u:p@h/"), ("CONNECT /x HTTP/1.1\r\n\r\n", "CONNECT /x"),
        ("GET /a HTTP/1.1\r\nHost: localhost\r\nReferer: b\r\n c\r\n\r\n", "GET /a"),
        ("GET /a HTTP/1.1\r\n" + String(repeating: "User-Agent: b\r\n", count: 300), "GET /a"),
        ("GET /a HTTP/1.1\r\nUser-Agent: " + String(repeating: "b", count: 70_000), "GET /a"),
        ("GET  /a HTTP/1.1\r\n\r\n", " "), ("\u{1}\r\n\r\n", " "),
    ]

    /// What was read of a head that is refused is logged, and nothing beyond: alone, and behind a good one.
    @Test(arguments: refused.indices, [false, true])
    func refusedHeadsAreLogged(_ index: Int, isSecond: Bool) throws {
        let bench = try bench()
        var seen: [String] = []
        bench.gateway.accessLog = { entry in
            let words = [entry.method, entry.target].map { String(decoding: $0, as: UTF8.self) }
            seen.append(words.joined(separator: " "))
            #expect(entry.referer.isEmpty && entry.userAgent.isEmpty)
        }
        let client = bench.client()
        if isSecond {
            client.request("GET", "/nowhere")
            seen = []
        }
        client.expect(Self.refused[index].head.hasPrefix("CONNECT") ? "CONNECT" : "GET")
        client.send(Self.refused[index].head)
        #expect((400...505).contains(client.answers.last?.status ?? 0))
        #expect(seen == [Self.refused[index].seen])
        bench.expectQuiet()
    }

    /// One that does not come to its end is over in time.
    @Test func aHeadThatStopsIsLogged() throws {
        let bench = try bench()
        var statuses: [Int] = []
        bench.gateway.accessLog = { statuses.append($0.status) }
        let client = bench.client()
        client.expect("GET")
        client.send("GET /raw/a HTTP/1.1\r\nHost: localhost\r\nReferer: b\r\nUser-Ag")
        bench.advance(by: .seconds(61))
        #expect(client.answers.first?.status == 408)
        #expect(statuses == [408])
        bench.expectQuiet()
    }

    // MARK: - Values that go elsewhere

    /// Wherever a value of the path comes from, it is one name there.
    @Test(arguments: [
        ("../admin", false), ("..%2Fadmin", false), ("a/../../b", false), ("..;", false), (".", false),
        (#"..\admin"#, false), ("a%00b", false), ("a%0Ab", false), ("a%5Cb", false), ("a/b", true), ("a..b", true),
        ("%252e%252e", true), ("caf%C3%A9", true),
    ])
    func aValueOfTheQueryStaysInItsSegment(value: String, isSent: Bool) throws {
        let bench = try bench("GET /q", to: "fruit /items/{id}") {
            $0.parameters = [try Build.parameter("id", "String")]
        }
        let client = bench.client()
        client.request("GET", "/q?id=\(value)")
        #expect(client.answers.first?.status == (isSent ? nil : 400))
        #expect(bench.origins.isEmpty != isSent)
    }

    /// The upstream's names are not the client's to use, nor those of what is fixed, whatever separates them.
    @Test(arguments: [
        ("page_token=evil", "/v1/list"), ("page%5Ftoken=evil", "/v1/list"), ("page_token[]=evil", "/v1/list"),
        ("after=1&page_token=evil", "/v1/list?page_token=1"), ("a;key=evil", "/v1/list"), (";key=evil", "/v1/list"),
        ("a=1;key=evil", "/v1/list"), ("a=key;b", "/v1/list?a=key;b"), ("other=1", "/v1/list?other=1"),
    ])
    func theUpstreamsNamesAreNotTheClients(query: String, target: String) throws {
        let bench = try bench("GET /list", to: "fruit /list") {
            var key = try Build.parameter("key", "String", default: "\"k\"")
            key.isFixed = true
            $0.parameters = [try Build.parameter("after", "Int?", as: "page_token"), key]
            $0.unknownParameters = .pass
        }
        try bench.get("/list?\(query)")
        let sent = try bench.forwarded().target.split(separator: "?", maxSplits: 1)
        let pairs = sent.dropFirst().joined().split(separator: "&").filter { $0 != "key=k" }
        #expect(sent[0] + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")) == target)
    }

    /// In CGI `X_Key` and `X-Key` are one, and a trailer may be taken for a field.
    @Test func whatTheGatewaySaysIsNotSaidTwice() throws {
        let bench = try bench {
            $0.headers = [HeaderSetting(name: "X-Tenant", value: "ours")]
            $0.parameters = [try Build.parameter("X-Trace", "Int", in: .header)]
        }
        let client = bench.client()
        client.request(
            "POST /raw/a HTTP/1.1\r\nHost: localhost\r\nX-Trace: 1\r\nX_Tenant: evil\r\nx_trace: evil\r\nX_Other: b\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Tenant: evil\r\nX_Trace: evil\r\n"
                + "X_Real_IP: evil\r\nX-Forwarded-Port: 1\r\nX-Sum: c\r\n\r\n")
        let request = try bench.forwarded()
        #expect(request.fields.filter { $0.name.lowercased().hasPrefix("x_") }.map(\.name) == ["X_Other"])
        #expect(request["X-Tenant"] == "ours" && request["X-Trace"] == "1")
        #expect(request.trailers.map(\.name) == ["X-Sum"])
    }

    @Test func aCookieUnderTheUpstreamsNameIsNotSent() throws {
        let bench = try bench("GET /a", to: "fruit /a") {
            $0.parameters = [try Build.parameter("s", "Int?", in: .cookie, as: "sid")]
        }
        try bench.get("/a", "Cookie: s=7; sid=evil; other=1")
        #expect(try bench.forwarded().values("Cookie") == ["sid=7; other=1"])
    }

    // MARK: - Faults

    @Test func faultsAreLimited() throws {
        let many = (0..<500).map { "x\($0)=1" }.joined(separator: "&")
        let query = try bench("GET /a", to: "fruit /a") { $0.reportCount = 7 }
        let answer = try query.get("/a?\(many)")
        #expect(answer.status == 400)
        #expect(answer.text.components(of: #""name":"#) == 7)
        let fixed = try bench("GET /a", to: "fruit /a") {
            $0.parameters = [
                Parameter(name: "key", location: .query, type: .scalar(.string), defaultJSON: "\"k\"", isFixed: true)
            ]
            $0.unknownParameters = .reject
            $0.reportCount = 7
        }
        let refused = try fixed.get("/a?\(Array(repeating: "key=1", count: 500).joined(separator: "&"))")
        #expect(refused.status == 400)
        #expect(refused.text.components(of: #""name":"#) == 7)
        let path = try bench("GET /a/{b}/{c}/d", to: "fruit /a/{b}/{c}/d") {
            $0.parameters = try ["b", "c"].map { try Build.parameter($0, "Int", in: .path) }
            $0.reportCount = 1
        }
        #expect(try path.get("/a///d").text.components(of: #""name":"#) == 1)
        let form = try bench("POST /a", to: "fruit /a") {
            $0.body = .form(try Build.object(["a": "Int"]))
            $0.reportCount = 7
        }
        let client = form.client()
        client.request("POST", "/a", type: "application/x-www-form-urlencoded", body: many)
        #expect(client.answers.first?.status == 400)
        #expect(client.answers.first?.text.components(of: #""name":"#) == 7)
    }

    // MARK: - Hosts

    /// A page whose name leads here learns nothing of what is bound.
    @Test(arguments: [("GET", "/a"), ("GET", "/nowhere"), ("POST", "/a"), ("OPTIONS", "*"), ("GET", "/a/../b")])
    func aHostThatIsNotServedLearnsNothing(method: String, target: String) throws {
        let bench = try bench("GET /a", to: "fruit /a")
        let client = bench.client()
        client.request("\(method) \(target) HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n")
        let answer = try #require(client.answers.first)
        #expect(answer.status == 421 && answer["Allow"] == nil, "\(answer.text)")
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let found = rest.firstRange(of: text) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
