import Testing

@testable import SluiceClient

/// How long a resource waits for its answer.
@Suite struct TimeLimitTests {
    private static func resource(_ timeout: Duration, _ transport: some Transport) -> TypedResource<Int> {
        let client = GatewayClient(transport: transport).with(timeout: timeout)
        return ResourceService(client: client).resource("/x").typed(Int.self)
    }

    /// No limit is too long to be one.
    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .seconds(10_000_000_000)])
    func aLimitMayBeForEver(_ limit: Duration) async throws {
        #expect(try await Self.resource(limit, ScriptedTransport(json: "7")).value() == 7)
    }

    /// It was the head that did not come.
    @Test func whatWasWaitedForIsTold() async throws {
        let silent = ScriptedTransport { _ in
            try await Task.sleep(for: .seconds(600))
            return .json("7")
        }
        let error = await #expect(throws: CallError.self) {
            try await Self.resource(.milliseconds(1), silent).value()
        }
        guard case .transport(.timeout(.answer)) = error else {
            Issue.record("\(error as Any)")
            return
        }
    }
}
