internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// One request and its answer, from the parsed head to the last byte; it walks the ``Step`` table.
///
/// An exchange is not a connection: the ``AnswerSink`` of its answer may share one with others. Its ``RequestIntake``
/// takes the request's body, its ``ClientAnswer`` sends the answer. Exchanges are reused, and so is the memory they
/// own.
final class Exchange: CacheReader {
    let corridor: Corridor
    let intake = RequestIntake()
    /// Its walk through the cache, where it is more than a plain hit.
    var cacheWalk: CacheWalk?
    /// Work for a request on the admin socket that takes more than one turn.
    var pendingWork: PendingWork?
    var problem: Problem?
    var admission = Admission()
    /// Fields added to any answer: rates, and what a page of another origin may do.
    var ownFields = HeaderBlock()
    /// What its change means for stored answers.
    var writeThrough = WriteThrough()
    private(set) var startedAt: UInt64 = 0

    init(_ corridor: Corridor) {
        self.corridor = corridor
        super.init(BoundRequest(corridor.generation), in: corridor.loopCache)
    }

    var route: Route? { request.route }
    var borrowedRoute: Borrowed<Route>? { request.borrowedRoute }
    var isTunnel: Bool { answer.form == .tunnel }

    // MARK: - Life

    func open(_ sink: any AnswerSink) {
        request.client = sink.client
        answer.open(sink)
    }

    /// Begins once `request` holds the request's head.
    func begin(at step: Step = .match) {
        startedAt = loop.now
        request.begin(in: corridor.generation)
        request.body.begin(framing: request.head.framing)
        if let tracer = corridor.tracer { tracer.begin(request, loop) }
        if let inspector = corridor.inspector { inspector.begin(self) }
        walk(step)
    }

    /// Refuses input that is not a valid request.
    func refuse(_ problem: Problem) {
        if startedAt == 0 { startedAt = loop.now }
        request.head.forgetUnread()
        request.body.isComplete = true
        switch answer.state {
        case .awaited:
            dropFetch()
            self.problem = problem
            walk(.normalise)
        case .idle, .sending: giveUp()
        // An exchange that was answered has been reported already.
        case .over: answer.abort()
        }
    }

    func reset() {
        answer.reset()
        problem = nil
        borrowedFetch = nil
        cacheWalk = nil
        writeThrough.reset()
        pendingWork?.clientLeft()
        pendingWork = nil
        intake.reset()
        startedAt = 0
        forgetAnswer()
        if let coded = request.body.coded { loop.coding.giveBack(coded) }
        request.reset()
        admission.reset()
        if ownFields.count > 0 { ownFields.removeAll() }
    }

    /// Its owner needs it no more.
    func giveBack() { corridor.giveBack(self) }

    /// The client has disconnected.
    func clientLeft() {
        switch answer.state {
        case .awaited, .sending:
            dropFetch()
            if startedAt > 0 { corridor.report(self) }
        case .idle, .over: break
        }
        leaveGates()
        answer.clientLeft()
        request.body.isComplete = true
    }

    /// Gives up its places in the in-flight limits, for other requests.
    func leaveGates() {
        if admission.isHolding { admission.leave(request, loop) }
    }

    private func dropFetch() {
        cacheWalk?.leaveFill()
        cancelFetch()
    }

    // MARK: - The request's body

    var isBodyComplete: Bool { request.body.isComplete }

    /// Whether bytes of the body can be used now.
    var wantsBody: Bool { intake.wantsBytes(self) }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer) { intake.received(bytes, self) }

    func bodyEnded() { intake.ended(self) }

    func bodyTimedOut() {
        if request.body.isComplete { return }
        let problem = Problem(.requestTimeout, detail: "The request's body did not arrive in time.")
        // A stream that waits for the end of its request has not begun.
        if startedAt == 0 { refuse(problem) } else { fail(problem) }
    }

    override func resumeBody() { intake.goOn(self) }

    override func sendContinue() {
        if request.body.isExpectationMet { return }
        request.body.isExpectationMet = true
        var head = ResponseHead()
        head.status = 100
        interim(head)
    }

    // MARK: - The answer

    override var isUnanswered: Bool { answer.state == .awaited }

    override func interim(_ head: borrowing ResponseHead) { answer.interim(head) }

    override func upstreamAnswered(_ response: inout ResponseHead, _ route: Route) {
        request.validators?.note(response)
        if let then = route.then, (200..<300).contains(response.status) {
            writeThrough.accepted(response, then, route, self)
        } else if !request.upstreamMethod.isSafe, (200..<400).contains(response.status) {
            loopCache.invalidate(by: response.fields, of: request, route)
        }
        appendCacheStatus(&response.fields)
    }

    override func noteUntouched(_ response: borrowing ResponseHead, _ route: Route) {
        guard let walk = cacheWalk, let entry = walk.entry, let cache = route.cache else { return }
        loopCache.update(entry, by: response, to: request, route, cache, since: walk.purgeNumber, startedAt)
    }

    override func proved(_ value: [UInt8]) { writeThrough.keep(value, in: loopCache) }

    override func negotiateCoding(_ compression: Compression, _ fields: inout HeaderBlock, length: Int?) {
        answer.chooseCoding(compression, for: request.head, &fields, length: length)
    }

    override func answer(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
        answer.begin(to: request.head.method, status: status, reason: reason, fields: fields, framing: framing)
    }

    /// The upstream has switched protocols.
    override func openTunnel(_ fields: borrowing HeaderBlock) {
        // Before the client gets the answer, so that its input is read on.
        request.body.isComplete = false
        answer.beginTunnel(status: request.head.connectProtocol == .none ? 101 : 200, fields: fields)
    }

    override func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        if answer.send(run, lifetime: lifetime, for: self) { fetch?.pause() }
    }

    override func answerBody(moving held: inout Outbox) {
        if answer.send(moving: &held, for: self) { fetch?.pause() }
    }

    override func answerEnd() {
        guard answer.state == .sending else { return }
        borrowedFetch = nil
        if answer.finishBody(for: self) { completeAnswer() }
    }

    private func completeAnswer() {
        conclude()
        answer.end()
    }

    override func answerEnd(trailers: borrowing HeaderBlock) {
        // Trailers describe the answer without the gateway's own coding.
        guard answer.state == .sending, !answer.isCoded else { return answerEnd() }
        borrowedFetch = nil
        conclude()
        answer.end(trailers: trailers)
    }

    /// The exchange needs nothing more. The end of the answer is sent after this, because the exchange may then serve
    /// the next request.
    private func conclude() {
        leaveGates()
        corridor.report(self)
    }

    /// Every failure after the walk has begun ends here: as a problem while no head has been sent, else as an answer
    /// that is visibly truncated.
    override func fail(_ problem: Problem) {
        switch answer.state {
        case .awaited:
            dropFetch()
            walk(refused(problem))
        case .sending:
            self.problem = EchoMask.applied(to: problem, of: request)
            giveUp()
        case .idle, .over: break
        }
    }

    private func giveUp() {
        dropFetch()
        conclude()
        guard let problem, request.isGRPCCall else { return answer.abort() }
        var trailers = HeaderBlock()
        GRPCCall.append(problem, to: &trailers)
        answer.end(trailers: trailers)
    }

    // MARK: - The client's pace

    override var unsentBytes: Int? { answer.unsentBytes }

    func holdUpstream() {
        if answer.hold() { fetch?.pause() }
    }

    /// The client has read the waiting bytes.
    func clientDrained() {
        if answer.clientDrained(for: self) { upstreamMayGoOn() }
    }

    private func upstreamMayGoOn() {
        if let fetch { return fetch.resume() }
        cacheWalk?.clientDrained()
        pendingWork?.clientDrained()
    }

    // MARK: - In the next turn

    override func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) {
        switch work {
        case .decoding: intake.resume(self)
        case .coding, .delivery: resumeCoding()
        }
        carryOut()
    }

    private func resumeCoding() {
        let wasHeld = answer.isHeld
        guard let outcome = answer.resumeCoding(for: self) else { return }
        if answer.isHeld, !wasHeld { fetch?.pause() }
        switch outcome {
        case .caughtUp: if answer.release() { upstreamMayGoOn() }
        case .ended: completeAnswer()
        case .waits: break
        case .broken: fail(Problem(.internalError, detail: "There is no memory to compress the answer."))
        }
    }

    // MARK: - Stages

    override func consultAgain() { walk(.consultCache) }

    override func askUpstream() { walk(.fetch) }

    override func answerLoading() { tellLoading() }

    override func noteWait(_ seconds: String) { tellWait(seconds) }
}
