import Testing

@testable import SluiceGateway

/// Who gets which connection (`StreamPool.swift`).
@Suite struct StreamPoolTests {
    final class Connection {}
    final class Waiter {}

    private func pool(connections: Int = 2, idle: Int = 2, queue: Int = 1000) -> Pool {
        Pool(connectionsMax: connections, idleMax: idle, queueMax: queue)
    }

    typealias Pool = StreamPool<Connection, Waiter>

    private func lease(_ pool: inout Pool, _ waiter: Waiter = Waiter()) -> String {
        switch pool.lease(waiter) {
        case .use: "use"
        case .open: "open"
        case .wait: "wait"
        case .refuse: "refuse"
        }
    }

    private func next(_ pool: inout Pool, _ connection: Connection) -> Waiter? { pool.next(for: connection) }

    private func returned(_ pool: inout Pool, _ connection: Connection) -> Bool { pool.returned(to: connection) }

    @Test func theFirstOpensAndTheOthersWait() {
        var pool = pool()
        let connection = Connection()
        let first = Waiter()
        #expect(lease(&pool, first) == "open")
        pool.opening(connection)
        #expect(lease(&pool) == "wait")
        #expect(pool.waitingCount == 2)
        pool.allows(10, on: connection)
        #expect(next(&pool, connection) === first)
        #expect(next(&pool, connection) != nil)
        #expect(next(&pool, connection) == nil)
        #expect(pool.streamCount == 2)
        #expect(lease(&pool) == "use")
    }

    @Test func fullOnesLeadToAnother() {
        var pool = pool()
        let first = Connection()
        let second = Connection()
        pool.opening(first)
        pool.allows(1, on: first)
        #expect(lease(&pool) == "use")
        #expect(lease(&pool) == "open")
        pool.opening(second)
        // One stream each is expected now; but there may be no third connection.
        #expect(lease(&pool) == "wait")
        pool.allows(1, on: second)
        #expect(next(&pool, second) != nil)
        #expect(next(&pool, second) == nil)
        #expect(returned(&pool, first))
        #expect(next(&pool, first) != nil)
    }

    /// What is opening is expected to take as many as the last one that has told.
    @Test func asManyStreamsAreExpectedAsWereHeardOfLast() {
        var pool = pool(connections: 3)
        let first = Connection()
        pool.opening(first)
        pool.allows(3, on: first)
        pool.lost(first)
        #expect(lease(&pool) == "open")
        pool.opening(Connection())
        #expect(lease(&pool) == "wait")
        #expect(lease(&pool) == "wait")
        #expect(!pool.needsAnother)
        #expect(lease(&pool) == "open")
        pool.opening(Connection())
        #expect(!pool.needsAnother)
    }

    /// Who waits is stranded once there is nothing left that could take it.
    @Test func whoCanStillBeServedIsNotStranded() {
        var pool = pool()
        let old = Connection()
        let new = Connection()
        pool.opening(old)
        pool.allows(1, on: old)
        pool.retire(old)
        #expect(lease(&pool) == "open")
        pool.opening(new)
        let early = pool.takeStranded()
        #expect(early.isEmpty)
        pool.lost(new)
        let late = pool.takeStranded()
        #expect(late.count == 1)
    }

    @Test func retiredOnesTakeNothing() {
        var pool = pool(connections: 1)
        let connection = Connection()
        pool.opening(connection)
        pool.allows(5, on: connection)
        #expect(lease(&pool) == "use")
        pool.retire(connection)
        pool.allows(5, on: connection)
        #expect(lease(&pool) == "wait")
        #expect(!returned(&pool, connection))
        #expect(pool.streamCount == 0)
        pool.lost(connection)
        #expect(pool.needsAnother)
        let stranded = pool.takeStranded()
        #expect(stranded.count == 1)
        #expect(lease(&pool) == "open")
    }

    @Test func idleOnesBeyondTheLimitAreNotKept() {
        var pool = pool(idle: 1)
        let both = [Connection(), Connection()]
        for connection in both {
            pool.opening(connection)
            pool.allows(1, on: connection)
            #expect(lease(&pool) == "use")
        }
        #expect(returned(&pool, both[0]))
        #expect(!returned(&pool, both[1]))
    }

    @Test func whatCarriesNothingIsIdle() {
        var pool = pool()
        let connection = Connection()
        pool.opening(connection)
        #expect(pool.idleCount == 0)
        pool.allows(2, on: connection)
        #expect(pool.idleCount == 1 && pool.idle === connection)
        #expect(lease(&pool) == "use")
        #expect(pool.idleCount == 0 && pool.idle == nil)
        #expect(returned(&pool, connection))
        #expect(pool.idleCount == 1)
        pool.retire(connection)
        #expect(pool.idleCount == 0)
    }

    @Test func aFullQueueRefuses() {
        var pool = pool(queue: 1)
        #expect(lease(&pool) == "open")
        #expect(lease(&pool) == "refuse")
    }
}
