import Foundation
import SluiceClient
import Testing

/// R9 and Q5: what went wrong, by kind, with the place and the body.
@Suite struct CallErrorTests {
    private func error(_ answer: WholeAnswer) async -> CallError? {
        let client = GatewayClient(transport: ScriptedTransport { _ in answer })
        do throws(CallError) {
            let answer = try await client.success(of: Call(.get, "/fruits"))
            _ = try client.settings.coding.decode([Fruit].self, from: answer.body)
            return nil
        } catch {
            return error
        }
    }

    /// The envelope of PROBLEMS.md, whole.
    @Test func r9ProblemsAreRead() async throws {
        let text = #"""
            {"type":"urn:sluice:problem:type-mismatch","title":"The upstream's answer is not of the declared type",
            "status":502,"detail":"The answer of 'fruit' has drifted.","source":"upstream","upstream":"fruit",
            "retryable":true,"code":"E7","faults":[{"name":"$.values[0].size","in":"response","expected":"Int",
            "found":"string \"big\"","offset":41,"hint":"h"}],"later":"x"}
            """#
        let answer = WholeAnswer.problem(text, status: 502, fields: [CallField("Retry-After", "7")])
        guard case .problem(let problem) = await error(answer) else {
            Issue.record("no problem")
            return
        }
        #expect(problem.kind == .typeMismatch && problem.status == 502 && problem.upstream == "fruit")
        #expect(problem.isRetryable && problem.retryAfter == .seconds(7) && problem.code == "E7")
        #expect(problem.faults.map(\.name) == ["$.values[0].size"] && problem.faults[0].location == "response")
        #expect(problem.body == Array(text.utf8))
    }

    @Test func r9AKindOfALaterGatewayIsKept() {
        #expect(ProblemKind("on-fire") == .unknown("on-fire"))
        #expect(ProblemKind("on-fire").name == "on-fire")
        #expect(ProblemKind("type-mismatch").name == "type-mismatch")
    }

    @Test func r9AnotherEnvelopeIsKeptWhole() async {
        let found = await error(.json(#"{"error":"no"}"#, status: 418))
        #expect(found?.status == 418 && found?.body == Array(#"{"error":"no"}"#.utf8))
        #expect(found?.kind == nil)
    }

    /// R9, the trap: what cannot be encoded is no "other" error.
    @Test func r9EncodingFailuresAreTold() async throws {
        let rest = Rest(wrappedValue: [Double.infinity], path: "numbers")
        let client = GatewayClient(transport: ScriptedTransport(json: "[]"))
        let error = await #expect(throws: CallError.self) {
            try await GatewayClient.withClient(client) { try await rest.projectedValue.post() }
        }
        guard case .encode(let detail) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(detail.contains("[0]"))
    }

    @Test func r9ABadAddressIsTold() {
        let error = #expect(throws: CallError.self) { try GatewayClient("ftp://nowhere") }
        guard case .url(let detail) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(detail.contains("ftp://nowhere"))
    }

    @Test(arguments: [TransportError.connectionLost("It closed."), .timeout(.answer), .unreachable("no file")])
    func r9TheTransportsErrorsAreTold(_ thrown: TransportError) async {
        let client = GatewayClient(transport: ScriptedTransport { _ in throw thrown })
        let error = await #expect(throws: CallError.self) { try await client.success(of: Call(.get, "/")) }
        #expect(error?.isRetryable == true)
    }

    /// Q5: a readable path, and the body.
    @Test(arguments: [
        (#"[{"name":"a","size":"x","color":"c"}]"#, "$[0].size"), (#"[{"name":"a","size":1}]"#, "$[0].color"),
        (#"{"#, "$"),
    ])
    func q5DecodingErrorsHavePathAndBody(json: String, path: String) async {
        guard case .decode(let fault) = await error(.json(json)) else {
            Issue.record("no fault")
            return
        }
        #expect(fault.path == path && fault.body == Array(json.utf8))
    }

    /// S19: each has words for the person who reads it.
    @Test func s19EveryErrorCanBeRead() {
        let fault = DecodeFault(.absent, path: "$.values", detail: "a member is missing", body: [])
        let all: [CallError] = [
            .problem(GatewayProblem(.rateLimited, status: 429, title: "Too many requests", detail: "Wait.")),
            .status(WholeAnswer(status: 404)), .missingPath(fault), .decode(fault), .encode("e"), .url("u"),
            .transport(.timeout(.content)), .cancelled, .other(CancellationError()),
        ]
        #expect(Set(all.map(\.title)).count == all.count)
        for error in all { #expect(error.title.count > 5 && !error.detail.isEmpty) }
    }

    static let transportErrors: [TransportError] = [
        .unreachable("no file"), .timeout(.connection), .timeout(.answer), .timeout(.content),
        .connectionLost("The gateway closed the connection."), .badAnswer("The head has no end."), .tooLarge(limit: 7),
        .overloaded(limit: 3), .badRequest("'a b' is no name of a field"),
    ]

    /// A gateway that answers can be reached, whatever is wrong with the call.
    @Test func titlesOfTheTransportsErrors() {
        let titles = Self.transportErrors.map { CallError.transport($0).title }
        #expect(Set(titles).count == titles.count)
        #expect(titles.filter { $0.contains("cannot be reached") } == ["The gateway cannot be reached"])
    }

    /// Nothing is said twice, and nothing is left out.
    @Test(arguments: transportErrors)
    func nothingIsSaidTwice(_ thrown: TransportError) {
        let error = CallError.transport(thrown)
        #expect("\(error)" == "\(thrown)")
        #expect("\(error)".hasPrefix(error.title) && "\(error)".hasSuffix(error.detail))
        #expect(!error.detail.contains(error.title), "\(error.detail)")
    }

    @Test func faultsAreInTheText() async throws {
        let text = #"""
            {"type":"urn:sluice:problem:bad-parameters","title":"Wrong parameters","status":400,
            "detail":"2 parameters are wrong.","faults":[{"name":"limit","in":"query","expected":"Int",
            "found":"'many'","hint":"write a number"},{"name":"page","in":"query"}]}
            """#
        let error = try #require(await error(.problem(text, status: 400)))
        #expect(
            "\(error)" == """
                Wrong parameters. 2 parameters are wrong.
                limit (query): expected Int, found 'many' → write a number
                page (query)
                """)
    }

    @Test func anotherAnswerIsDescribed() {
        let error = CallError.status(WholeAnswer(status: 404, body: Array("404 not found".utf8)))
        #expect(
            "\(error)" == "The answer has the status 404. It is no error as the gateway tells them; its content of 13"
                + " bytes is kept (body).")
    }

    /// What shows errors of all kinds asks Foundation for their words.
    @Test func foundationHasTheSameWords() {
        let error: any Error = CallError.transport(.timeout(.answer))
        #expect(error.localizedDescription == "\(error)")
        #expect((TransportError.timeout(.answer) as any Error).localizedDescription == "\(error)")
    }
}
