internal import SluiceContract
internal import SluiceHTTP

/// One client that watches a value. One value may have ten thousand: so each remembers only what it has been told.
final class Watcher: PendingWork {
    /// Its answer; nil once the client has left, or has been told the end.
    private(set) var exchange: Exchange?
    private let watched: Watched
    /// Its index among the watchers of the same value.
    var place = 0
    private var position = WatchLog.Position()
    /// The client's `Last-Event-ID`, until there is a value to compare it with.
    private var seen: WatchID?

    /// With more unsent bytes than this, a client gets no further events, and later skips to the latest.
    private static let unsentMax = 16 << 10
    /// How long clients wait before they reconnect, in milliseconds; spread, so that they do not all come at once.
    private static let retryLeast: UInt64 = 1000
    private static let retrySpread: UInt64 = 2000

    /// The outcome of telling a client.
    struct Told {
        var events: UInt64 = 0
        var skipped: UInt64 = 0
        var bytes = 0
        /// There is more to tell, and the client does not take it now.
        var isBehind = false
    }

    /// Begins the answer.
    init(_ exchange: Exchange, _ watched: Watched) {
        self.exchange = exchange
        self.watched = watched
        super.init()
        seen = Self.lastEvent(exchange.request.head.fields)
        exchange.pendingWork = self
        // The duration of the answer says nothing about the gateway.
        exchange.isAnswerEndless = true
        var fields = HeaderBlock()
        fields.append(.contentType, "text/event-stream")
        fields.append(.cacheControl, "no-store")
        exchange.loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        exchange.answer(status: 200, reason: .empty, fields: fields, framing: .stream)
        let wait = Self.retryLeast + exchange.loop.random.below(Self.retrySpread)
        Array("retry: \(wait)\n\n".utf8).withUnsafeBytes { exchange.answerBody($0, lifetime: .call) }
    }

    private static func lastEvent(_ fields: borrowing HeaderBlock) -> WatchID? {
        let index = Array("last-event-id".utf8).withUnsafeBytes { fields.firstIndex(of: $0) }
        guard let index else { return nil }
        return WatchID(String(decoding: fields.value(index), as: UTF8.self))
    }

    /// Sends the events that the client has not got yet, as far as it takes them.
    /// - Parameter isHeartbeat: sends a heartbeat where there is no event.
    func tell(_ log: WatchLog, isHeartbeat: Bool = false) -> Told {
        var told = Told()
        guard let exchange else { return told }
        if let seen, log.latest != nil {
            position = log.position(after: seen) ?? WatchLog.Position()
            self.seen = nil
        }
        while true {
            guard takesMore(exchange) else {
                var next = position
                told.isBehind = log.next(&next) != nil
                return told
            }
            guard let step = log.next(&position) else { break }
            send(step.event, exchange)
            told.events += 1
            told.bytes += step.event.count
            told.skipped += step.skipped
        }
        if isHeartbeat, told.events == 0 { send(.heartbeat, exchange) }
        return told
    }

    private func takesMore(_ exchange: Exchange) -> Bool {
        !exchange.answer.isHeld && exchange.answer.unsentBytes ?? 0 <= Self.unsentMax
    }

    private func send(_ event: WatchEvent, _ exchange: Exchange) {
        exchange.loop.keepForTurn(event)
        exchange.answerBody(event.bytes, lifetime: .drain)
    }

    /// The client will be told everything anew.
    func forget() {
        position = WatchLog.Position()
        seen = nil
    }

    /// Its value is served by another table now.
    func move(to generation: Generation, _ route: Route) {
        guard let exchange else { return }
        exchange.request.borrowedRoute = Borrowed(route)
        exchange.request.generation = generation
    }

    /// Ends the stream; the client may reconnect.
    func end() {
        guard let exchange = exchange.take() else { return }
        watched.left(self)
        exchange.answerEnd()
    }

    // MARK: - PendingWork

    override func clientDrained() { watched.tell(self) }

    override func clientLeft() {
        guard exchange.take() != nil else { return }
        watched.left(self)
    }
}
