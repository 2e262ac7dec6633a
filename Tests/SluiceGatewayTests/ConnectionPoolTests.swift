import Testing

@testable import SluiceGateway

private final class Thing {}

/// Every path through the pool: lease, return, loss, queue.
@Suite struct ConnectionPoolTests {
    private typealias Pool = ConnectionPool<Thing, Thing>

    private enum Outcome: Equatable {
        case use(ObjectIdentifier), open, wait, refuse, keep, hand(ObjectIdentifier), close
    }

    private func lease(_ pool: inout Pool, _ waiter: Thing, fresh: Bool = false) -> Outcome {
        switch pool.lease(waiter, fresh: fresh) {
        case .use(let connection): .use(ObjectIdentifier(connection))
        case .open: .open
        case .wait: .wait
        case .refuse: .refuse
        }
    }

    private func giveBack(_ pool: inout Pool, _ connection: Thing) -> Outcome {
        switch pool.returned(connection) {
        case .keep: .keep
        case .hand(let waiter): .hand(ObjectIdentifier(waiter))
        case .close: .close
        }
    }

    @Test func theConnectionUsedLastIsUsedNext() {
        var pool = Pool(idleMax: 4, connectionsMax: 4, queueMax: 1)
        let (first, second) = (Thing(), Thing())
        #expect(lease(&pool, Thing()) == .open)
        #expect(lease(&pool, Thing()) == .open)
        #expect(giveBack(&pool, first) == .keep)
        #expect(giveBack(&pool, second) == .keep)
        #expect(lease(&pool, Thing()) == .use(ObjectIdentifier(second)))
        #expect(lease(&pool, Thing()) == .use(ObjectIdentifier(first)))
        #expect(lease(&pool, Thing()) == .open)
        #expect(pool.count == 3)
    }

    @Test func whoFindsNoRoomWaitsInLineUntilTheLineIsFull() {
        var pool = Pool(idleMax: 1, connectionsMax: 1, queueMax: 2)
        let connection = Thing()
        let waiters = [Thing(), Thing(), Thing()]
        #expect(lease(&pool, Thing()) == .open)
        #expect(waiters.map { lease(&pool, $0) } == [.wait, .wait, .refuse])
        #expect(pool.waitingCount == 2)
        #expect(giveBack(&pool, connection) == .hand(ObjectIdentifier(waiters[0])))
        #expect(giveBack(&pool, connection) == .hand(ObjectIdentifier(waiters[1])))
        #expect(giveBack(&pool, connection) == .keep)
        #expect(pool.waitingCount == 0)
        #expect(pool.count == 1)
    }

    @Test func aLostConnectionMakesRoomForTheNextInLine() {
        var pool = Pool(idleMax: 1, connectionsMax: 1, queueMax: 2)
        let waiter = Thing()
        #expect(lease(&pool, Thing()) == .open)
        #expect(lease(&pool, waiter) == .wait)
        #expect(pool.lost() === waiter)
        #expect(pool.count == 1)
        #expect(pool.lost() == nil)
        #expect(pool.count == 0)
    }

    @Test func whoLeavesTheLineIsNotServed() {
        var pool = Pool(idleMax: 1, connectionsMax: 1, queueMax: 4)
        let waiters = [Thing(), Thing(), Thing()]
        #expect(lease(&pool, Thing()) == .open)
        for waiter in waiters { #expect(lease(&pool, waiter) == .wait) }
        pool.leave(waiters[1])
        pool.leave(waiters[1])
        #expect(pool.waitingCount == 2)
        #expect(giveBack(&pool, Thing()) == .hand(ObjectIdentifier(waiters[0])))
        pool.leave(waiters[0])
        #expect(giveBack(&pool, Thing()) == .hand(ObjectIdentifier(waiters[2])))
    }

    @Test func onlySoManyStayIdle() {
        var pool = Pool(idleMax: 1, connectionsMax: 3, queueMax: 0)
        for _ in 0..<3 { #expect(lease(&pool, Thing()) == .open) }
        #expect(lease(&pool, Thing()) == .refuse)
        #expect(giveBack(&pool, Thing()) == .keep)
        #expect(giveBack(&pool, Thing()) == .close)
        #expect(pool.count == 2)
    }

    @Test func anIdleConnectionThatEndsIsForgottenOnce() {
        var pool = Pool(idleMax: 2, connectionsMax: 2, queueMax: 0)
        let connection = Thing()
        #expect(lease(&pool, Thing()) == .open)
        #expect(giveBack(&pool, connection) == .keep)
        pool.lost(idle: connection)
        pool.lost(idle: connection)
        #expect(pool.count == 0)
        #expect(pool.idle.isEmpty)
    }

    /// A replay wants a connection that cannot be stale; where there is no room for one, the oldest has to do.
    @Test func aReplayGetsAFreshConnectionWhileThereIsRoom() {
        var pool = Pool(idleMax: 2, connectionsMax: 3, queueMax: 1)
        let (old, young) = (Thing(), Thing())
        for _ in 0..<2 { #expect(lease(&pool, Thing()) == .open) }
        #expect(giveBack(&pool, old) == .keep)
        #expect(giveBack(&pool, young) == .keep)
        #expect(lease(&pool, Thing(), fresh: true) == .open)
        #expect(lease(&pool, Thing(), fresh: true) == .use(ObjectIdentifier(old)))
        #expect(lease(&pool, Thing(), fresh: true) == .use(ObjectIdentifier(young)))
        #expect(lease(&pool, Thing(), fresh: true) == .wait)
    }

    @Test func everythingIdleIsHandedOverForClosing() {
        var pool = Pool(idleMax: 2, connectionsMax: 3, queueMax: 1)
        for _ in 0..<3 { #expect(lease(&pool, Thing()) == .open) }
        #expect(giveBack(&pool, Thing()) == .keep)
        #expect(giveBack(&pool, Thing()) == .keep)
        #expect(pool.removeIdle().count == 2)
        #expect(pool.count == 1)
        #expect(pool.removeIdle().isEmpty)
    }

    /// A long line is served in order, whatever becomes of the memory it has used up.
    @Test func aLongLineKeepsItsOrder() {
        var pool = Pool(idleMax: 1, connectionsMax: 1, queueMax: 1000)
        let connection = Thing()
        var line = (0..<300).map { _ in Thing() }
        #expect(lease(&pool, Thing()) == .open)
        for waiter in line { #expect(lease(&pool, waiter) == .wait) }
        for round in 0..<300 {
            #expect(giveBack(&pool, connection) == .hand(ObjectIdentifier(line[round])))
            if round % 3 == 0 {
                line.append(Thing())
                #expect(lease(&pool, line[line.count - 1]) == .wait)
            }
        }
        #expect(pool.waitingCount == 100)
    }
}
