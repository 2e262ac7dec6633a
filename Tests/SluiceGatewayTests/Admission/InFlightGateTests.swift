import SluiceContract
import Testing

@testable import SluiceGateway

/// The gate alone and between two loops.
@Suite struct InFlightGateTests {
    @Test func countsWhoIsIn() {
        let gate = InFlightGate(ConcurrencyLimit(2))
        #expect(gate.enter() && gate.enter() && !gate.enter())
        #expect(gate.inFlight == 2)
        #expect(gate.leave() == nil)
        #expect(gate.inFlight == 1 && gate.enter())
    }

    private static func table(_ limit: Int, queue: Int) throws -> RouteTable {
        try RouteTable(
            Build.configuration([
                try Build.binding("ANY /raw/**", to: "fruit /**") {
                    $0.concurrency = ConcurrencyLimit(limit, queue: queue)
                }
            ]))
    }

    /// First in, first out, whichever loop a request is on.
    @Test func loopsShareIt() throws {
        let table = try Self.table(1, queue: 2)
        let (one, two) = (Bench(table), Bench(table))
        one.client().request("GET", "/raw/a")
        two.client().request("GET", "/raw/b")
        one.client().request("GET", "/raw/c")
        #expect(one.origins.count == 1 && two.origins.isEmpty)
        #expect(table.routes[0].meter?.gate?.waiting == 2)
        two.client().request("GET", "/raw/d")
        #expect(two.clients[1].answers.first?.status == 503)
        try one.origin().answer(200)
        two.gateway.collectOpened()
        two.turn()
        #expect(two.origins.count == 1, "the one that came second is on the other loop")
        try two.origin().answer(200)
        one.gateway.collectOpened()
        one.turn()
        #expect(try one.origin().requests.count == 2)
        try one.origin().answer(200)
        #expect(table.routes[0].meter?.gate?.inFlight == 0)
        #expect(one.clients.map { $0.answers.first?.status } == [200, 200])
    }

    /// The other loop has let it in, and it has gone: its place is not lost.
    @Test func aPlaceIsNotLostOnItsWay() throws {
        let table = try Self.table(1, queue: 2)
        let (one, two) = (Bench(table), Bench(table))
        one.client().request("GET", "/raw/a")
        let waiting = two.client()
        waiting.request("GET", "/raw/b")
        try one.origin().answer(200)
        waiting.reset()
        #expect(table.routes[0].meter?.gate?.inFlight == 1)
        two.gateway.collectOpened()
        two.turn()
        #expect(table.routes[0].meter?.gate?.inFlight == 0)
        #expect(two.origins.isEmpty)
        #expect(two.gateway.loop.timers.count == 0)
    }
}
