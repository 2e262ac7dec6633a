/// The connections of one event loop to one upstream, as a pure state machine: it opens and closes nothing, but returns
/// what to do.
///
/// A connection is opening, leased or idle. Idle ones are leased again last in, first out, so that the rest can age
/// and be closed. A call that finds no idle connection and no room for a new one waits, first in, first out.
struct ConnectionPool<Connection: AnyObject, Waiter: AnyObject> {
    let idleMax: Int
    let connectionsMax: Int
    let queueMax: Int
    private(set) var idle: [Connection] = []
    /// The number of connections: opening, leased and idle.
    private(set) var count = 0
    private var waiting = WaitingQueue<Waiter>()

    init(idleMax: Int, connectionsMax: Int, queueMax: Int) {
        self.idleMax = idleMax
        self.connectionsMax = connectionsMax
        self.queueMax = queueMax
    }

    enum Lease {
        /// The caller gets this idle connection.
        case use(Connection)
        /// The caller opens a connection; it is counted already.
        case open
        /// The caller is in the queue.
        case wait
        /// The queue is full.
        case refuse
    }

    enum Return {
        /// The connection stays, idle.
        case keep
        /// The connection passes to this waiter.
        case hand(Waiter)
        /// Close it: enough connections are idle. It is no longer counted, so do not call ``lost(idle:)``.
        case close
    }

    var waitingCount: Int { waiting.count }

    /// A call wants a connection; `fresh` asks for one that was never used, for a replay after a stale one died.
    /// - Parameter others: connections of another version of HTTP, which count for the same limit.
    mutating func lease(_ waiter: Waiter, fresh: Bool = false, others: Int = 0) -> Lease {
        if !fresh, let connection = idle.popLast() { return .use(connection) }
        if count + others < connectionsMax {
            count += 1
            return .open
        }
        if fresh, let oldest = idle.first {
            // No room for a fresh one beside the idle ones: the least recently used one is given instead.
            idle.removeFirst()
            return .use(oldest)
        }
        guard waitingCount < queueMax else { return .refuse }
        waiting.append(waiter)
        return .wait
    }

    /// A leased connection has finished an exchange and can take another.
    mutating func returned(_ connection: Connection) -> Return {
        if let next = waiting.popFirst() { return .hand(next) }
        guard idle.count < idleMax else {
            count -= 1
            return .close
        }
        idle.append(connection)
        return .keep
    }

    /// A connection that was opening or leased is lost.
    /// - Returns: a waiter for whom a new connection is to be opened now; it is counted already.
    mutating func lost(others: Int = 0) -> Waiter? {
        count -= 1
        return next(others: others)
    }

    /// The first waiter, if there is room for a connection; it is counted already.
    mutating func next(others: Int) -> Waiter? {
        guard count + others < connectionsMax, let next = waiting.popFirst() else { return nil }
        count += 1
        return next
    }

    /// An idle connection is lost: closed by its peer, or too old.
    mutating func lost(idle connection: Connection) {
        guard let index = idle.lastIndex(where: { $0 === connection }) else { return }
        idle.remove(at: index)
        count -= 1
    }

    /// Takes all waiters out of the queue.
    mutating func takeWaiting() -> [Waiter] { waiting.removeAll() }

    /// A waiter gave up.
    mutating func leave(_ waiter: Waiter) { waiting.leave(waiter) }

    /// A connection that was opened for HTTP/2 speaks HTTP/1.1: it counts as leased until it is returned.
    mutating func adopted() { count += 1 }

    /// Removes all idle connections, to be closed: the upstream is no longer configured, or the daemon stops.
    mutating func removeIdle() -> [Connection] {
        let removed = idle
        idle = []
        count -= removed.count
        return removed
    }
}
