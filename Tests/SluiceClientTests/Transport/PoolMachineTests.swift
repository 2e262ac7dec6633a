import Testing

@testable import SluiceClient

/// Which call gets which connection.
@Suite struct PoolMachineTests {
    final class Connection: Sendable {}

    typealias Machine = PoolMachine<Connection, String>

    private static func machine(connections: Int = 2, waiting: Int = 2) -> Machine {
        Machine(connections: connections, waiting: waiting, idleNanoseconds: 100)
    }

    /// What a call is told, in a word.
    private static func lease(_ machine: inout Machine, _ connections: [Connection] = []) -> String {
        switch machine.lease() {
        case .use(let connection): "use \(connections.firstIndex { $0 === connection } ?? -1)"
        case .dial: "dial"
        case .wait: "wait"
        case .refused: "refused"
        case .closed: "closed"
        }
    }

    private static func freed(_ machine: inout Machine, _ connection: Connection, at now: UInt64 = 0) -> String {
        switch machine.freed(connection, at: now) {
        case .kept: "kept"
        case .given(let waiter): waiter
        case .dismissed: "dismissed"
        }
    }

    @Test func connectionsAreMadeUpToTheLimitAndThenWaitedFor() {
        var machine = Self.machine()
        #expect((0..<3).map { _ in Self.lease(&machine) } == ["dial", "dial", "wait"])
        machine.wait("a", ticket: 1, due: .max)
        machine.wait("b", ticket: 2, due: .max)
        #expect(Self.lease(&machine) == "refused")
        #expect(machine.waitingCount == 2)
    }

    @Test func callsAreServedInTheirOrderAndConnectionsLastInFirstOut() {
        var machine = Self.machine()
        let connections = [Connection(), Connection()]
        for _ in 0..<2 { _ = machine.lease() }
        machine.wait("a", ticket: 1, due: .max)
        machine.wait("b", ticket: 2, due: .max)
        #expect(Self.freed(&machine, connections[0]) == "a")
        #expect(Self.freed(&machine, connections[1]) == "b")
        #expect(Self.freed(&machine, connections[0]) == "kept")
        #expect(Self.freed(&machine, connections[1]) == "kept")
        #expect(Self.lease(&machine, connections) == "use 1")
        #expect(Self.lease(&machine, connections) == "use 0")
        #expect(machine.count == 2)
    }

    @Test func whoLeavesIsNotServed() {
        var machine = Self.machine(waiting: 1000)
        for _ in 0..<2 { _ = machine.lease() }
        for number in 0..<500 { machine.wait("\(number)", ticket: UInt64(number), due: .max) }
        for number in 0..<500 where number % 3 > 0 {
            check(machine.leave(UInt64(number)) == "\(number)")
            check(machine.leave(UInt64(number)) == nil)
        }
        let connection = Connection()
        let served = (0..<167).map { _ in Self.freed(&machine, connection) }
        #expect(served == stride(from: 0, to: 500, by: 3).map { "\($0)" })
        // Also after those in front have been taken off.
        machine.wait("x", ticket: 1000, due: .max)
        machine.wait("y", ticket: 1001, due: .max)
        check(machine.leave(1000) == "x")
        #expect(Self.freed(&machine, connection) == "y")
        #expect(machine.waitingCount == 0)
    }

    /// All connections may be busy for hours, and calls give up all the time.
    @Test(arguments: [1, 10])
    func whoLeavesLeavesNoGap(_ stay: UInt64) {
        var machine = Self.machine(waiting: 10_000)
        for _ in 0..<2 { _ = machine.lease() }
        for ticket in 0..<stay { machine.wait("\(ticket)", ticket: ticket, due: .max) }
        for ticket in stay..<10_000 {
            machine.wait("-", ticket: ticket, due: ticket)
            if ticket % 2 == 0 { check(machine.leave(ticket) == "-") }
        }
        _ = machine.timePassed(10_000)
        let queue = Mirror(reflecting: machine).children.first { $0.label == "waiting" }
        #expect(queue.map { Mirror(reflecting: $0.value).children.count } ?? .max < 200)
        let connection = Connection()
        let served = (0..<stay).map { _ in Self.freed(&machine, connection) }
        #expect(served == (0..<stay).map { "\($0)" })
        #expect(Self.freed(&machine, connection) == "kept")
    }

    @Test func aLostConnectionIsMadeAnewByWhoWaits() {
        var machine = Self.machine(connections: 1)
        _ = machine.lease()
        machine.wait("a", ticket: 1, due: .max)
        check(machine.lost(Connection()) == "a")
        #expect(Self.lease(&machine) == "wait")
        check(machine.lost(nil) == nil)
        #expect(machine.count == 0)
        #expect(Self.lease(&machine) == "dial")
    }

    @Test func aConnectionThatIsLostWhileItIsKeptIsNotLent() {
        var machine = Self.machine(connections: 1)
        let connection = Connection()
        _ = machine.lease()
        _ = machine.freed(connection, at: 0)
        check(machine.lost(connection) == nil)
        #expect(Self.lease(&machine) == "dial")
    }

    @Test func timeEndsWaitingAndIdleness() {
        var machine = Self.machine()
        let connections = [Connection(), Connection()]
        for _ in 0..<2 { _ = machine.lease() }
        machine.wait("a", ticket: 1, due: 50)
        machine.wait("b", ticket: 2, due: 70)
        let first = machine.timePassed(50)
        #expect(first.waiters == ["a"] && first.next == 70)
        check(machine.leave(1) == nil)
        check(machine.leave(2) == "b")
        _ = machine.freed(connections[0], at: 100)
        _ = machine.freed(connections[1], at: 150)
        #expect(machine.idleEnd(from: 100) == 200)
        let second = machine.timePassed(200)
        #expect(second.connections.map { $0 === connections[0] } == [true] && second.next == 250)
        #expect(Self.lease(&machine, connections) == "use 1")
    }

    @Test func theClockIsSetToWhatIsSooner() {
        var machine = Self.machine()
        check(machine.arm(at: 100))
        check(!machine.arm(at: 100))
        check(machine.arm(at: 99))
        _ = machine.timePassed(99)
        check(machine.arm(at: 1000))
    }

    @Test func whatIsClosedLendsNothing() {
        var machine = Self.machine()
        let connection = Connection()
        for _ in 0..<2 { _ = machine.lease() }
        _ = machine.freed(connection, at: 0)
        check(machine.close().count == 1)
        #expect(Self.lease(&machine) == "closed")
        #expect(Self.freed(&machine, Connection()) == "dismissed")
    }

    /// The macro cannot change what it looks at.
    private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(isSo, sourceLocation: location)
    }
}
