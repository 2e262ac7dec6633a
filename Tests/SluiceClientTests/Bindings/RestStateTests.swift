import SluiceClient
import Testing

/// What watchers of a bound property see, and what calls at the same time do.
@Suite struct RestStateTests {
    static let plum = #"{"name":"plum","size":4,"color":"blue"}"#

    @Test func statesTellOfACallsLife() async throws {
        let gate = Gate()
        let stand = FruitStand.asking(
            ScriptedTransport { _ in
                await gate.pass()
                return .json(Self.plum)
            })
        var states = stand.$today.states.makeAsyncIterator()
        var state = try #require(await states.next())
        #expect(state.value.name == "strawberry" && !state.isRequesting)
        async let call = stand.$today.get()
        state = try #require(await states.next())
        #expect(state.isRequesting)
        gate.open()
        _ = try await call
        state = try #require(await states.next())
        #expect(state.value.name == "plum" && !state.isRequesting && state.error == nil)
    }

    @Test func aFailureKeepsTheValue() async {
        let stand = FruitStand.asking(ScriptedTransport(status: 404, json: "{}"))
        await #expect(throws: CallError.self) { try await stand.$today.get() }
        #expect(stand.$today.state.error?.status == 404)
        #expect(stand.today.name == "strawberry")
    }

    /// An answer that was overtaken by that of a later call does not take its place.
    @Test func aLateAnswerDoesNotWin() async throws {
        let gate = Gate()
        let stand = FruitStand.asking(
            ScriptedTransport { request in
                guard request.method == "GET" else { return .json(Self.plum) }
                await gate.pass()
                return .json(#"{"name":"old","size":1,"color":"grey"}"#)
            })
        var states = stand.$today.states.makeAsyncIterator()
        _ = await states.next()
        async let slow = stand.$today.get()
        _ = await states.next()
        try await stand.$today.post()
        #expect(stand.$today.state.isRequesting, "one is still on its way")
        gate.open()
        #expect(try await slow.name == "old")
        #expect(stand.today.name == "plum")
    }

    @Test func cancellationIsAnErrorOfItsOwn() async throws {
        let began = Gate()
        let stand = FruitStand.asking(
            ScriptedTransport { _ in
                began.open()
                try await Task.sleep(for: .seconds(600))
                return .json(Self.plum)
            })
        let call = Task { try await stand.$today.get() }
        await began.pass()
        call.cancel()
        let error = await #expect(throws: CallError.self) { try await call.value }
        guard case .cancelled = error else {
            Issue.record("\(error as Any)")
            return
        }
    }
}
