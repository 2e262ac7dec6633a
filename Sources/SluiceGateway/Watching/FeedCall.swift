internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The upstream's own stream of events, while a value is watched: the client of an exchange without end.
final class FeedCall: AnswerSink {
    /// The home that is told of events; nil once it was told the end, or the stream was abandoned.
    private var home: WatchHome?
    private var exchange: Exchange?
    let client: ClientInfo
    private var names: EventNames
    private var isStream = false

    init(_ home: WatchHome, by client: ClientInfo, _ event: [UInt8]?) {
        self.home = home
        self.client = client
        names = EventNames(event)
    }

    func begin(_ template: BoundRequest, _ route: Route, _ corridor: Corridor) {
        let exchange = corridor.takeExchange(for: self)
        self.exchange = exchange
        exchange.request.feed(as: template, route)
        exchange.begin(at: .readParameters)
        resumeRequestBody()
    }

    /// Ends the stream: its events are not needed any more.
    func abandon() {
        home = nil
        exchange?.clientLeft()
        exchange.take()?.giveBack()
    }

    private func end() {
        exchange.take()?.giveBack()
        home.take()?.feedEnded()
    }

    // MARK: - AnswerSink

    func resumeRequestBody() {
        guard let exchange, !exchange.isBodyComplete, exchange.wantsBody else { return }
        exchange.bodyEnded()
    }

    func sendInterim(_ head: borrowing ResponseHead) {}

    func sendHead(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {
        guard status == 200, let index = fields.firstIndex(of: .contentType),
            let type = ContentType(fields.value(index))
        else { return }
        isStream = type.isEventStream
        // Changes before the stream began were not reported: its beginning counts as an event.
        guard isStream else { return }
        // The stream lasts: its place at the upstream is left to ordinary requests.
        exchange?.leaveGates()
        home?.fed()
    }

    func sendHead(of entry: StoredResponse, now: UInt64) {}

    func openTunnel(_ fields: borrowing HeaderBlock) { preconditionFailure("a stream of events is no tunnel") }

    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        if isStream, names.feed(run) > 0 { home?.fed() }
    }

    func sendEnd() { end() }

    func sendEnd(trailers: borrowing HeaderBlock) { end() }

    func abortAnswer() { end() }

    func hasRoom() -> Bool { true }
}
