import Testing

@testable import SluiceClient

/// What is promised of clients and problems as such.
@Suite struct GatewayClientPromisesTests {
    /// R5: not by a mirror either, nor by what is made of a client.
    @Test func r5KeysAreInNoMirror() {
        let key = CallField("X-API-Key", "s3cret")
        let client = GatewayClient(transport: ScriptedTransport(json: ""), settings: .init(fields: [key]))
        for thing in [client, client.settings, Call(.get, "/", fields: [key]), CallRequest("/", fields: [key]), key]
            as [Any]
        {
            var text = ""
            dump(thing, to: &text)
            text += "\(thing)" + String(reflecting: thing)
            #expect(!text.contains("s3cret") && text.contains("X-API-Key"), "\(text)")
        }
    }

    /// P9: any object could be a problem of which nothing is known.
    @Test func p9AnotherErrorIsNoProblem() async throws {
        struct Ask: Request {
            struct Response: Decodable { @ResponseErrorBody<GatewayProblem> var problem }
        }
        let client = GatewayClient(transport: ScriptedTransport(status: 500, json: #"{"error":"no"}"#))
        let error = await #expect(throws: CallError.self) { try await client.send(Ask()) }
        guard case .status(let answer) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(answer.status == 500)
    }

    @Test(arguments: [("/shop/", "/fruits"), ("/shop/", "fruits"), ("shop", "fruits"), ("/shop", "/fruits")])
    func aPrefixIsPartedByOneSlash(prefix: String, path: String) async throws {
        let transport = ScriptedTransport(json: "1")
        let client = GatewayClient(transport: transport, settings: .init(pathPrefix: prefix))
        _ = try await client.answer(to: Call(.get, path))
        #expect(transport.lines == ["GET /shop/fruits"])
    }

    /// What runs with a client of its own stays where its caller is.
    @MainActor @Test func aClosureKeepsItsActor() async throws {
        let client = GatewayClient(transport: ScriptedTransport(json: "7"))
        var seen = 0
        try await GatewayClient.withClient(client) {
            seen = try await ResourceService().resource("/n").typed(Int.self).value()
            MainActor.assertIsolated()
        }
        #expect(seen == 7)
    }

    @Test(arguments: [("utf8", true), ("UTF-8", true), ("latin1", false), ("ascii", true)])
    func q2NamesOfCharsets(name: String, isUnicode: Bool) throws {
        let type = CallField("Content-Type", "text/plain; charset=\(name)")
        let bytes: [UInt8] = name == "ascii" ? [0x65] : isUnicode ? [0xC3, 0xA9] : [0xE9]
        let answer = WholeAnswer(status: 200, fields: [type], body: bytes)
        let text = try AnswerReading(answer: answer, coding: JSONCoding()).body(String.self)
        #expect(text == (name == "ascii" ? "e" : "é"))
    }
}
