internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One request and its answer, from the parsed head to the last byte: what walks the ``Step`` table.
///
/// An exchange is not a connection: its ``AnswerSink`` may share one with others. Exchanges are used again; what they
/// own keeps its memory.
final class Exchange: FetchConsumer {
    let corridor: Corridor
    /// Counted: see ``Link``.
    let loop: LoopContext
    let loopCache: LoopCache
    var sink: (any AnswerSink)?
    /// Its way through the cache, where it is more than a plain hit.
    var cacheWalk: CacheWalk?
    /// The cache is consulted once the request has been read to its end.
    var awaitsCache = false
    /// What goes on for it beyond this turn, on the admin socket.
    var pendingWork: PendingWork?
    var problem: Problem?
    /// Where the answer goes out in a content coding.
    var coder: AnswerCoder?
    /// Bytes pass both ways, until either side ends.
    private(set) var isTunnel = false
    var admission = Admission()
    /// Goes with the answer, whatever it is: rates, and what a page of another origin may do.
    var ownFields = HeaderBlock()
    private(set) var phase = Phase.idle
    private(set) var status = 0
    private(set) var answerBytes = 0
    private(set) var startedAt: UInt64 = 0
    /// Answered with what was stored, as it is stored.
    var isPlainHit = false
    /// The client takes no more at present.
    private(set) var isHeld = false

    enum Phase {
        case idle
        /// Walking, or waiting for the fetch.
        case walking
        /// The head of the answer is out.
        case answering
        /// The answer is complete or given up.
        case answered
    }

    init(_ corridor: Corridor) {
        self.corridor = corridor
        loop = corridor.loop
        loopCache = corridor.loopCache
        super.init(BoundRequest(corridor.generation))
    }

    var route: Route? { request.route }
    var borrowedRoute: Borrowed<Route>? { request.borrowedRoute }

    // MARK: - Life

    func open(_ sink: any AnswerSink) {
        self.sink = sink
        request.client = sink.client
        phase = .walking
    }

    /// The head of the request is in `request`.
    func begin(at step: Step = .match) {
        loop.counters.exchanges += 1
        startedAt = loop.now
        if request.generation !== corridor.generation { request.generation = corridor.generation }
        request.body.begin(framing: request.head.framing)
        if let tracer = corridor.tracer { tracer.begin(request, loop) }
        if let inspector = corridor.inspector { inspector.begin(self) }
        walk(step)
    }

    /// What arrived cannot be a request.
    func refuse(_ problem: Problem) {
        if startedAt == 0 { startedAt = loop.now }
        request.body.isComplete = true
        // All that was to be told of an answered one has been told.
        guard phase == .walking else { return phase == .answered ? sink?.abortAnswer() ?? () : giveUp() }
        dropFetch()
        self.problem = problem
        walk(.normalise)
    }

    func reset() {
        sink = nil
        problem = nil
        borrowedFetch = nil
        cacheWalk = nil
        pendingWork?.clientLeft()
        pendingWork = nil
        awaitsCache = false
        phase = .idle
        status = 0
        answerBytes = 0
        isHeld = false
        isTunnel = false
        startedAt = 0
        forgetAnswer()
        isPlainHit = false
        if let coder { loop.coding.giveBack(coder) }
        coder = nil
        if let coded = request.body.coded { loop.coding.giveBack(coded) }
        request.reset()
        admission.reset()
        if ownFields.count > 0 { ownFields.removeAll() }
    }

    // MARK: - The request's body

    var isBodyComplete: Bool { request.body.isComplete }

    /// Whether bytes of the body can be used now.
    var wantsBody: Bool {
        if isTunnel, phase != .answered { return tunnelTakesBytes }
        if request.body.isComplete || phase == .answered { return true }
        if awaitsTunnel { return false }
        if let coded = request.body.coded, coded.isWaiting { return false }
        if request.body.isCollecting { return true }
        // Read to its end at once, so that it shows when a client leaves whose request still waits for a connection.
        if request.head.framing == .none || request.head.framing == .length(0) { return true }
        return borrowedFetch?({ $0.takesBody }) ?? false
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer) {
        if phase == .answered { return }
        if isTunnel { return fetch?.sendBody(bytes) ?? () }
        request.body.receivedBytes += bytes.count
        if let contents = request.contents { contents.take(body: bytes, into: contents.request) }
        if request.body.receivedBytes > (route?.bodyBytesMax ?? loop.limits.bodyBytes) {
            return bodyTooLarge()
        }
        if let coded = request.body.coded { return decode(bytes, coded) }
        if request.body.isCollecting { return walk(collect(bytes)) }
        if request.body.extractor != nil { return streamChecked(bytes) }
        fetch?.sendBody(bytes)
    }

    func bodyEnded() {
        if isTunnel { return tunnelInputEnded() }
        request.body.isComplete = true
        if phase == .answered { return }
        if let coded = request.body.coded, !endDecoding(coded) { return }
        if awaitsCache {
            awaitsCache = false
            return walk(.consultCache)
        }
        if request.body.isCollecting { return walk(bodyCollected()) }
        if request.body.extractor != nil, !endChecked() { return }
        if request.trailers.count > 0 {
            request.trailers.markNominated(by: request.head.fields)
            if route?.rewritesBody == true { request.trailers.markProofsOfContent() }
        }
        borrowedFetch?({ $0.endBody(trailers: request.trailers) })
    }

    private func bodyTooLarge() {
        fail(
            Problem(
                .contentTooLarge,
                detail: "The body is larger than \(route?.bodyBytesMax ?? loop.limits.bodyBytes) bytes."))
    }

    func bodyTimedOut() {
        if request.body.isComplete { return }
        fail(Problem(.requestTimeout, detail: "The request's body did not arrive in time."))
    }

    // MARK: - Towards the client

    /// Everything that can go wrong once the walk has begun ends here: as a problem while no head is out, else as an
    /// answer that is visibly cut short.
    override func fail(_ problem: Problem) {
        switch phase {
        case .walking:
            dropFetch()
            walk(refused(problem))
        case .answering:
            self.problem = EchoMask.applied(to: problem, of: request)
            giveUp()
        case .idle, .answered: break
        }
    }

    private func giveUp() {
        dropFetch()
        conclude()
        report()
        guard let problem, request.isGRPCCall else { return sink?.abortAnswer() ?? () }
        var trailers = HeaderBlock()
        GRPCCall.append(problem, to: &trailers)
        sink?.sendEnd(trailers: trailers)
    }

    override func resumeBody() { goOnWithBody() }

    override func sendContinue() { tellToContinue() }

    override var isUnanswered: Bool { phase == .walking }

    override func upstreamAnswered(_ response: inout ResponseHead, _ route: Route) { noteForCache(&response, route) }

    override func noteUntouched(_ response: borrowing ResponseHead, _ route: Route) {
        updateStored(by: response, route)
    }

    override func negotiateCoding(_ compression: Compression, _ fields: inout HeaderBlock, length: Int?) {
        chooseCoding(compression, &fields, length: length)
    }

    override var unsentBytes: Int? { sink?.unsentBytes }

    override func interim(_ head: borrowing ResponseHead) {
        if phase == .walking { sink?.sendInterim(head) }
    }

    override func answer(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
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
        sink?.sendHead(of: entry, now: loop.now)
    }

    /// The upstream has switched protocols.
    override func openTunnel(_ fields: borrowing HeaderBlock) {
        precondition(phase == .walking, "a second answer for one request")
        phase = .answering
        status = request.head.connectProtocol == .none ? 101 : 200
        isTunnel = true
        request.body.isComplete = false
        sink?.openTunnel(fields)
    }

    override func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard phase == .answering else { return }
        if let coder { return code(run, coder) }
        send(run, lifetime: lifetime)
    }

    func send(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard let sink else { return }
        answerBytes += run.count
        sink.sendBody(run, lifetime: lifetime)
        if !isHeld, !sink.hasRoom() { holdUpstream() }
    }

    /// Passes on all that waits in `held`.
    override func answerBody(moving held: inout Outbox) {
        guard phase == .answering, let sink else { return held.removeAll() }
        if let coder {
            held.forEachRun { run, _ in code(run, coder) }
            return held.removeAll()
        }
        answerBytes += held.count
        sink.sendBody(moving: &held)
        if !isHeld, !sink.hasRoom() { holdUpstream() }
    }

    func holdUpstream() {
        if isHeld { return }
        isHeld = true
        fetch?.pause()
    }

    override func answerEnd() {
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

    override func answerEnd(trailers: borrowing HeaderBlock) {
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
        guard isHeld else { return }
        isHeld = false
        if let fetch { return fetch.resume() }
        if let cacheWalk { cacheDrained(cacheWalk) }
        pendingWork?.clientDrained()
    }

    /// The client is gone.
    func clientLeft() {
        if phase == .walking || phase == .answering {
            dropFetch()
            if startedAt > 0 { report() }
        }
        conclude()
        request.body.isComplete = true
        sink = nil
    }

    /// Nothing more is asked of anybody.
    private func conclude() {
        phase = .answered
        if admission.isHolding { admission.leave(request, loop) }
    }

    private func dropFetch() {
        leaveFill()
        cancelFetch()
    }
}
