/// The HTTP/2 connections of one event loop to one endpoint, as a pure state machine: it opens and closes nothing, but
/// returns what to do.
///
/// The first connection that has room takes the next request, so that the others can age and be closed; another one is
/// opened when all are full. The peer's SETTINGS limit the streams of a connection (RFC 9113 §5.1.2); until they come,
/// the last known limit is assumed. A call that finds no room waits, first in, first out.
struct StreamPool<Connection: AnyObject, Waiter: AnyObject> {
    let connectionsMax: Int
    let idleMax: Int
    let queueMax: Int
    private var lanes: [Lane] = []
    private var waiting = WaitingQueue<Waiter>()
    private var expectedStreams = 100

    private struct Lane {
        let connection: Connection
        var streams = 0
        /// 0 while the connection is opening.
        var streamsMax = 0
        var phase = Phase.opening

        var isIdle: Bool { streams == 0 && phase == .open }
    }

    private enum Phase {
        case opening, open
        /// Running requests are served to their end; no others begin.
        case retired
    }

    init(connectionsMax: Int, idleMax: Int, queueMax: Int) {
        self.connectionsMax = connectionsMax
        self.idleMax = idleMax
        self.queueMax = queueMax
    }

    enum Lease {
        /// The caller gets a stream on this connection; it is counted already.
        case use(Connection)
        /// The caller is in the queue, and a connection has to be opened (``opening(_:)``).
        case open
        /// The caller is in the queue.
        case wait
        /// The queue is full.
        case refuse
    }

    var waitingCount: Int { waiting.count }
    /// The number of connections, including those that are opening.
    var count: Int { lanes.count }
    /// The number of running requests.
    var streamCount: Int { lanes.reduce(0) { $0 + $1.streams } }
    var connections: [Connection] { lanes.map(\.connection) }

    mutating func lease(_ waiter: Waiter) -> Lease {
        for index in lanes.indices where lanes[index].streams < lanes[index].streamsMax {
            lanes[index].streams += 1
            return .use(lanes[index].connection)
        }
        guard waiting.count < queueMax else { return .refuse }
        waiting.append(waiter)
        return needsAnother ? .open : .wait
    }

    /// A connection without streams.
    var idle: Connection? { lanes.first { $0.isIdle }?.connection }
    /// The number of connections without streams.
    var idleCount: Int { lanes.count { $0.isIdle } }

    /// Whether more calls wait than the connections that are opening will take.
    var needsAnother: Bool {
        guard waiting.count > 0, lanes.count < connectionsMax else { return false }
        // A peer that allows no streams on one connection may allow some on another: one address may lead to several
        // servers, of which this one is about to stop. If two connections allow none, no further one is opened.
        if lanes.count(where: { $0.phase == .open && $0.streamsMax == 0 }) > 1 { return false }
        return waiting.count > lanes.count { $0.phase == .opening } * expectedStreams
    }

    mutating func opening(_ connection: Connection) {
        lanes.append(Lane(connection: connection))
    }

    /// The connection is established, or its peer has changed the limit.
    mutating func allows(_ streams: Int, on connection: Connection) {
        guard let index = index(of: connection), lanes[index].phase != .retired else { return }
        lanes[index].phase = .open
        lanes[index].streamsMax = streams
        expectedStreams = max(1, streams)
    }

    /// The next waiter, if the connection has room; its stream is counted already.
    mutating func next(for connection: Connection) -> Waiter? {
        guard waiting.count > 0, let index = index(of: connection), lanes[index].streams < lanes[index].streamsMax
        else { return nil }
        lanes[index].streams += 1
        return waiting.popFirst()
    }

    /// A stream is over.
    /// - Returns: whether the connection is worth keeping.
    mutating func returned(to connection: Connection) -> Bool {
        guard let index = index(of: connection) else { return false }
        lanes[index].streams -= 1
        guard lanes[index].streams == 0 else { return true }
        if lanes[index].phase == .retired { return false }
        return waiting.count > 0 || idleCount <= idleMax
    }

    /// The connection takes no more requests.
    mutating func retire(_ connection: Connection) {
        guard let index = index(of: connection) else { return }
        lanes[index].phase = .retired
        lanes[index].streamsMax = 0
    }

    /// The connection is lost, with all its streams.
    mutating func lost(_ connection: Connection) {
        if let index = index(of: connection) { lanes.remove(at: index) }
    }

    /// Takes all waiters, if there is no connection left that they could wait for.
    mutating func takeStranded() -> [Waiter] {
        lanes.allSatisfy { $0.phase == .retired } ? takeWaiting() : []
    }

    /// Takes all waiters out of the queue.
    mutating func takeWaiting() -> [Waiter] { waiting.removeAll() }

    /// A waiter gave up.
    mutating func leave(_ waiter: Waiter) { waiting.leave(waiter) }

    private func index(of connection: Connection) -> Int? {
        lanes.firstIndex { $0.connection === connection }
    }
}
