internal import SluiceContract
internal import SluiceHTTP

/// One client that watches a value. There may be ten thousand of one: it knows what it has been told, and nothing else.
final class Watcher: PendingWork {
    /// Its answer; nil once the client has left, or has been told the end.
    private(set) var exchange: Exchange?
    private let watched: Watched
    /// Where it stands among those who watch the same.
    var place = 0
    private var position = WatchLog.Position()
    /// What it says that it has seen, until it is known whether that is known.
    private var seen: WatchID?

    /// Bytes that wait for a client beyond which it gets no more: it skips to the latest instead.
    private static let unsentMax = 16 << 10
    /// How long clients wait before they come back, milliseconds: not all at once.
    private static let retryLeast: UInt64 = 1000
    private static let retrySpread: UInt64 = 2000

    /// What has come of telling a client.
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
        // How long it lasts says nothing of the gateway.
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

    /// Tells what it has not been told, as far as it takes it.
    /// - Parameter isHeartbeat: says something in any case.
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

    /// It is told everything anew.
    func forget() {
        position = WatchLog.Position()
        seen = nil
    }

    /// What it has asked for is served by another table now.
    func move(to generation: Generation, _ route: Route) {
        guard let exchange else { return }
        exchange.request.borrowedRoute = Borrowed(route)
        exchange.request.generation = generation
    }

    /// The stream is over; the client may come back.
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
