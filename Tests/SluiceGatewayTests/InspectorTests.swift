import Foundation
import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Exchanges that are kept to be looked into (`inspect:`).
@Suite struct InspectorTests {
    let bench: Bench

    private static func configuration(_ inspect: InspectSettings?) throws -> Configuration {
        let fruits = try Build.binding("GET /fruits", to: "fruit /fruits", value: "[String]") {
            $0.parent = FieldPath("values")
            $0.parameters = [try Build.parameter("token", "String?")]
        }
        let stored = try Build.binding("GET /stored", to: "fruit /stored") { $0.cache = CachePolicy() }
        let again = try Build.binding("GET /again", to: "fruit /again") { $0.retry = RetryPolicy() }
        var configuration = Build.configuration([
            fruits, stored, again, try Build.binding("ANY /raw/**", to: "fruit /**"),
        ])
        configuration.upstreams[0].bearer = .value("hush-hush-token")
        configuration.inspect = inspect
        return configuration
    }

    static func settings(_ edit: (inout InspectSettings) -> Void = { _ in }) -> InspectSettings {
        var settings = InspectSettings()
        edit(&settings)
        return settings
    }

    init() throws {
        bench = try Self.bench(Self.settings())
    }

    static func bench(_ settings: InspectSettings?) throws -> Bench {
        let bench = try Bench(configuration(settings), tokens: ["fruit": "hush-hush-token"])
        bench.gateway.inspections = InspectionRing { 1_763_860_000_123 }
        return bench
    }

    func object(_ target: String, in other: Bench? = nil) throws -> [String: Any] {
        let text = try AdminBench(of: other ?? bench).ask(target).text
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The newest one.
    func last(in other: Bench? = nil) throws -> [String: Any] {
        let list = try object("/exchanges", in: other)
        let newest = try #require((list["exchanges"] as? [[String: Any]])?.first)
        return try object("/exchanges/\(try #require(newest["id"] as? String))", in: other)
    }

    func fields(_ side: Any?) -> [String: String] {
        let fields = (side as? [String: Any])?["fields"] as? [[String]] ?? []
        return Dictionary(fields.map { ($0[0].lowercased(), $0[1]) }) { first, _ in first }
    }

    func member(_ side: Any?, _ name: String) -> Any? { (side as? [String: Any])?[name] }

    static func json(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Echo: hush-hush-token\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Four messages: what the client sent, what the upstream got, what it answered, and what the client got.
    @Test func bothSidesAreKeptWithoutSecrets() throws {
        let answer = Self.json(#"{"values":["fig"],"echo":"hush-hush-token","session_key":"abc"}"#)
        try bench.get("/fruits?token=mine", "Cookie: sid=0123456789", "X-Note: 0123456789", answer: answer)
        let shown = try last()
        #expect(shown["target"] as? String == "/fruits?token=***" && shown["binding"] as? String == "GET /fruits")
        #expect(shown["status"] as? Int == 200 && shown["problem"] is NSNull)
        #expect(member(shown["request"], "line") as? String == "GET /fruits?token=*** HTTP/1.1")
        #expect(fields(shown["request"])["cookie"] == "•••" && fields(shown["request"])["x-note"] == "***")
        #expect(member(shown["answer"], "line") as? String == "HTTP/1.1 200 OK")
        #expect(member(shown["answer"], "body") as? String == #"["fig"]"#)
        let attempts = try #require(shown["upstream"] as? [[String: Any]])
        try #require(attempts.count == 1)
        #expect(attempts[0]["endpoint"] as? String == "http://fruit.example" && attempts[0]["failure"] is NSNull)
        #expect(member(attempts[0]["request"], "line") as? String == "GET /v1/fruits?token=*** HTTP/1.1")
        #expect(fields(attempts[0]["request"])["authorization"] == "•••")
        #expect(fields(attempts[0]["answer"])["x-echo"] == "***")
        #expect(
            member(attempts[0]["answer"], "body") as? String
                == #"{"values":["fig"],"echo":"***","session_key":"•••"}"#)
        let id = try #require(shown["id"] as? String)
        let text = try AdminBench(of: bench).ask("/exchanges/\(id)").text
        #expect(!text.contains("hush") && !text.contains("mine") && !text.contains("0123456789"))
        bench.expectQuiet()
    }

    @Test func bodiesOfRequestsAreKeptOnBothSides() throws {
        let client = bench.client()
        client.request("POST", "/raw/a", type: "application/json", body: #"{"password":"x","size":3}"#)
        try bench.origin().answer(204)
        let shown = try last()
        #expect(member(shown["request"], "body") as? String == #"{"password":"•••","size":3}"#)
        let attempts = try #require(shown["upstream"] as? [[String: Any]])
        #expect(member(attempts.first?["request"], "body") as? String == #"{"password":"•••","size":3}"#)
        #expect(member(attempts.first?["request"], "size") as? Int == 25)
    }

    /// Where the time went, each phase where the one before has ended.
    @Test func timesAreAWaterfall() throws {
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/raw/a")
        bench.advance(by: .milliseconds(10))
        try bench.origin().connect()
        bench.advance(by: .milliseconds(30))
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
        bench.advance(by: .milliseconds(5))
        try bench.origin().send("k")
        let shown = try last()
        let phases = try #require(shown["timing"] as? [[String: Any]]).map { phase in
            let numbers = ["start", "milliseconds"].map { phase[$0] as? Double ?? -1 }
            return "\(phase["phase"] ?? "") \(Int(numbers[0])) \(Int(numbers[1])) \(phase["attempt"] ?? "")"
        }
        #expect(phases == ["connect 0 10 1", "send 10 0 1", "wait 10 30 1", "receive 40 5 1"])
        #expect(shown["milliseconds"] as? Double == 45 && shown["at"] as? Double == 1_763_860_000.078)
    }

    @Test func everyAttemptIsKept() throws {
        let client = bench.client()
        client.request("GET", "/again")
        try bench.origin().answer(503, body: "busy")
        bench.advance(by: .seconds(2))
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.first?.text == "ok")
        let attempts = try #require(try last()["upstream"] as? [[String: Any]])
        #expect(attempts.map { member($0["answer"], "line") as? String } == ["HTTP/1.1 503 X", "HTTP/1.1 200 X"])
        #expect(member(attempts.last?["answer"], "body") as? String == "ok")
        #expect(attempts.map { $0["cause"] as? String } == ["first", "retry"])
    }

    @Test func aConnectionThatFailsHasNoMessages() throws {
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().refuse()
        let shown = try last()
        #expect(shown["problem"] as? String == "connection-refused" && shown["status"] as? Int == 502)
        let attempt = try #require((shown["upstream"] as? [[String: Any]])?.first)
        #expect(attempt["failure"] as? String == "connect" && attempt["answer"] is NSNull)
    }

    /// A hit has no attempt; the request that filled the cache has one.
    @Test func storedAnswersAreKept() throws {
        let answer = AdminBench.answer("pear", "Cache-Control: max-age=60")
        try bench.get("/stored", answer: answer)
        let first = try last()
        #expect((first["upstream"] as? [Any])?.count == 1 && first["cache"] as? String == "uri-miss")
        try bench.get("/stored")
        let second = try last()
        #expect((second["upstream"] as? [Any])?.isEmpty == true && second["cache"] as? String == "hit")
        #expect(member(second["answer"], "body") as? String == "pear")
        #expect(fields(second["answer"])["cache-status"]?.hasPrefix("sluice; hit") == true)
    }

    @Test func bodiesAreCut() throws {
        let bench = try Self.bench(Self.settings { $0.bodyBytes = 6 })
        try bench.get("/raw/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcd\u{E9}fgh")
        let answer = try last(in: bench)["answer"]
        #expect(member(answer, "body") as? String == "abcd\u{E9}" && member(answer, "size") as? Int == 9)
        #expect(member(answer, "cut") as? Bool == true)
    }

    /// Half of a secret stands at the end of what is kept.
    @Test func aSecretThatIsCutIsNotShown() throws {
        let bench = try Self.bench(Self.settings { $0.bodyBytes = 12 })
        try bench.get("/raw/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nab hush-hush-token z")
        let attempt = try #require((try last(in: bench)["upstream"] as? [[String: Any]])?.first)
        #expect(member(attempt["answer"], "body") as? String == "ab ***")
    }

    /// However much of it there is, an exchange has its bound.
    @Test func anExchangeHasABound() throws {
        let settings = Self.settings { $0.bodyBytes = 100 }
        let bench = try Self.bench(settings)
        let field = "X-A: " + String(repeating: "a", count: 900) + "\r\n"
        let heads = String(repeating: field, count: 30)
        let more = "X-B: " + String(repeating: "b", count: 20_000)
        for _ in 0..<3 {
            try bench.get("/raw/a", more, answer: "HTTP/1.1 200 OK\r\n\(heads)Content-Length: 0\r\n\r\n")
        }
        let list = try object("/exchanges", in: bench)
        #expect((list["exchanges"] as? [Any])?.count == 3)
        let text = try AdminBench(of: bench).ask("/exchanges/3").text
        #expect(text.utf8.count < settings.exchangeBytesMax * 5 / 4)
        #expect(text.contains(#""cut":true"#))
    }

    @Test func whatIsNoTextIsShownAsBytes() throws {
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().send(Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n".utf8) + [0xFF, 0xFE, 0x00])
        #expect(member(try last()["answer"], "base64") as? String == "//4A")
        client.request("GET", "/raw/b")
        let secret = [0xFF] + Array("hush-hush-token".utf8)
        try bench.origin().send(Array("HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n".utf8) + secret)
        let answer = try last()["answer"]
        #expect(member(answer, "base64") is NSNull && member(answer, "body") is NSNull)
        #expect(member(answer, "size") as? Int == 16 && member(answer, "cut") as? Bool == true)
    }

    /// Secrets could not be taken out of it.
    @Test func whatPassesInACodingIsNotKept() throws {
        try bench.get(
            "/raw/a", "Accept-Encoding: gzip",
            answer: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd")
        let shown = try last()
        for side in [shown["answer"], (shown["upstream"] as? [[String: Any]])?.first?["answer"]] {
            #expect(member(side, "body") is NSNull && member(side, "size") as? Int == 4)
            #expect(member(side, "cut") as? Bool == true)
        }
    }

    /// One byte that is no text hides nothing else.
    @Test func membersAreMaskedInWhatIsNoText() throws {
        let client = bench.client()
        client.request("GET", "/raw/a")
        let body = Array(#"{"access_token":"abcdefgh","name":"Jos"#.utf8) + [0xE9] + Array(#""}"#.utf8)
        try bench.origin().send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
        let text = try #require(member(try last()["answer"], "base64") as? String)
        let shown = String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
        #expect(shown.contains("•••") && shown.contains("Jos") && !shown.contains("abcdefgh"))
    }

    @Test func whatGoesThroughATunnelIsNotKept() throws {
        let upgrade = try Build.binding("GET /socket", to: "fruit /socket") { $0.upgrade = .websocket }
        var configuration = Build.configuration([upgrade])
        configuration.inspect = InspectSettings()
        let bench = try Bench(configuration)
        bench.gateway.inspections = InspectionRing { 0 }
        let client = bench.client()
        client.request(
            "GET", "/socket", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
        try bench.origin().send(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nmessage")
        client.reset()
        let shown = try last(in: bench)
        for side in [shown["request"], shown["answer"]] {
            #expect(member(side, "body") as? String ?? "" == "" && member(side, "base64") is NSNull)
        }
        #expect(member(shown["answer"], "line") as? String == "HTTP/1.1 101 Switching Protocols")
    }

    /// What a client sends in its query, and the upstream says again.
    @Test func aKeyInTheQueryIsNotShownWhereItIsEchoed() throws {
        try bench.get(
            "/raw/a?api_key=0123456789", "Referer: https://a.example/?code=abc",
            answer: Self.json(#"{"url":"/raw/a?api_key=0123456789"}"#))
        let shown = try last()
        #expect(member(shown["answer"], "body") as? String == #"{"url":"/raw/a?api_key=***"}"#)
        #expect(fields(shown["request"])["referer"] == "https://a.example/?code=***")
    }

    /// Not even one that is too short to be looked for.
    @Test func aKeyThatTheGatewayAddsIsNotKept() throws {
        let kind = FetchCredentialTests.Renewed(presentation: .query(name: "k"))
        var configuration = Build.configuration(
            [try Build.binding("GET /a", to: "fruit /a")],
            upstreams: [Build.upstream { $0.credential = .named("key") }])
        configuration.credentials = [Credential(name: "key", kind: kind)]
        configuration.inspect = InspectSettings()
        let bench = try Bench(configuration, tokens: ["key": "q7z"])
        bench.gateway.inspections = InspectionRing { 0 }
        try bench.get("/a")
        #expect(try bench.forwarded().target == "/v1/a?k=q7z")
        let attempts = try #require(try last(in: bench)["upstream"] as? [[String: Any]])
        #expect(member(attempts.first?["request"], "line") as? String == "GET /v1/a HTTP/1.1")
    }

    /// A word in a field that only sounds like a credential does not blank that word elsewhere.
    @Test func wordsAreNoSecrets() throws {
        try bench.get(
            "/raw/a", answer: Self.json(#"{"a":true}"#).replacing("X-Echo:", with: "X-Key: true\r\nX-Echo:"))
        let shown = try last()
        #expect(fields(shown["answer"])["x-key"] == "•••")
        #expect(member(shown["answer"], "body") as? String == #"{"a":true}"#)
    }

    /// As many are under way as are kept, and no more.
    @Test func whatIsUnderWayHasABound() throws {
        let bench = try Self.bench(Self.settings { $0.last = 1 })
        let clients = [bench.client(), bench.client()]
        for client in clients { client.request("GET", "/raw/a") }
        let kept = clients.compactMap { ($0.link as? ClientLink)?.exchange?.request.contents }
        #expect(kept.count == 1)
        for client in clients { client.reset() }
        #expect(try last(in: bench)["target"] as? String == "/raw/a")
        let next = bench.client()
        next.request("GET", "/raw/b")
        #expect((next.link as? ClientLink)?.exchange?.request.contents == nil)
        withExtendedLifetime(kept) {}
    }

    @Test func requestsThatNothingIsBoundToAreKept() throws {
        try bench.get("/nowhere")
        #expect(try last()["problem"] as? String == "unknown-route")
    }

    /// The admin socket's own requests are none of them.
    @Test func withoutExchangesThereIsNothing() throws {
        #expect((try object("/exchanges")["exchanges"] as? [Any])?.isEmpty == true)
        let answer = try AdminBench(of: bench).ask("/exchanges/7")
        #expect(answer.status == 404 && answer.text.contains("Exchange 7 is not kept"))
        #expect(try AdminBench(of: bench).ask("/exchanges/x").status == 404)
        #expect(try AdminBench(of: bench).ask("/exchanges", by: "DELETE").status == 405)
    }

    @Test func isSwitchedByAReload() throws {
        let bench = try Self.bench(nil)
        try bench.get("/raw/a")
        #expect(try AdminBench(of: bench).ask("/exchanges").text == "{\"on\":false}\n")
        bench.replace(try RouteTable(Self.configuration(Self.settings { $0.last = 2 })))
        for _ in 0..<3 { try bench.get("/raw/b") }
        #expect((try object("/exchanges", in: bench)["exchanges"] as? [Any])?.count == 2)
        bench.replace(try RouteTable(Self.configuration(nil)))
        try bench.get("/raw/c")
        #expect(try AdminBench(of: bench).ask("/exchanges").text == "{\"on\":false}\n")
    }

    /// Nothing of it is made where it is off.
    @Test func offCostsNothing() throws {
        let bench = try Self.bench(nil)
        let client = bench.client()
        client.request("GET", "/raw/a")
        let exchange = try #require((client.link as? ClientLink)?.exchange)
        #expect(exchange.request.contents == nil && exchange.request.record == nil)
        #expect(exchange.answer.sink === client.link as? ClientLink)
    }
}
