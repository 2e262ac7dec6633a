/// The HTTP/2 connections of one event loop to one endpoint, as a pure machine: it opens and closes nothing, it says
/// what to do.
///
/// The first connection that has room takes the next request, so that the others can age and be closed; another one is
/// opened when all are full. How many streams fit on one the peer's SETTINGS tell (RFC 9113 §5.1.2); before they have
/// come, the last that were heard are expected again. A call that finds no room waits, first in, first out.
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
        /// 0 while it is opening.
        var streamsMax = 0
        var phase = Phase.opening
    }

    private enum Phase {
        case opening, open
        /// What is on it is served to its end, and nothing else.
        case retired
    }

    init(connectionsMax: Int, idleMax: Int, queueMax: Int) {
        self.connectionsMax = connectionsMax
        self.idleMax = idleMax
        self.queueMax = queueMax
    }

    enum Lease {
        /// A stream on this connection is yours; it is counted already.
        case use(Connection)
        /// You are in the queue, and a connection is to be opened (``opening(_:)``).
        case open
        /// You are in the queue.
        case wait
        /// The queue is full.
        case refuse
    }

    var waitingCount: Int { waiting.count }
    /// Connections, those that are opening included.
    var count: Int { lanes.count }
    /// Requests under way.
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

    /// A connection that carries nothing at present.
    var idle: Connection? { lanes.first { $0.streams == 0 && $0.phase == .open }?.connection }

    /// Whether more wait than the connections that are opening will take.
    var needsAnother: Bool {
        guard waiting.count > 0, lanes.count < connectionsMax else { return false }
        // A peer that allows none on one connection may on another: behind one address there may be several servers, of
        // which this one is about to end. One that allows none on two is not asked by one connection after the other.
        if lanes.count(where: { $0.phase == .open && $0.streamsMax == 0 }) > 1 { return false }
        return waiting.count > lanes.count { $0.phase == .opening } * expectedStreams
    }

    mutating func opening(_ connection: Connection) {
        lanes.append(Lane(connection: connection))
    }

    /// The connection is there, or its peer has changed its mind.
    mutating func allows(_ streams: Int, on connection: Connection) {
        guard let index = index(of: connection), lanes[index].phase != .retired else { return }
        lanes[index].phase = .open
        lanes[index].streamsMax = streams
        expectedStreams = max(1, streams)
    }

    /// Somebody in the queue for whom the connection has room; a stream is counted already.
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
        return waiting.count > 0 || lanes.count { $0.streams == 0 && $0.phase == .open } <= idleMax
    }

    /// The connection takes no more requests.
    mutating func retire(_ connection: Connection) {
        guard let index = index(of: connection) else { return }
        lanes[index].phase = .retired
        lanes[index].streamsMax = 0
    }

    /// The connection is gone, with all that was on it.
    mutating func lost(_ connection: Connection) {
        if let index = index(of: connection) { lanes.remove(at: index) }
    }

    /// Those who wait, where there is no connection any more that they could wait for.
    mutating func takeStranded() -> [Waiter] {
        lanes.allSatisfy { $0.phase == .retired } ? takeWaiting() : []
    }

    /// Everybody who waits.
    mutating func takeWaiting() -> [Waiter] { waiting.removeAll() }

    /// A waiter gave up.
    mutating func leave(_ waiter: Waiter) { waiting.leave(waiter) }

    private func index(of connection: Connection) -> Int? {
        lanes.firstIndex { $0.connection === connection }
    }
}
