import Observation
import Testing

@testable import SluiceClient

/// Who is told of what, and what begins and ends because of those who look on.
@Suite struct ResourceWatchersTests {
    private static func fruit(_ transport: ScriptedTransport) -> TypedResource<Fruit> {
        let client = GatewayClient(transport: transport, settings: .init(timeout: .seconds(3600)))
        return ResourceService(client: client).resource("/plum").typed()
    }

    /// A view that reads when it is told sees the change; there is no second word.
    @Test func viewsAreToldOfWhatIsThereAlready() {
        let resource = TypedResource<Int>.loading { 1 }
        let seen = Locked<Int?>(nil)
        withObservationTracking {
            _ = resource.state
        } onChange: {
            let content = resource.content
            seen.withLock { $0 = content }
        }
        resource.override(7)
        #expect(seen.withLock { $0 } == 7)
    }

    /// Who asks for what is settled, or on its way, changes nothing and wakes nobody.
    @Test func askingInVainTellsNobody() async throws {
        let gate = Gate()
        let clock = ManualClock()
        let resource = ResourceService(
            client: GatewayClient(
                transport: ScriptedTransport { _ in
                    await gate.pass()
                    return .json("", status: 500)
                }), now: { clock.now }
        ).resource("/plum").typed(Fruit.self)
        resource.loadIfNeeded()
        await confirmation(expectedCount: 0) { told in
            withObservationTracking {
                _ = resource.state
            } onChange: {
                told()
            }
            resource.loadIfNeeded()
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try? await resource.value()
            }
            #expect(await cancelled.value == nil)
        }
        gate.open()
        await #expect(throws: CallError.self) { try await resource.value() }
        await confirmation(expectedCount: 0) { told in
            withObservationTracking {
                _ = resource.state
            } onChange: {
                told()
            }
            resource.loadIfNeeded()
            await #expect(throws: CallError.self) { try await resource.value() }
        }
    }

    /// S18: what was asked for without waiting is nobody's to cancel: a view that only observes counts on it.
    @Test func s18AViewsLoadGoesOn() async throws {
        let gate = Gate()
        let resource = Self.fruit(
            ScriptedTransport { _ in
                await gate.pass()
                return .json(TypedResourceTests.plum)
            })
        resource.loadIfNeeded()
        let joined = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try? await resource.value()
        }
        #expect(await joined.value == nil)
        #expect(resource.state.isLoading)
        gate.open()
        #expect(try await resource.value().name == "plum")
    }

    /// While somebody iterates, what was invalidated or given up is asked for at once; nobody has to ask again.
    @Test(arguments: [true, false])
    func whoIteratesGetsWhatIsNew(isWipe: Bool) async throws {
        let count = Locked(0)
        let resource = Self.fruit(
            ScriptedTransport { _ in
                let size = count.withLock { count in
                    count += 1
                    return count
                }
                return .json(#"{"name":"plum","size":\#(size),"color":"blue"}"#)
            })
        for await state in resource.states where !state.isLoading {
            if state.content?.size == 1 {
                if isWipe { resource.wipe() } else { resource.invalidate() }
            }
            if state.content?.size == 2 { break }
        }
        #expect(count.withLock { $0 } == 2)
    }

    /// A mutation of which nobody knows the outcome leaves nothing that is fresh.
    @Test(arguments: [
        (TransportError.timeout(.answer), false), (.connectionLost(""), false), (.badAnswer(""), false),
        (.unreachable(""), true), (.timeout(.connection), true), (.overloaded(limit: 1), true),
    ])
    func s5AMutationThatMayHaveHappened(error: TransportError, isFresh: Bool) async throws {
        let transport = ScriptedTransport { request in
            if request.method == "PUT" { throw error }
            return .json(TypedResourceTests.plum)
        }
        let place = ResourceService(client: GatewayClient(transport: transport)).resource("/plum")
        let resource = place.typed(Fruit.self)
        _ = try await resource.value()
        await #expect(throws: CallError.self) { try await place.request(.put) }
        #expect(resource.currentState.isUpToDate == isFresh)
    }

    @Test(arguments: [(400, true), (409, true), (500, false), (303, false)])
    func s5AMutationThatWasAnswered(status: Int, isFresh: Bool) async throws {
        let transport = ScriptedTransport { request in
            .json(TypedResourceTests.plum, status: request.method == "PUT" ? status : 200)
        }
        let place = ResourceService(client: GatewayClient(transport: transport)).resource("/plum")
        let resource = place.typed(Fruit.self)
        _ = try await resource.value()
        await #expect(throws: CallError.self) { try await place.request(.put) }
        #expect(resource.currentState.isUpToDate == isFresh)
    }

    /// The question is the program's, and may itself ask for resources.
    @Test func aQuestionMayAskForResources() {
        let service = ResourceService(client: GatewayClient(transport: ScriptedTransport(json: "1")))
        let resource = service.resource("/a").typed(Int.self)
        resource.override(1)
        service.wipe { service.resource($0.path).typed(Int.self) === resource }
        #expect(resource.content == nil)
    }

    /// Nothing is sent to an address that would be another one.
    @Test(arguments: ["", ".", ".."])
    func whatIsNoChildIsNotAskedFor(segment: String) async {
        let transport = ScriptedTransport(json: "1")
        let parent = ResourceService(client: GatewayClient(transport: transport)).resource("/a")
        let place = parent.child(segment).child("b").withParam("c", 1)
        for error in [
            await #expect(throws: CallError.self) { try await place.typed(Int.self).value() },
            await #expect(throws: CallError.self) { try await place.request(.delete) },
        ] {
            guard case .encode = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
        #expect(transport.lines.isEmpty)
    }
}
