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

    /// A redirect goes to the client; followed where it was asked for, and then only on the same origin.
    @Test(
        arguments: [
            ("/v1/b", true), ("http://fruit.example/v1/b", true), ("http://other.example/v1/b", false),
            ("//other.example/b", false),
            ("https://fruit.example/v1/b", false), ("http://fruit.example.evil/b", false), ("/v1/../b", false),
            ("http://fruit.example:81/b", false), ("b", false),
        ])
    func redirectsAreFollowedOnTheSameOrigin(location: String, isFollowed: Bool) throws {
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("GET /a", to: "fruit /a") { $0.follow = .sameOrigin }],
                upstreams: [Build.upstream { $0.bearer = .value("x") }]), tokens: ["fruit": "secret"])
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().answer(302, "Location: \(location)")
        if isFollowed {
            #expect(try bench.origin().requests.last?.target == "/v1/b")
            #expect(try bench.origin().requests.last?["Authorization"] == "Bearer secret")
            try bench.origin().answer(200, body: "there")
            #expect(client.answers.first?.text == "there")
        } else {
            #expect(client.answers.first?.status == 302)
            #expect(client.answers.first?["Location"] == location)
            #expect(bench.origins.count == 1)
        }
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
