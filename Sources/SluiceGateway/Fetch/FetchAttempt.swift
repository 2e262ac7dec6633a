internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// One attempt of a fetch: its endpoint, how far it has come in getting a carrier, how much of the request has been
/// sent, and what is recorded and counted of it. The fetch decides what follows when it ends.
final class FetchAttempt {
    private let loop: LoopContext
    /// The endpoint of the attempt; kept alive by the upstream.
    private(set) var borrowedEndpoint: Borrowed<Endpoint>?
    private(set) var carrierState = CarrierState.none
    var progress = RequestProgress()
    var notes = AttemptNotes()
    private var clock = AttemptClock()

    init(_ loop: LoopContext) {
        self.loop = loop
    }

    var carrier: UpstreamCarrier? { carrierState.carrier }

    func reset() {
        borrowedEndpoint = nil
        carrierState = .none
        progress = RequestProgress()
        notes = AttemptNotes()
    }

    // MARK: - To a carrier

    /// Asks for a carrier: a connection of its own, or a stream of a shared one.
    /// - Parameter fresh: asks for a connection that was never used.
    /// - Returns: why there is none.
    func lease(
        _ call: UpstreamCall, for request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime,
        at endpoint: Endpoint, fresh: Bool
    ) -> Problem? {
        borrowedEndpoint = Borrowed(endpoint)
        if notes.isOn { notes.begin(request, upstream, endpoint, loop) }
        let need: EndpointLease.Need = route.isGRPC ? .grpc : request.isUpgrading ? .webSocket : .any
        switch endpoint.lease(call, need, fresh: fresh, at: loop.now) {
        case .connection(let link):
            reuses(upstream)
            link.lend(to: call)
        case .stream(let link):
            reuses(upstream)
            link.serve(call)
        case .opensConnection: open(upstream, endpoint, for: call)
        case .awaitsConnection:
            carrierState = .queued
            endpoint.makePlace()
        case .opensStreams:
            if notes.isOn { notes.connected(.opened) }
            carrierState = .queued
            endpoint.openStreams(upstream, loop)
        case .awaitsStream: carrierState = .queued
        case .refused(let problem): return problem
        }
        return nil
    }

    /// Begins without a lease: the carrier is made for this attempt.
    func begin(at endpoint: Endpoint) { borrowedEndpoint = Borrowed(endpoint) }

    private func reuses(_ upstream: UpstreamRuntime) {
        upstream.cells.add(at: UpstreamCells.reused)
        if notes.isOn { notes.connected(.reused) }
    }

    /// Opens a connection of its own.
    func open(_ upstream: UpstreamRuntime, _ endpoint: Endpoint, for call: UpstreamCall) {
        if notes.isOn { notes.connected(.opened) }
        carrierState = .connecting(UpstreamLink(loop: loop, upstream: upstream, endpoint: endpoint, for: call))
    }

    /// Plays a fixture instead of asking the upstream, as if it came from this endpoint.
    func play(on link: FixtureLink, at endpoint: Endpoint?) {
        if let endpoint { borrowedEndpoint = Borrowed(endpoint) }
        carrierState = .carried(.fixture(link))
    }

    /// The attempt has no carrier any more, or none yet.
    func forgetCarrier() { carrierState = .none }

    /// The carrier is lost, or has been given back.
    func carrierLeft() { carrierState.carrierLeft() }

    /// The next attempt has to wait: for its time, or for its credential.
    func wait(forCredential: Bool) { carrierState.wait(forCredential: forCredential) }

    /// Gives up the carrier, or the place in the queue.
    func letGo(_ call: UpstreamCall) {
        let state = carrierState
        carrierState = .none
        switch state {
        case .none: break
        case .queued: borrowedEndpoint?({ $0.leave(call) })
        case .connecting(let link): link.abandon()
        case .carried(let carrier): carrier.abandon()
        case .waiting(let last), .awaitingCredential(let last): last?.abandon()
        }
    }

    /// Not a byte of the request was sent, and it needs another carrier.
    func withdrawn(for consumer: Borrowed<FetchConsumer>?) {
        clock.withdrawn(for: consumer)
        carrierState = .none
        notes.cause = .version
    }

    // MARK: - The request

    func writeHead(_ request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime, into out: inout Outbox) {
        guard let endpoint = borrowedEndpoint else { return }
        let start = out.count
        if request.trace != nil { notes.name(request, &loop.random) }
        endpoint { UpstreamRequestWriter.write(request, route, upstream, $0, into: &out) }
        if notes.isOn { notes.sent(request, head: out, from: start) }
    }

    func writeHead(
        _ request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime, to session: HTTP2ClientSession,
        _ lines: inout Outbox
    ) {
        guard let endpoint = borrowedEndpoint else { return }
        if request.trace != nil { notes.name(request, &loop.random) }
        let start = endpoint { UpstreamRequestWriter.write(request, route, upstream, $0, to: session, &lines) }
        if notes.isOn { notes.sent(request, lines: lines, from: start) }
    }

    /// Sends the bytes of the body that were held before the fetch began; they stay with the request for another
    /// attempt.
    /// - Returns: whether they are the whole body.
    func sendHeldBody(of request: BoundRequest, on carrier: UpstreamCarrier) -> Bool {
        // A body that is kept for another attempt may still grow, and move in memory.
        let lifetime: RunLifetime = progress.keptBytesMax > 0 ? .call : .drain
        let isChunked = request.body.outgoing == .chunked
        request.body.held.forEachRun { run, _ in
            if notes.isOn { notes.sent(body: run) }
            carrier.send(run, lifetime: lifetime, isChunked: isChunked)
        }
        switch request.body.outgoing {
        case .none: return true
        case .length(let length) where length == request.body.held.count: return true
        case .length, .chunked: break
        }
        // On a retry, the client may have sent the whole body already.
        guard request.body.isComplete else { return false }
        carrier.send(trailers: request.trailers, isChunked: isChunked)
        return true
    }

    /// A number that grows with the bytes that the upstream takes, while nothing more is sent.
    var takenCount: Int { carrier?.takenCount ?? 0 }

    /// Whether bytes of the body can be sent now.
    func takesBody(isTunnel: Bool) -> Bool {
        switch progress.sent {
        case .nothing: false
        case .all where !isTunnel: false
        case .head, .all: carrier?.hasRoom() ?? false
        }
    }

    func send(
        _ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime, of request: BoundRequest, on carrier: UpstreamCarrier,
        isTunnel: Bool
    ) {
        let isKept = progress.bodySent(bytes.count, heldCount: request.body.held.count)
        if isKept { request.body.held.append(bytes) }
        if notes.isOn, !isTunnel { notes.sent(body: bytes) }
        carrier.send(bytes, lifetime: lifetime, isChunked: request.body.outgoing == .chunked)
    }

    /// The whole request has been sent.
    func requestEnded(on carrier: UpstreamCarrier) {
        progress.requestEnded()
        carrier.requestEnded()
        if notes.isOn { notes.sentAll(at: loop.now) }
    }

    // MARK: - Counted

    /// The request is sent on this carrier.
    func departed(on carrier: UpstreamCarrier, for consumer: FetchConsumer) {
        carrierState = .carried(carrier)
        if notes.isOn { notes.departed(at: loop.now) }
        clock.departed(at: loop.now, for: consumer)
    }

    /// No connection could be made.
    func connectFailed(at upstream: Borrowed<UpstreamRuntime>?, for consumer: Borrowed<FetchConsumer>?) {
        upstream?({ $0.cells.add(at: UpstreamCells.Outcome.connect.rawValue) })
        consumer?({ $0.upstreamTime.attemptFailed() })
        if notes.isOn { notes.ended(.connect, status: 0, at: loop.now) }
    }

    /// The head of the answer has arrived.
    func answered(_ response: borrowing ResponseHead) {
        let isStream = carrier?.isStream == true
        notes.answered(response.status, isStream: isStream, at: loop.now)
        notes.received(response, isStream: isStream)
    }

    /// Ends the attempt, if one is running.
    /// - Parameters:
    ///   - outcome: nil means the outcome follows from `status`.
    ///   - status: the status of the answer; 0 where none has come.
    ///   - isWhole: the answer has arrived completely.
    func ended(
        _ outcome: UpstreamCells.Outcome?, status: Int, at upstream: Borrowed<UpstreamRuntime>?,
        for consumer: Borrowed<FetchConsumer>?, isWhole: Bool
    ) {
        if notes.isOn { notes.ended(outcome, status: status, at: loop.now, isWhole: isWhole) }
        upstream?({ clock.ended(outcome, status: status, at: $0, for: consumer, loop) })
    }
}
