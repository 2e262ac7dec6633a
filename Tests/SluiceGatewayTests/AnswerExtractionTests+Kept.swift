import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers that have no token where a binding keeps one (`keep:`).
extension AnswerExtractionTests {
    private static func keeping(isTyped: Bool) throws -> Bench {
        let bindings = [
            try Build.binding("POST /signin", to: "fruit /signin") {
                $0.sendsBearer = false
                $0.keep = Binding.Keep(bearer: try #require(FieldPath("token")))
                if isTyped { $0.value = try Build.type("JSON") }
            }, try Build.binding("GET /a", to: "fruit /a"),
        ]
        return try Bench(Build.configuration(bindings))
    }

    /// - Returns: the status of the answer.
    private func signIn(_ token: String, _ bench: Bench) throws -> Int? {
        let body = "{\"token\": \(token)}"
        let answer = try bench.exchange(
            "POST /signin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return answer.status
    }

    /// Requests do not go on as whoever signed in before.
    @Test(
        arguments: ["\"\"", "\"a b\"", "\"a\\r\\nX-Evil: 1\"", "\"t\u{F6}k\"", "7", "{}"], [true, false])
    func whatCannotBeSentEndsTheSignInBefore(token: String, isTyped: Bool) throws {
        let bench = try Self.keeping(isTyped: isTyped)
        var notices: [GatewayNotice] = []
        bench.gateway.notice = { notices.append($0) }
        #expect(try signIn("\"one\"", bench) == 200)
        try bench.get("/a")
        #expect(try bench.forwarded()["Authorization"] == "Bearer one")
        // What passes through is on its way already.
        #expect(try signIn(token, bench) == (isTyped ? 502 : 200))
        #expect(notices.filter { $0 == .unusableToken(binding: "POST /signin") }.count == 1)
        let client = bench.client()
        client.request("GET", "/a")
        #expect(client.answers.last?.status == 503)
        #expect(client.answers.last?.text.contains("sign-in-needed") == true)
        #expect(try signIn("\"two\"", bench) == 200)
        try bench.get("/a")
        #expect(try bench.forwarded()["Authorization"] == "Bearer two")
    }

    @Test(arguments: [true, false]) func nullChangesNothing(isTyped: Bool) throws {
        let bench = try Self.keeping(isTyped: isTyped)
        #expect(try signIn("\"one\"", bench) == 200)
        #expect(try signIn("null", bench) == 200)
        try bench.get("/a")
        #expect(try bench.forwarded()["Authorization"] == "Bearer one")
    }
}
