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

    /// Of two calls the later one's end is told, whichever ends last: the value of the one, the error of the other.
    @Test(arguments: [(200, 404), (404, 200), (404, 500)])
    func thePhaseIsTheLatestCalls(first: Int, second: Int) async throws {
        let gate = Gate()
        let stand = FruitStand.asking(
            ScriptedTransport { request in
                if request.method == "GET" { await gate.pass() }
                return .json(Self.plum, status: request.method == "GET" ? first : second)
            })
        var states = stand.$today.states.makeAsyncIterator()
        _ = await states.next()
        let older = Task { try? await stand.$today.get() }
        while await states.next()?.isRequesting != true {}
        _ = try? await stand.$today.post()
        gate.open()
        _ = await older.value
        #expect(stand.$today.state.error?.status == (second == 200 ? nil : second))
        #expect(!stand.$today.state.isRequesting)
        #expect(stand.today.name == (first == 200 || second == 200 ? "plum" : "strawberry"))
    }

    /// A call that was given up says nothing of the property: it is what it was before, or what another call made it.
    @Test(arguments: [200, 404])
    func aCancelledCallLeavesThePhase(_ status: Int) async throws {
        let began = Gate()
        let stand = FruitStand.asking(
            ScriptedTransport { request in
                guard request.method == "GET" else { return .json(Self.plum, status: status) }
                began.open()
                try await Task.sleep(for: .seconds(600))
                return .json(Self.plum)
            })
        let older = Task { try? await stand.$today.get() }
        await began.pass()
        _ = try? await stand.$today.post()
        older.cancel()
        _ = await older.value
        let state = stand.$today.state
        #expect(state.error?.status == (status == 200 ? nil : status) && !state.isRequesting)
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
        guard case .initial = stand.$today.state.phase else {
            Issue.record("\(stand.$today.state.phase)")
            return
        }
    }
}
