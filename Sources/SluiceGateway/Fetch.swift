internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One upstream request and its answer, for the exchange that began it. Attempts may be more than one (a replay, a
/// redirect); the answer is judged, extracted and handed on as it arrives.
final class Fetch {
    /// Counted: see ``Link``.
    let gateway: Gateway
    var response = ResponseHead()
    var trailers = HeaderBlock()
    /// Kept by its client's connection, afterwards by the gateway; it cancels this fetch before it goes.
    private(set) var borrowedExchange: Borrowed<Exchange>?
    /// Kept by the generation of the exchange, as is the upstream.
    private(set) var borrowedRoute: Borrowed<Route>?
    private var borrowedUpstream: Borrowed<UpstreamRuntime>?
    private(set) var link: UpstreamLink?
    /// Taken from the gateway, which keeps it until it gives itself back.
    var isAtWork = false
    var answer = AnswerState()
    private let timer = Timer(tag: TimerTag.fetch.rawValue)
    private var isQueued = false
    /// The head of the request is on the link: its body may follow.
    private var isHeadSent = false
    private var isBodySent = false
    private var hasSentBody = false
    private var hasReplayed = false
    private var completeBy: UInt64 = 0
    private var firstByteBy: UInt64 = 0
    /// The client takes too little at present; what waited for it when that was looked at last.
    private var isHeld = false
    private var unsentBytes: Int?
    /// When a client that waits for `100 Continue` hears it from the gateway, because the upstream says nothing.
    private var continueBy: UInt64 = .max
    private static let continueNanoseconds: UInt64 = 1_000_000_000

    init(gateway: Gateway) {
        self.gateway = gateway
    }

    deinit { gateway.timers.cancel(timer) }

    var exchange: Exchange? { borrowedExchange?.object }
    var route: Route? { borrowedRoute?.object }
    var upstream: UpstreamRuntime? { borrowedUpstream?.object }

    func reset() {
        gateway.timers.park(timer)
        borrowedExchange = nil
        borrowedRoute = nil
        borrowedUpstream = nil
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
        isHeld = false
        unsentBytes = nil
    }

    // MARK: - Leasing

    func start(_ exchange: Exchange, _ route: Route, _ upstream: UpstreamRuntime) {
        borrowedExchange = Borrowed(exchange)
        borrowedRoute = Borrowed(route)
        borrowedUpstream = Borrowed(upstream)
        gateway.counters.fetches += 1
        completeBy = gateway.now &+ route.totalNanoseconds
        firstByteBy = .max
        armTimer()
        lease(upstream, fresh: false)
    }

    private func lease(fresh: Bool) {
        guard let upstream = borrowedUpstream else { preconditionFailure("a lease without an upstream") }
        upstream { lease($0, fresh: fresh) }
    }

    private func lease(_ upstream: UpstreamRuntime, fresh: Bool) {
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
        guard let exchange = borrowedExchange, let route = borrowedRoute else {
            preconditionFailure("a lease without a request")
        }
        isQueued = false
        self.link = link
        exchange { exchange in route { route in send(exchange, route, on: link) } }
    }

    private func send(_ exchange: Exchange, _ route: Route, on link: UpstreamLink) {
        link.requestBegan(exchange.upstreamMethod)
        UpstreamRequestWriter.write(exchange, route, link.upstream, into: &link.outbox)
        isHeadSent = true
        sendHeldBody(exchange, route, on: link)
        if isBodySent { return }
        if exchange.request.expectsContinue, !exchange.body.isExpectationMet {
            continueBy = gateway.now &+ Self.continueNanoseconds
            armTimer()
        }
        exchange.sink?.resumeRequestBody()
    }

    /// What was collected before the fetch began goes out first; it stays with the exchange for a replay.
    private func sendHeldBody(_ exchange: Exchange, _ route: Route, on link: UpstreamLink) {
        exchange.body.held.forEachRun { run, _ in put(run, on: link, lifetime: .drain) }
        switch exchange.body.outgoing {
        case .none, .length(0): requestEnded(on: link, route)
        case .length(let length) where length == exchange.body.held.count: requestEnded(on: link, route)
        case .length, .chunked:
            // A replay: what the client sent, an empty body, is over already.
            if exchange.body.isComplete { endBody(trailers: exchange.requestTrailers) }
        }
    }

    // MARK: - The request's body

    /// Whether bytes of the body can go out now.
    var takesBody: Bool {
        guard let link = link.borrowed, isHeadSent, !isBodySent else { return false }
        return link { $0.hasRoom() }
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
        guard let link, let route, isHeadSent, !isBodySent else { return }
        if exchange?.body.outgoing == .chunked {
            link.outbox.append("0\r\n")
            HTTP1Writer.fields(trailers, into: &link.outbox)
            link.outbox.append("\r\n")
        }
        requestEnded(on: link, route)
    }

    private func requestEnded(on link: UpstreamLink, _ route: Route) {
        isBodySent = true
        continueBy = .max
        link.requestEnded()
        if !route.isTyped, hasSentBody { completeBy = gateway.now &+ route.totalNanoseconds }
        firstByteBy = gateway.now &+ route.firstByteNanoseconds
        armTimer()
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
        borrowedExchange = nil
        letGo()
        gateway.giveBack(self)
    }

    func fail(_ problem: Problem) {
        guard let exchange else { return }
        var problem = problem
        problem.upstream = upstream?.settings.name
        letGo()
        borrowedExchange = nil
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
        borrowedExchange = nil
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
        // What passes through untouched may be of any size: while it moves, in either direction, only its pace is
        // bounded (by the client's body timeout on the way out, by `firstByteBy` on the way back).
        let isUploading = hasSentBody && !isBodySent && borrowedRoute?({ !$0.isTyped }) == true
        let total = answer.isUnbounded || isUploading ? .max : completeBy
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
        if isHeld, gateway.now >= firstByteBy { return judgeReader() }
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

    func pause() {
        isHeld = true
        unsentBytes = nil
        link?.setReading(false)
    }

    /// The input that made the client fall behind has been handed on: what waits from here on can only become less.
    func noteUnsent() {
        if isHeld, unsentBytes == nil { unsentBytes = exchange?.sink?.unsentBytes }
    }

    /// A client that takes less than `limits.min-rate` of what waits for it is cut off.
    private func judgeReader() {
        guard let sink = exchange?.sink, let waiting = sink.unsentBytes else { return bodyMoved() }
        let least = gateway.waits.bytes(in: gateway.waits.body)
        if let before = unsentBytes, before - waiting < least {
            exchange?.fail(
                Problem(.clientTooSlow, detail: "The client took less than \(least) bytes of its answer in time."))
            return
        }
        unsentBytes = waiting
        bodyMoved()
    }

    func resume() {
        isHeld = false
        bodyMoved()
        link?.setReading(true)
    }
}
