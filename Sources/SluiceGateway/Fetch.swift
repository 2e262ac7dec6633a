internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One upstream request and its answer, for the exchange that began it. Attempts may be more than one (a replay, a
/// redirect); the answer is judged, extracted and handed on as it arrives.
final class Fetch {
    unowned(unsafe) let gateway: Gateway
    var response = ResponseHead()
    var trailers = HeaderBlock()
    private(set) var exchange: Exchange?
    private(set) var route: Route?
    private(set) var upstream: UpstreamRuntime?
    private(set) var link: UpstreamLink?
    var answer = AnswerState()
    private let timer = Timer(tag: TimerTag.fetch.rawValue)
    private var isQueued = false
    /// The head of the request is on the link: its body may follow.
    private var isHeadSent = false
    private var isBodySent = false
    private var hasSentBody = false
    private var hasReplayed = false
    private var startedAt: UInt64 = 0
    private var firstByteBy: UInt64 = 0
    /// When a client that waits for `100 Continue` hears it from the gateway, because the upstream says nothing.
    private var continueBy: UInt64 = .max
    private static let continueNanoseconds: UInt64 = 1_000_000_000

    init(gateway: Gateway) {
        self.gateway = gateway
    }

    func reset() {
        gateway.timers.cancel(timer)
        exchange = nil
        route = nil
        upstream = nil
        link = nil
        answer.reset(gateway)
        answer.redirects = 0
        response.reset()
        if trailers.count > 0 { trailers.removeAll() }
        isQueued = false
        isHeadSent = false
        isBodySent = false
        hasSentBody = false
        hasReplayed = false
        continueBy = .max
    }

    // MARK: - Leasing

    func start(_ exchange: Exchange, _ route: Route, _ upstream: UpstreamRuntime) {
        self.exchange = exchange
        self.route = route
        self.upstream = upstream
        gateway.counters.fetches += 1
        startedAt = gateway.now
        firstByteBy = .max
        armTimer()
        lease(fresh: false)
    }

    private func lease(fresh: Bool) {
        guard let upstream else { preconditionFailure("a lease without an upstream") }
        switch upstream.pool.lease(self, fresh: fresh) {
        case .use(let link): link.lend(to: self)
        case .open: open(upstream)
        case .wait: isQueued = true
        case .refuse:
            fail(
                Problem(
                    .overloaded,
                    detail: "\(upstream.pool.waitingCount) requests wait for '\(upstream.settings.name)' already."))
        }
    }

    /// There is room for a connection of our own.
    func open(_ upstream: UpstreamRuntime) {
        isQueued = false
        link = UpstreamLink(gateway: gateway, upstream: upstream, for: self)
    }

    /// The connection is ours and ready.
    func leased(_ link: UpstreamLink) {
        guard let exchange, let route else { preconditionFailure("a lease without a request") }
        isQueued = false
        self.link = link
        link.requestBegan(exchange.upstreamMethod)
        UpstreamRequestWriter.write(exchange, route, link.upstream, into: &link.outbox)
        isHeadSent = true
        sendHeldBody(exchange, on: link)
        if isBodySent { return }
        if exchange.request.expectsContinue, !exchange.body.isExpectationMet {
            continueBy = gateway.now &+ Self.continueNanoseconds
            armTimer()
        }
        exchange.sink?.resumeRequestBody()
    }

    /// What was collected before the fetch began goes out first; it stays with the exchange for a replay.
    private func sendHeldBody(_ exchange: Exchange, on link: UpstreamLink) {
        exchange.body.held.forEachRun { run, _ in put(run, on: link, lifetime: .drain) }
        switch exchange.body.outgoing {
        case .none, .length(0): requestEnded()
        case .length(let length) where length == exchange.body.held.count: requestEnded()
        case .length, .chunked:
            // A replay: what the client sent, an empty body, is over already.
            if exchange.body.isComplete { endBody(trailers: exchange.requestTrailers) }
        }
    }

    // MARK: - The request's body

    /// Whether bytes of the body can go out now.
    var takesBody: Bool {
        guard let link, isHeadSent, !isBodySent else { return false }
        return link.hasRoom()
    }

    func sendBody(_ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime = .drain) {
        guard let link, bytes.count > 0 else { return }
        hasSentBody = true
        put(bytes, on: link, lifetime: lifetime)
        link.touch()
    }

    private func put(_ bytes: UnsafeRawBufferPointer, on link: UpstreamLink, lifetime: RunLifetime) {
        let isChunked = exchange?.body.outgoing == .chunked
        if isChunked { HTTP1Writer.chunkStart(count: bytes.count, into: &link.outbox) }
        switch lifetime {
        case .drain: link.outbox.borrow(bytes)
        case .call: link.outbox.append(bytes)
        }
        if isChunked { HTTP1Writer.chunkEnd(into: &link.outbox) }
    }

    func endBody(trailers: borrowing HeaderBlock) {
        guard let link, isHeadSent, !isBodySent else { return }
        if exchange?.body.outgoing == .chunked {
            link.outbox.append("0\r\n")
            HTTP1Writer.fields(trailers, into: &link.outbox)
            link.outbox.append("\r\n")
        }
        requestEnded()
    }

    private func requestEnded() {
        isBodySent = true
        continueBy = .max
        link?.requestEnded()
        if let route {
            if !route.isTyped, hasSentBody { startedAt = gateway.now }
            firstByteBy = gateway.now &+ route.firstByteNanoseconds
            armTimer()
        }
    }

    func upstreamDrained() {
        exchange?.sink?.resumeRequestBody()
    }

    // MARK: - The end

    /// The connection is gone before the answer was complete.
    func linkLost(_ problem: Problem?, isReused: Bool, hadFirstByte: Bool, wasConnecting: Bool) {
        link = nil
        guard let exchange, let upstream else { return }
        // An idle connection may have been closed by its peer while the request was on its way (RFC 9110 §9.2.2,
        // RFC 9112 §9.3.1): an idempotent request whose body is still at hand is sent once more.
        if isReused, !hadFirstByte, !hasReplayed, !hasSentBody, exchange.upstreamMethod.isIdempotent {
            hasReplayed = true
            isHeadSent = false
            isBodySent = false
            return lease(fresh: true)
        }
        let name = upstream.settings.name
        if let problem { return fail(problem) }
        fail(
            hadFirstByte
                ? Problem(.upstreamTruncated, detail: "'\(name)' closed the connection in the middle of its answer.")
                : Problem(.connectionReset, detail: "'\(name)' closed the connection before it answered."))
    }

    /// The exchange wants no answer any more.
    func cancel() {
        exchange = nil
        letGo()
        gateway.giveBack(self)
    }

    func fail(_ problem: Problem) {
        guard let exchange else { return }
        var problem = problem
        problem.upstream = upstream?.settings.name
        letGo()
        self.exchange = nil
        exchange.fetchFailed(problem)
        gateway.giveBack(self)
    }

    func letGo() {
        if isQueued, let upstream { upstream.pool.leave(self) }
        isQueued = false
        let link = self.link
        self.link = nil
        link?.abandon()
    }

    /// The answer has been handed on whole.
    func finish() {
        link = nil
        exchange = nil
        gateway.giveBack(self)
    }

    /// The same request to another target of the same upstream (`follow: same-origin`).
    func restart() {
        link = nil
        isHeadSent = false
        isBodySent = false
        answer.reset(gateway)
        lease(fresh: false)
    }

    func connectionReturned() {
        link = nil
    }

    // MARK: - Time

    private func armTimer() {
        guard let route else { return }
        // What passes through untouched may be of any size: while it moves, in either direction, only its pace is
        // bounded (by the client's body timeout on the way out, by `firstByteBy` on the way back).
        let isMoving = answer.isUnbounded || (!route.isTyped && hasSentBody && !isBodySent)
        let total = isMoving ? .max : startedAt &+ route.totalNanoseconds
        gateway.timers.arm(timer, for: self, at: min(total, firstByteBy, continueBy))
    }

    /// The head of the answer has arrived; what is passed through may take as long as it keeps moving.
    func headArrived(isUnbounded: Bool) {
        answer.isUnbounded = isUnbounded
        firstByteBy = isUnbounded ? gateway.now &+ gateway.waits.body : .max
        armTimer()
    }

    func bodyMoved() {
        guard answer.isUnbounded else { return }
        firstByteBy = gateway.now &+ gateway.waits.body
        armTimer()
    }

    func timerFired() {
        guard let upstream, let route else { return }
        if gateway.now >= continueBy {
            continueBy = .max
            exchange?.sendContinue()
            return armTimer()
        }
        let name = upstream.settings.name
        if gateway.now < firstByteBy {
            fail(Problem(.totalTimeout, detail: "'\(name)' took longer than \(route.totalTimeout) in all."))
        } else if answer.hasHead {
            fail(Problem(.totalTimeout, detail: "'\(name)' stopped in the middle of its answer."))
        } else {
            fail(Problem(.firstByteTimeout, detail: "'\(name)' did not answer within \(route.firstByteTimeout)."))
        }
    }

    // MARK: - Back-pressure

    func pause() { link?.setReading(false) }

    func resume() {
        bodyMoved()
        link?.setReading(true)
    }
}
