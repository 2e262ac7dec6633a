internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// An HTTP/2 connection to an upstream: carries many calls, one on each stream.
final class HTTP2UpstreamLink: Link {
    let upstream: UpstreamRuntime
    let endpoint: Endpoint
    let session: HTTP2ClientSession
    let timer = Timer(tag: TimerTag.link.rawValue)
    /// For ``gathering``.
    let gatherTimer = Timer(tag: TimerTag.link.rawValue)
    var gathering: RequestGathering
    private(set) var state = State.connecting
    /// Both sides have agreed on HTTP/2: by prior knowledge, or in the handshake (RFC 9113 §3.2, §3.3).
    private var isAgreed: Bool
    /// Whether it has carried an answer before, so that its peer may have closed it just now.
    private var isReused = false
    /// Streams whose requests hold borrowed bytes, until the next ``fillOutbox()``.
    private var grown: [HTTP2UpstreamStream] = []
    /// Streams whose calls borrow from the current input.
    private var fed: [HTTP2UpstreamStream] = []
    /// Streams that are over; they may be borrowed until the next input.
    var resting: [HTTP2UpstreamStream] = []
    /// Streams for tunnels, which are opened once the peer's SETTINGS allow it; see `HTTP2UpstreamLink+Tunnels.swift`.
    var tunnels: [HTTP2UpstreamStream] = []
    private var isHandling = false
    /// Whether waiting requests are being served.
    private(set) var isServing = false
    private(set) var heardAt: UInt64
    private(set) var idleSince: UInt64
    var pingedAt: UInt64?

    enum State {
        case connecting
        case open
        /// Running requests are served to their end; no others begin.
        case retiring
        case ended
    }

    /// After so much silence, a request that is given up is reason enough to ping the peer.
    private static let suspicionNanoseconds: UInt64 = 1_000_000_000

    /// - Parameter isAgreed: whether HTTP/2 is used regardless of the handshake.
    init(loop: LoopContext, upstream: UpstreamRuntime, endpoint: Endpoint, isAgreed: Bool) {
        self.upstream = upstream
        self.endpoint = endpoint
        self.isAgreed = isAgreed
        session = HTTP2ClientSession(engine: endpoint.http2.engine, now: loop.now)
        heardAt = loop.now
        idleSince = loop.now
        gathering = RequestGathering(nanosecondsMax: upstream.gatherNanoseconds, at: loop.now)
        super.init(loop: loop)
        fillsOutbox = true
        endpoint.streams.opening(self)
        loop.counters.upstreamConnections += 1
        arm(at: loop.now &+ upstream.connectNanoseconds)
    }

    deinit { cancelTimers() }

    func dial() {
        upstream.cells.add(at: UpstreamCells.dialled)
        protocols = upstream.settings.httpVersion == .h2 ? ["h2"] : ["h2", "http/1.1"]
        dialing = endpoint
        touch()
    }

    // MARK: - Facts

    override func http2Agreed() { isAgreed = true }

    /// The transport is connected, TLS included.
    override func connected() {
        guard state == .connecting else { return }
        guard isAgreed else { return disagreed() }
        state = .open
        heardAt = loop.now
        idleSince = loop.now
        endpoint.isMultiplexed = true
        arm(at: loop.now &+ min(upstream.pingNanoseconds, upstream.idleNanoseconds))
        streamsAllowed()
        if isIdle { becameIdle() }
        retireIfUnwanted()
        touch()
    }

    /// Whether it carries nothing, and no tunnel waits to be opened.
    var isIdle: Bool { session.openCount == 0 && tunnels.isEmpty }

    /// The peer speaks only HTTP/1.1.
    private func disagreed() {
        if upstream.settings.httpVersion == .h2 {
            let name = upstream.settings.name
            return lose(
                Problem(
                    .tlsFailure,
                    detail: "'\(name)' does not agree to HTTP/2 in the TLS handshake (RFC 7301), and 'protocol: h2' "
                        + "asks for it; 'auto' takes HTTP/1.1 too."))
        }
        state = .ended
        loop.timers.cancel(timer)
        loop.counters.upstreamConnections -= 1
        endpoint.isMultiplexed = false
        endpoint.declinedHTTP2At = loop.now
        endpoint.streams.lost(self)
        let link = UpstreamLink(succeeding: self)
        handOver(to: link)
        // The first waiter gets the connection, the others open their own.
        let waiters = endpoint.streams.takeWaiting()
        link.connected()
        for waiter in waiters { waiter.leaseAgain() }
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        if state == .ended { return }
        giveBackResting()
        heardAt = loop.now
        gathering.heard(at: heardAt)
        pingedAt = nil
        session.receive(bytes, now: loop.now)
        handleEvents()
        touch()
    }

    override func settle() {
        if !fed.isEmpty {
            for stream in fed { stream.settleCall() }
            fed.removeAll(keepingCapacity: true)
        }
        loop.coding.settle()
    }

    override func inputClosed() {
        if state != .ended, state != .connecting { lose(nil) }
    }

    override func failed(_ failure: TransportFailure) {
        if state != .ended { lose(failure.problem(with: upstream.settings.name)) }
    }

    override func drained() { hasNews() }

    // MARK: - Events

    private func handleEvents() {
        if isHandling { return }
        isHandling = true
        defer { isHandling = false }
        while state != .ended, let event = session.nextEvent() { handle(event) }
    }

    private func handle(_ event: HTTP2ClientSession.Event) {
        switch event {
        case .interim(let stream): own(stream).interimReceived()
        case .response(let stream):
            isReused = true
            own(stream).responseReceived()
        case .body(let stream, let bytes):
            let stream = own(stream)
            fed.append(stream)
            stream.bodyReceived(bytes)
        case .end(let stream): own(stream).responseEnded()
        case .room(let stream): own(stream).call?({ $0.upstreamDrained() })
        case .closed(let stream, let end): closed(own(stream), end)
        case .settings: streamsAllowed()
        case .goaway:
            if session.goawayCode == HTTP2ErrorCode.http11Required.rawValue {
                _ = endpoint.requireHTTP1(at: loop.now)
            }
            retire()
        case .pong: break
        }
    }

    /// Every stream of the session is an ``HTTP2UpstreamStream``.
    private func own(_ stream: HTTP2ClientStream) -> HTTP2UpstreamStream {
        unsafeDowncast(stream, to: HTTP2UpstreamStream.self)
    }

    private func closed(_ stream: HTTP2UpstreamStream, _ end: HTTP2ClientStream.End) {
        resting.append(stream)
        session.forget(stream)
        let isWanted = endpoint.streams.returned(to: self)
        stream.closed(end)
        if isIdle { becameIdle() }
        if session.isFinal { retire() }
        serveWaiting()
        if isWanted { retireIfUnwanted() } else if isIdle { retire() }
        endIfIdle()
    }

    private func becameIdle() {
        idleSince = loop.now
        if endpoint.pool.waitingCount > 0 { endpoint.makePlace() }
    }

    /// Closes an idle connection that will not be used again.
    func retireIfUnwanted() {
        if isIdle, upstream.isRetired || loop.isDraining { retire() }
    }

    private func streamsAllowed() {
        guard state == .open else { return }
        endpoint.streams.allows(session.streamsMax, on: self)
        serveWaiting()
    }

    /// A call that is refused at once gives its stream back during this loop, which then goes on with the next.
    func serveWaiting() {
        if isServing { return }
        isServing = true
        while state == .open, let waiter = endpoint.streams.next(for: self) { serve(waiter) }
        isServing = false
        endpoint.openStreams(upstream, loop)
    }

    // MARK: - Orders from calls

    /// Gives the call a stream, which is counted already.
    func serve(_ call: UpstreamCall) {
        let stream = endpoint.http2.take()
        stream.begin(self, for: call)
        if !call.leased(.stream(stream)) { stream.unused() }
    }

    /// The connection has no identifiers left for this stream.
    func refused(_ stream: HTTP2UpstreamStream) {
        _ = endpoint.streams.returned(to: self)
        retire()
        stream.closed(.unprocessed)
    }

    /// A request has more to send, some of it perhaps borrowed.
    func requestGrew(_ stream: HTTP2UpstreamStream) {
        grown.append(stream)
        hasNews()
    }

    /// There is output that must not wait to be gathered with requests.
    func hasNews() {
        gathering.urge()
        touch()
    }

    func cancelled(_ stream: HTTP2UpstreamStream, _ code: HTTP2ErrorCode = .cancel) {
        if tunnels.contains(where: { $0 === stream }) { return withdrawn(stream) }
        session.cancel(stream, code)
        if pingedAt == nil, loop.now >= heardAt &+ Self.suspicionNanoseconds { ping() }
        hasNews()
    }

    // MARK: - Writing

    /// Frames the pending output of all streams, so that it leaves in one write.
    override func fillOutbox() {
        guard state == .open || state == .retiring else { return }
        if !tunnels.isEmpty { openTunnels() }
        // If the outbox has bytes to write already, waiting requests go with them.
        if outbox.isEmpty, gathering.holds(at: loop.now) { return armGathering() }
        gathering.wrote()
        repeat {
            session.write(into: &outbox, atMost: loop.limits.bufferedBytes + 1)
            handleEvents()
            // Output caused by the events is framed, too, as far as there is room.
        } while state != .ended && session.wantsWrite && hasRoom() && session.hasProgress
        for stream in grown { stream.settle() }
        grown.removeAll(keepingCapacity: true)
        if state != .ended, session.isOver { broken() }
    }

    /// The session can neither read nor write any more.
    private func broken() {
        let name = upstream.settings.name
        lose(
            session.openCount == 0
                ? nil : Problem(.upstreamProtocol, detail: "'\(name)' breaks the rules of HTTP/2."), .closing)
    }

    override func timerFired() { timePassed() }

    // MARK: - Ending

    /// No further request begins on the connection.
    func retire() {
        guard state == .open else { return }
        state = .retiring
        endpoint.streams.retire(self)
        endIfIdle()
        endpoint.openStreams(upstream, loop)
    }

    func endIfIdle() {
        guard state == .retiring, isIdle else { return }
        if session.goawayCode == nil { session.refuseNewStreams() }
        session.write(into: &outbox, atMost: .max)
        end(.closing)
        // Its place is free now.
        endpoint.placeIsFree(upstream, loop)
    }

    /// The connection is lost, or useless; the calls on it are told why.
    func lose(_ problem: Problem?, _ ending: Ending = .aborted) {
        let wasConnecting = state == .connecting
        let streams = session.open
        let isReused = self.isReused
        end(ending)
        if wasConnecting { upstream.notConnected(endpoint, problem, at: loop.now) }
        for stream in streams {
            let stream = own(stream)
            session.forget(stream)
            resting.append(stream)
            stream.connectionLost(problem, isReused: isReused)
        }
        if wasConnecting {
            for waiter in endpoint.streams.takeStranded() {
                waiter.linkLost(problem, isReused: false, hadFirstByte: false, wasConnecting: true)
            }
            // Calls that need HTTP/1.1 have waited for this connection's place.
            while let waiter = endpoint.pool.next(others: endpoint.streams.count) { waiter.open(upstream, endpoint) }
        } else {
            // After a failed connection, the next is dialled only when a stream ends or another call asks.
            endpoint.placeIsFree(upstream, loop)
        }
    }

    private func end(_ ending: Ending) {
        guard state != .ended else { return }
        state = .ended
        cancelTimers()
        grown.removeAll()
        loop.counters.upstreamConnections -= 1
        endpoint.streams.lost(self)
        dialing = nil
        self.ending = ending
        touch()
        if !tunnels.isEmpty { loseTunnels() }
    }

    private func giveBackResting() {
        if resting.isEmpty { return }
        for stream in resting where stream.isFree { endpoint.http2.giveBack(stream) }
        resting.removeAll(keepingCapacity: true)
    }
}
