internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// One request and its answer, from the parsed head to the last byte: what walks the ``Step`` table.
///
/// An exchange is not a connection: the ``AnswerSink`` of its answer may share one with others. How the request's body
/// comes in is its ``RequestIntake``'s matter, how the answer goes out its ``ClientAnswer``'s. Exchanges are used
/// again; what they own keeps its memory.
final class Exchange: CacheReader {
    let corridor: Corridor
    let loopCache: LoopCache
    let intake = RequestIntake()
    /// Its way through the cache, where it is more than a plain hit.
    var cacheWalk: CacheWalk?
    /// What goes on for it beyond this turn, on the admin socket.
    var pendingWork: PendingWork?
    var problem: Problem?
    var admission = Admission()
    /// Goes with the answer, whatever it is: rates, and what a page of another origin may do.
    var ownFields = HeaderBlock()
    /// How things stood when a change was sent whose value may become a stored answer, and that answer.
    var writeMoment: WriteMoment?
    var written: WrittenAnswer?
    private(set) var startedAt: UInt64 = 0

    init(_ corridor: Corridor) {
        self.corridor = corridor
        loopCache = corridor.loopCache
        super.init(BoundRequest(corridor.generation), on: corridor.loop)
    }

    var route: Route? { request.route }
    var borrowedRoute: Borrowed<Route>? { request.borrowedRoute }
    var isTunnel: Bool { answer.form == .tunnel }

    // MARK: - Life

    func open(_ sink: any AnswerSink) {
        request.client = sink.client
        answer.open(sink)
    }

    /// The head of the request is in `request`.
    func begin(at step: Step = .match) {
        startedAt = loop.now
        request.begin(in: corridor.generation)
        request.body.begin(framing: request.head.framing)
        if let tracer = corridor.tracer { tracer.begin(request, loop) }
        if let inspector = corridor.inspector { inspector.begin(self) }
        walk(step)
    }

    /// What arrived cannot be a request.
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
        // All that was to be told of an answered one has been told.
        case .over: answer.abort()
        }
    }

    func reset() {
        answer.reset()
        problem = nil
        borrowedFetch = nil
        cacheWalk = nil
        if writeMoment != nil { (writeMoment, written) = (nil, nil) }
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

    /// The client is gone.
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

    /// Others may go where this one was let in.
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
        // What waits for the end of its stream has not begun.
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
            // 202 says that the change is yet to be made (RFC 9110 §15.3.3).
            let updates = [200, 201, 203, 204, 205].contains(response.status) && mayUpdate(then)
            loopCache.invalidate(by: response.fields, of: request, route)
            carryOut(then, updates: updates)
        } else if !request.upstreamMethod.isSafe, (200..<400).contains(response.status) {
            loopCache.invalidate(by: response.fields, of: request, route)
        }
        appendCacheStatus(&response.fields)
    }

    override func depend(on fields: borrowing HeaderBlock, _ route: Route) {
        request.depend(on: loopCache.slots(fields, to: request, route))
    }

    override func noteUntouched(_ response: borrowing ResponseHead, _ route: Route) {
        guard let walk = cacheWalk, let entry = walk.entry, let cache = route.cache else { return }
        loopCache.update(entry, by: response, to: request, route, cache, since: walk.purgeNumber, startedAt)
    }

    override func proved(_ value: [UInt8]) { keepWritten(value) }

    override func negotiateCoding(_ compression: Compression, _ fields: inout HeaderBlock, length: Int?) {
        answer.chooseCoding(compression, for: request.head, &fields, length: length)
    }

    override func answer(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
        answer.begin(status: status, reason: reason, fields: fields, framing: framing)
    }

    /// The upstream has switched protocols.
    override func openTunnel(_ fields: borrowing HeaderBlock) {
        // Before the client is told, so that it is read on.
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
        // Trailers speak of the answer without a coding of ours.
        guard answer.state == .sending, !answer.isCoded else { return answerEnd() }
        borrowedFetch = nil
        conclude()
        answer.end(trailers: trailers)
    }

    /// Nothing more is asked of anybody. The end goes out behind it: with that the exchange may serve the next request.
    private func conclude() {
        leaveGates()
        corridor.report(self)
    }

    /// Everything that can go wrong once the walk has begun ends here: as a problem while no head is out, else as an
    /// answer that is visibly cut short.
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

    /// The client has taken what it was sent.
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
