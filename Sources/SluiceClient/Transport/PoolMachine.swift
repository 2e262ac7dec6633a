/// Which call gets which connection: the decisions of a pool, without a socket and without a clock.
///
/// Connections that have served come back last in, first out, so that those which are not needed grow old. Calls that
/// wait are served first in, first out. Times are nanoseconds of a monotonic clock.
struct PoolMachine<Connection: AnyObject & Sendable, Waiter: Sendable>: Sendable {
    enum Lease {
        case use(Connection)
        /// A connection has to be made; the call counts as one that has it.
        case dial
        /// Every connection is at work: wait (``wait(_:ticket:due:)``).
        case wait
        /// As many wait as may.
        case refused
        case closed
    }

    private struct Idle: Sendable {
        var connection: Connection
        var since: UInt64
    }

    private struct Waiting: Sendable {
        var ticket: UInt64
        var waiter: Waiter
        var due: UInt64
    }

    private let connectionsMax: Int
    private let waitingMax: Int
    private let idleNanoseconds: UInt64
    /// Connections that there are, or that are being made.
    private(set) var count = 0
    private var idle: [Idle] = []
    /// In their order; those that gave up are gaps.
    private var waiting: [Waiting?] = []
    private var firstWaiting = 0
    /// Where in ``waiting`` a ticket stands.
    private var places: [UInt64: Int] = [:]
    private(set) var isClosed = false
    /// When the clock will be checked next.
    private var armedAt = UInt64.max

    init(connections: Int, waiting: Int, idleNanoseconds: UInt64) {
        connectionsMax = max(1, connections)
        waitingMax = max(0, waiting)
        self.idleNanoseconds = idleNanoseconds
    }

    // MARK: - Calls

    mutating func lease() -> Lease {
        if isClosed { return .closed }
        if let last = idle.popLast() { return .use(last.connection) }
        if count < connectionsMax {
            count += 1
            return .dial
        }
        return waitingCount < waitingMax ? .wait : .refused
    }

    /// - Parameter ticket: grows from call to call.
    mutating func wait(_ waiter: Waiter, ticket: UInt64, due: UInt64) {
        places[ticket] = waiting.count
        waiting.append(Waiting(ticket: ticket, waiter: waiter, due: due))
    }

    var waitingCount: Int { places.count }

    /// A call gives up waiting.
    /// - Returns: its waiter, if it was still waiting.
    mutating func leave(_ ticket: UInt64) -> Waiter? {
        guard let place = places.removeValue(forKey: ticket) else { return nil }
        let waiter = waiting[place]?.waiter
        waiting[place] = nil
        closeGaps()
        return waiter
    }

    /// Removes the gaps if there are many more of them than waiting calls: a connection may be long in becoming free,
    /// and calls give up all the time.
    private mutating func closeGaps() {
        guard !waiting.isEmpty, places.isEmpty || waiting.count > 64 + 2 * places.count else { return }
        waiting = waiting.filter { $0 != nil }
        firstWaiting = 0
        for (place, entry) in waiting.enumerated() {
            if let entry { places[entry.ticket] = place }
        }
    }

    private mutating func nextWaiter() -> Waiter? {
        defer { closeGaps() }
        while firstWaiting < waiting.count {
            let next = waiting[firstWaiting]
            waiting[firstWaiting] = nil
            firstWaiting += 1
            if let next {
                places[next.ticket] = nil
                return next.waiter
            }
        }
        return nil
    }

    // MARK: - Connections

    enum Freed {
        /// It waits for the next call.
        case kept
        /// It has the next call already.
        case given(Waiter)
        /// It is not needed: close it.
        case dismissed
    }

    /// A connection may take another call.
    mutating func freed(_ connection: Connection, at now: UInt64) -> Freed {
        if let waiter = nextWaiter() { return .given(waiter) }
        if isClosed { return .dismissed }
        idle.append(Idle(connection: connection, since: now))
        return .kept
    }

    /// A connection is gone, or could not be made.
    /// - Returns: the waiter that is to open one in its place.
    mutating func lost(_ connection: Connection?) -> Waiter? {
        if let place = idle.firstIndex(where: { $0.connection === connection }) { idle.remove(at: place) }
        if let waiter = nextWaiter() { return waiter }
        count -= 1
        return nil
    }

    /// Takes out the connections that wait for a call; they have to be closed, and are then told ``lost(_:)``.
    mutating func takeIdle() -> [Connection] {
        defer { idle = [] }
        return idle.map(\.connection)
    }

    /// No more connections will be requested; calls that wait are still served.
    mutating func close() -> [Connection] {
        isClosed = true
        return takeIdle()
    }

    // MARK: - Time

    /// Something is to happen at `due`.
    /// - Returns: whether the clock has to be set to it.
    mutating func arm(at due: UInt64) -> Bool {
        guard due < armedAt else { return false }
        armedAt = due
        return true
    }

    /// When a connection that becomes idle now has been so for long enough.
    func idleEnd(from now: UInt64) -> UInt64 { now &+ idleNanoseconds }

    struct Overdue {
        var waiters: [Waiter] = []
        var connections: [Connection] = []
        /// When to look again.
        var next = UInt64.max
    }

    /// The clock has rung: removes calls that have waited, and connections that have been idle, for too long.
    mutating func timePassed(_ now: UInt64) -> Overdue {
        armedAt = .max
        var overdue = Overdue()
        for place in waiting.indices.dropFirst(firstWaiting) {
            guard let entry = waiting[place] else { continue }
            if entry.due > now {
                overdue.next = min(overdue.next, entry.due)
                continue
            }
            overdue.waiters.append(entry.waiter)
            waiting[place] = nil
            places[entry.ticket] = nil
        }
        closeGaps()
        // The oldest stand first.
        let old = idle.prefix { $0.since &+ idleNanoseconds <= now }
        overdue.connections = old.map(\.connection)
        idle.removeFirst(old.count)
        if let oldest = idle.first { overdue.next = min(overdue.next, oldest.since &+ idleNanoseconds) }
        return overdue
    }
}
