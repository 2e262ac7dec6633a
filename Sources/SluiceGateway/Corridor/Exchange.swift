internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One request and its answer, from the parsed head to the last byte: what walks the ``Step`` table.
///
/// An exchange is not a connection: its ``AnswerSink`` may share one with others, and its ``Fetch`` may serve more than
/// one exchange. Exchanges are used again; what they own keeps its memory.
final class Exchange {
    /// Counted: see ``Link``.
    let gateway: Gateway
    var sink: (any AnswerSink)?
    var request = RequestHead()
    var requestTrailers = HeaderBlock()
    /// In force when the request began.
    var generation: Generation
    /// Kept by the table of `generation`.
    var borrowedRoute: Borrowed<Route>?
    var route: Route? { borrowedRoute?.object }
    var found = RouteTrie.Match()
    /// The path with unreserved characters decoded, which `found` points into.
    var path = ByteScratch()
    /// Decoded values of the parameters, and where each is.
    var values = ParameterValues()
    /// The request target for the upstream.
    var target = ByteScratch()
    var body = RequestBody()
    /// Kept by the gateway while it is at work.
    var borrowedFetch: Borrowed<Fetch>?
    var fetch: Fetch? { borrowedFetch?.object }
    /// Its way through the cache, where it is more than a plain hit.
    var cacheWalk: CacheWalk?
    /// The cache is consulted once the request has been read to its end.
    var awaitsCache = false
    /// What it has asked for on the admin socket, while that is being done.
    var adminWork: AdminWork?
    /// Where the answer goes of an exchange that is the cache's own.
    var filling: Filling?
    var problem: Problem?
    /// Where the answer goes out in a content coding.
    var coder: AnswerCoder?
    /// The request asks for another protocol, and the route offers it (`Exchange+Tunnel.swift`).
    var isUpgrading = false
    /// Bytes pass both ways, until either side ends.
    private(set) var isTunnel = false
    var admission = Admission()
    /// Goes with the answer, whatever it is: rates, and what a page of another origin may do.
    var ownFields = HeaderBlock()
    private(set) var phase = Phase.idle
    private(set) var status = 0
    private(set) var answerBytes = 0
    private(set) var startedAt: UInt64 = 0
    private var isUpstreamHeld = false

    enum Phase {
        case idle
        /// Walking, or waiting for the fetch.
        case walking
        /// The head of the answer is out.
        case answering
        /// The answer is complete or given up.
        case answered
    }

    init(gateway: Gateway) {
        self.gateway = gateway
        generation = gateway.generation
    }

    // MARK: - Life

    func open(_ sink: any AnswerSink) {
        self.sink = sink
        phase = .walking
    }

    /// The head of the request is in `request`.
    func begin(at step: Step = .match) {
        gateway.counters.exchanges += 1
        startedAt = gateway.now
        if generation !== gateway.generation { generation = gateway.generation }
        body.begin(framing: request.framing)
        walk(step)
    }

    /// What arrived cannot be a request.
    func refuse(_ problem: Problem) {
        startedAt = gateway.now
        body.isComplete = true
        guard phase == .walking else { return giveUp() }
        dropFetch()
        self.problem = problem
        walk(.normalise)
    }

    func reset() {
        sink = nil
        borrowedRoute = nil
        problem = nil
        borrowedFetch = nil
        cacheWalk = nil
        filling = nil
        if let adminWork { adminWork.exchange = nil }
        adminWork = nil
        awaitsCache = false
        phase = .idle
        status = 0
        answerBytes = 0
        isUpstreamHeld = false
        isUpgrading = false
        isTunnel = false
        startedAt = 0
        if let coder { gateway.coding.giveBack(coder) }
        coder = nil
        if let coded = body.coded { gateway.coding.giveBack(coded) }
        body.reset()
        request.reset()
        if requestTrailers.count > 0 { requestTrailers.removeAll() }
        path.removeAll()
        target.removeAll()
        values.removeAll()
        admission.reset()
        if ownFields.count > 0 { ownFields.removeAll() }
    }

    // MARK: - The request's body

    var isBodyComplete: Bool { body.isComplete }

    /// Whether bytes of the body can be used now.
    var wantsBody: Bool {
        if isTunnel, phase != .answered { return tunnelTakesBytes }
        if body.isComplete || phase == .answered { return true }
        if awaitsTunnel { return false }
        if let coded = body.coded, coded.isWaiting { return false }
        if body.isCollecting { return true }
        // Read to its end at once, so that it shows when a client leaves whose request still waits for a connection.
        if request.framing == .none || request.framing == .length(0) { return true }
        return borrowedFetch?({ $0.takesBody }) ?? false
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer) {
        if phase == .answered { return }
        if isTunnel { return fetch?.sendBody(bytes) ?? () }
        body.receivedBytes += bytes.count
        if body.receivedBytes > (route?.bodyBytesMax ?? gateway.limits.bodyBytes) {
            return bodyTooLarge()
        }
        if let coded = body.coded { return decode(bytes, coded) }
        if body.isCollecting { return walk(collect(bytes)) }
        if body.extractor != nil { return streamChecked(bytes) }
        fetch?.sendBody(bytes)
    }

    func bodyEnded() {
        if isTunnel { return tunnelInputEnded() }
        body.isComplete = true
        if phase == .answered { return }
        if let coded = body.coded, !endDecoding(coded) { return }
        if awaitsCache {
            awaitsCache = false
            return walk(.consultCache)
        }
        if body.isCollecting { return walk(bodyCollected()) }
        if body.extractor != nil, !endChecked() { return }
        if requestTrailers.count > 0 {
            requestTrailers.markNominated(by: request.fields)
            if route?.rewritesBody == true { requestTrailers.markProofsOfContent() }
        }
        borrowedFetch?({ $0.endBody(trailers: requestTrailers) })
    }

    private func bodyTooLarge() {
        fail(
            Problem(
                .contentTooLarge,
                detail: "The body is larger than \(route?.bodyBytesMax ?? gateway.limits.bodyBytes) bytes."))
    }

    func bodyTimedOut() {
        if body.isComplete { return }
        fail(Problem(.requestTimeout, detail: "The request's body did not arrive in time."))
    }

    // MARK: - Towards the client

    /// Everything that can go wrong once the walk has begun ends here: as a problem while no head is out, else as an
    /// answer that is visibly cut short.
    func fail(_ problem: Problem) {
        switch phase {
        case .walking:
            dropFetch()
            walk(refused(problem))
        case .answering:
            self.problem = withoutCredentials(problem)
            giveUp()
        case .idle, .answered: break
        }
    }

    private func giveUp() {
        dropFetch()
        conclude()
        report()
        guard let problem, isGRPCCall else { return sink?.abortAnswer() ?? () }
        var trailers = HeaderBlock()
        GRPCCall.append(problem, to: &trailers)
        sink?.sendEnd(trailers: trailers)
    }

    func interim(_ head: borrowing ResponseHead) {
        if phase == .walking { sink?.sendInterim(head) }
    }

    func answer(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {
        precondition(phase == .walking, "a second answer for one request")
        phase = .answering
        self.status = status
        sink?.sendHead(status: status, reason: reason, fields: fields, framing: coder == nil ? framing : .stream)
    }

    /// A stored answer's head as it stands.
    func answerHead(of entry: StoredResponse) {
        precondition(phase == .walking, "a second answer for one request")
        phase = .answering
        status = entry.status
        sink?.sendHead(of: entry, now: gateway.now)
    }

    /// Whether the client takes no more at present.
    var isHeld: Bool { isUpstreamHeld }

    /// The upstream has switched protocols.
    func openTunnel(_ fields: borrowing HeaderBlock) {
        precondition(phase == .walking, "a second answer for one request")
        phase = .answering
        status = request.connectProtocol == .none ? 101 : 200
        isTunnel = true
        body.isComplete = false
        sink?.openTunnel(fields)
    }

    func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime = .drain) {
        guard phase == .answering else { return }
        if let coder { return code(run, coder) }
        send(run, lifetime: lifetime)
    }

    func send(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard let sink else { return }
        answerBytes += run.count
        sink.sendBody(run, lifetime: lifetime)
        if !isUpstreamHeld, !sink.hasRoom() { holdUpstream() }
    }

    /// Passes on all that waits in `held`.
    func answerBody(moving held: inout Outbox) {
        guard phase == .answering, let sink else { return held.removeAll() }
        if let coder {
            held.forEachRun { run, _ in code(run, coder) }
            return held.removeAll()
        }
        answerBytes += held.count
        sink.sendBody(moving: &held)
        if !isUpstreamHeld, !sink.hasRoom() { holdUpstream() }
    }

    func holdUpstream() {
        if isUpstreamHeld { return }
        isUpstreamHeld = true
        fetch?.pause()
    }

    func answerEnd() {
        guard phase == .answering else { return }
        if let coder, !endCoding(coder) { return }
        completeAnswer()
    }

    func completeAnswer() {
        conclude()
        borrowedFetch = nil
        report()
        sink?.sendEnd()
    }

    func answerEnd(trailers: borrowing HeaderBlock) {
        // Trailers speak of the answer without a coding of ours.
        guard phase == .answering, coder == nil else { return answerEnd() }
        conclude()
        borrowedFetch = nil
        report()
        sink?.sendEnd(trailers: trailers)
    }

    /// The client has taken what it was sent.
    func clientDrained() {
        if let coder, !goesOn(coder) { return }
        upstreamMayGoOn()
    }

    func upstreamMayGoOn() {
        guard isUpstreamHeld else { return }
        isUpstreamHeld = false
        if let fetch { return fetch.resume() }
        if let cacheWalk { cacheDrained(cacheWalk) }
    }

    /// The client is gone.
    func clientLeft() {
        if phase == .walking || phase == .answering {
            dropFetch()
            if startedAt > 0 { report() }
        }
        conclude()
        body.isComplete = true
        sink = nil
    }

    /// Nothing more is asked of anybody.
    private func conclude() {
        phase = .answered
        if admission.isHolding { leaveGates() }
    }

    private func dropFetch() {
        leaveFilling()
        guard let fetch else { return }
        borrowedFetch = nil
        fetch.cancel()
    }

    private func report() {
        if isFill { return }
        if problem != nil { gateway.counters.problems += 1 }
        guard let log = gateway.accessLog else { return }
        log(
            AccessEntry(
                client: sink?.client.address ?? [], method: request.methodName, target: request.target, status: status,
                bytes: answerBytes, nanoseconds: gateway.now &- startedAt, binding: route?.binding.name,
                problem: problem?.kind, clientName: clientName))
    }
}
