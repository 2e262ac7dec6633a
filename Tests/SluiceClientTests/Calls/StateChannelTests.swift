import Testing

@testable import SluiceClient

/// States that are let go of: what ends with them may ask for the state.
@Suite struct StateChannelTests {
    /// A value whose end is told.
    final class Ending: Codable, Sendable {
        private let end: (@Sendable () -> Void)?

        init(_ end: (@Sendable () -> Void)? = nil) { self.end = end }
        init(from decoder: any Decoder) throws { end = nil }
        func encode(to encoder: any Encoder) throws {}
        deinit { end?() }
    }

    @Test func aValueThatEndsMayReadItsProperty() async throws {
        let rest = Rest(wrappedValue: Ending(), path: "x")
        let query = rest.projectedValue
        let ends = Locked(0)
        let client = GatewayClient(transport: ScriptedTransport(json: "{}"))
        let looking: @Sendable () -> Void = {
            _ = query.state
            // A call of its own begins under the lock of the calls.
            _ = try? query.cell.client()
            ends.withLock { $0 += 1 }
        }
        query.wrappedValue = Ending(looking)
        query.wrappedValue = Ending(looking)
        query.projectedValue.change { $0 = Ending(looking) }
        #expect(ends.withLock { $0 } == 2)
        try await GatewayClient.withClient(client) { _ = try await query.get() }
        #expect(ends.withLock { $0 } == 3)
    }

    /// One who watches and is slow has the old state as well.
    @Test func alsoWhereSomebodyWatches() async {
        let rest = Rest(wrappedValue: Ending(), path: "x")
        let query = rest.projectedValue
        let ends = Locked(0)
        let states = query.states
        for _ in 0..<2 {
            query.wrappedValue = Ending {
                _ = query.state
                ends.withLock { $0 += 1 }
            }
        }
        query.wrappedValue = Ending()
        #expect(ends.withLock { $0 } == 2)
        withExtendedLifetime(states) {}
    }

    @Test func contentThatEndsMayAskItsResource() {
        let transport = ScriptedTransport(json: "{}")
        let service = ResourceService(client: GatewayClient(transport: transport))
        let resource = service.resource("/x").typed(Ending.self)
        let ends = Locked(0)
        for _ in 0..<3 {
            resource.override(
                Ending { [weak resource] in
                    _ = resource?.currentState
                    ends.withLock { $0 += 1 }
                })
        }
        resource.wipe()
        #expect(ends.withLock { $0 } == 3)
    }

    @Test func anElementThatEndsMayAskItsSequence() async {
        let ends = Locked(0)
        let (elements, element) = AsyncStream.makeStream(of: Ending.self)
        let sequence = LoadableSequence { elements }
        for _ in 0..<2 {
            element.yield(
                Ending { [weak sequence] in
                    sequence?.loadIfNeeded()
                    ends.withLock { $0 += 1 }
                })
        }
        element.yield(Ending())
        element.finish()
        for await state in sequence.states where !state.isLoading && state.content != nil { break }
        #expect(ends.withLock { $0 } == 2)
    }

    /// The client that is replaced may be the program's own.
    @Test func aTransportThatEndsMayAskForTheClient() {
        final class EndingTransport: Transport {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            func send(_ request: CallRequest, timeout: Duration?) async throws -> CallAnswer { CallAnswer(status: 204) }
            deinit { end() }
        }
        let rest = Rest(wrappedValue: 1, path: "x")
        let query = rest.projectedValue
        let ends = Locked(0)
        query.cell.use(
            GatewayClient(
                transport: EndingTransport {
                    _ = try? query.cell.client()
                    ends.withLock { $0 += 1 }
                }))
        query.cell.use(GatewayClient(transport: ScriptedTransport(json: "1")))
        #expect(ends.withLock { $0 } == 1)
    }

    /// Of two errors of calls, while a third is on its way, the first is nobody's once the second is there.
    @Test func anErrorThatEndsMayAskForTheProperty() {
        final class EndingError: Error {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        let cell = RestCell(0)
        let ends = Locked(0)
        let numbers = [cell.begin(), cell.begin(), cell.begin()]
        cell.end(
            numbers[0],
            .failure(
                .other(
                    EndingError {
                        _ = try? cell.client()
                        ends.withLock { $0 += 1 }
                    })))
        #expect(ends.withLock { $0 } == 0)
        cell.end(numbers[1], .failure(.encode("no form")))
        #expect(ends.withLock { $0 } == 1)
        cell.end(numbers[2], .failure(.encode("no form")))
    }
}
