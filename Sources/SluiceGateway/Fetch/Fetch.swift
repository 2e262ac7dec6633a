internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One upstream request and its answer, for the exchange that began it. Attempts may be more than one (a replay, a
/// redirect, a retry: `Fetch+Attempts.swift`), but only one at a time: a hedge is a second fetch beside the first
/// (`Fetch+Hedge.swift`). The answer is judged, extracted and handed on as it arrives.
final class Fetch {
    /// Counted: see ``Link``.
    let gateway: Gateway
    var response = ResponseHead()
    var trailers = HeaderBlock()
    /// Kept by its client's connection, afterwards by the gateway; it cancels this fetch before it goes.
    private(set) var borrowedExchange: Borrowed<Exchange>?
    /// Kept by the generation of the exchange, as is the upstream.
    private(set) var borrowedRoute: Borrowed<Route>?
    private(set) var borrowedUpstream: Borrowed<UpstreamRuntime>?
    /// Where the attempt goes; kept by the upstream.
    var borrowedEndpoint: Borrowed<Endpoint>?
    var carrier: UpstreamCarrier?
    /// Taken from the gateway, which keeps it until it gives itself back.
    var isAtWork = false
    var answer = AnswerState()
    /// Whether anything is decided per attempt; only then is `attempts` of interest.
    private(set) var isGoverned = false
    var attempts = AttemptState()
    private let timer = Timer(tag: TimerTag.fetch.rawValue)
    /// In the queue of the endpoint.
    var isQueued = false
    /// The head of the request is on the link: its body may follow.
    private(set) var isHeadSent = false
    private(set) var isBodySent = false
    var hasSentBody = false
    /// How often the request was sent again because it was lost on its way.
    private var replays = 0
    /// A request that nobody began to process is sent again so often.
    private static let unprocessedReplaysMax = 3
    private(set) var completeBy: UInt64 = 0
    private var firstByteBy: UInt64 = 0
    /// The client takes too little at present; what waited for it when that was looked at last.
    var isHeld = false
    var unsentBytes: Int?
    /// When a client that waits for `100 Continue` hears it from the gateway, because the upstream says nothing.
    private var continueBy: UInt64 = .max
    /// When the next attempt begins, or a second one beside this.
    var wakeBy: UInt64 = .max
    private static let continueNanoseconds: UInt64 = 1_000_000_000

    init(gateway: Gateway) {
        self.gateway = gateway
    }

    deinit { gateway.timers.cancel(timer) }

    var exchange: Exchange? { borrowedExchange?.object }
    var route: Route? { borrowedRoute?.object }
    var upstream: UpstreamRuntime? { borrowedUpstream?.object }
    var endpoint: Endpoint? { borrowedEndpoint?.object }
    /// Whether the request can be sent again as it was.
    var isBodyAtHand: Bool { !hasSentBody || attempts.keepsBody }

    func reset() {
        gateway.timers.park(timer)
        borrowedExchange = nil
        borrowedRoute = nil
        borrowedUpstream = nil
        borrowedEndpoint = nil
        carrier = nil
        if isGoverned { attempts = AttemptState() }
        isGoverned = false
        answer.reset(gateway)
        answer.redirects = 0
        response.reset()
        if trailers.count > 0 { trailers.removeAll() }
        isQueued = false
        isHeadSent = false
        isBodySent = false
        hasSentBody = false
        replays = 0
        continueBy = .max
        isHeld = false
        unsentBytes = nil
        wakeBy = .max
    }

    // MARK: - Leasing

    func start(_ exchange: Exchange, _ route: Route, _ upstream: UpstreamRuntime) {
        borrowedExchange = Borrowed(exchange)
        borrowedRoute = Borrowed(route)
        borrowedUpstream = Borrowed(upstream)
        gateway.counters.fetches += 1
        completeBy = gateway.now &+ route.totalNanoseconds
        firstByteBy = .max
        isGoverned = upstream.isGoverned || route.isGoverned
        if isGoverned { attemptsBegan(exchange, route, upstream) }
        armTimer()
        lease()
    }

    /// A second attempt, beside one that takes long.
    func start(
        beside first: Fetch, _ exchange: Exchange, _ route: Route, _ upstream: UpstreamRuntime, at endpoint: Endpoint
    ) {
        borrowedExchange = Borrowed(exchange)
        borrowedRoute = Borrowed(route)
        borrowedUpstream = Borrowed(upstream)
        completeBy = first.completeBy
        firstByteBy = .max
        isGoverned = true
        attempts.startedAt = gateway.now
        attempts.count = first.attempts.count
        attempts.rival = Borrowed(first)
        armTimer()
        lease(upstream, at: endpoint, fresh: false)
    }

    /// The connection, or a stream of it, is ours and ready.
    func leased(_ carrier: UpstreamCarrier) {
        guard let exchange = borrowedExchange, let route = borrowedRoute else {
            preconditionFailure("a lease without a request")
        }
        isQueued = false
        self.carrier = carrier
        exchange { exchange in route { route in send(exchange, route, on: carrier) } }
    }

    private func send(_ exchange: Exchange, _ route: Route, on carrier: UpstreamCarrier) {
        guard let upstream = borrowedUpstream, let endpoint = borrowedEndpoint else {
            preconditionFailure("a lease without an upstream")
        }
        let hasBegun = upstream { upstream in
            endpoint { carrier.begin(exchange, route, upstream, $0) }
        }
        guard hasBegun else { return carrier.refuse() }
        isHeadSent = true
        // A stream of messages may last, whoever begins.
        if route.isGRPC { headArrived(isUnbounded: true, silence: streamSilence(route)) }
        sendHeldBody(exchange, route, on: carrier)
        if isBodySent { return }
        if exchange.request.expectsContinue, !exchange.body.isExpectationMet {
            continueBy = gateway.now &+ Self.continueNanoseconds
            armTimer()
        }
        exchange.resumeBody()
    }

    func requestEnded(on carrier: UpstreamCarrier, _ route: Route) {
        isBodySent = true
        continueBy = .max
        carrier.requestEnded()
        if !route.isTyped, hasSentBody { completeBy = gateway.now &+ route.totalNanoseconds }
        if !answer.hasHead { firstByteBy = gateway.now &+ route.firstByteNanoseconds }
        armTimer()
    }

    func upstreamDrained() {
        exchange?.resumeBody()
    }

    // MARK: - The end

    /// The connection is gone before the answer was complete.
    /// - Parameter isUnprocessed: the upstream has said that it did not begin to process the request.
    func linkLost(
        _ problem: Problem?, isReused: Bool, hadFirstByte: Bool, wasConnecting: Bool, isUnprocessed: Bool = false
    ) {
        carrier = nil
        isQueued = false
        if attempts.isWaiting { return }
        guard let exchange, let upstream, let endpoint else { return }
        // An idle connection may have been closed by its peer while the request was on its way (RFC 9110 §9.2.2,
        // RFC 9112 §9.3.1): an idempotent request whose body is still at hand is sent once more.
        // What was never processed is sent again whatever its method is (RFC 9113 §8.7).
        let isLost = isReused && !hadFirstByte && replays == 0 && exchange.upstreamMethod.isIdempotent
        if isLost || isUnprocessed && replays < Self.unprocessedReplaysMax, isBodyAtHand {
            replays += 1
            isHeadSent = false
            isBodySent = false
            return lease(upstream, at: endpoint, fresh: true)
        }
        if isGoverned, !answer.isTunnel, attemptFailed(wasConnecting ? .connect : .reset) { return }
        let name = upstream.settings.name
        if let problem { return fail(problem) }
        fail(
            hadFirstByte
                ? Problem(.upstreamTruncated, detail: "'\(name)' closed the connection in the middle of its answer.")
                : Problem(.connectionReset, detail: "'\(name)' closed the connection before it answered."))
    }

    /// The exchange wants no answer any more.
    func cancel() {
        dismissRival()
        borrowedExchange = nil
        letGo()
        gateway.giveBack(self)
    }

    func fail(_ problem: Problem) {
        guard let exchange else { return }
        if attempts.rival != nil { return withdraw(exchange) }
        var problem = problem
        if attempts.count > 1 { problem.detail += " It was tried \(attempts.count) times." }
        problem.upstream = upstream?.settings.name
        letGo()
        borrowedExchange = nil
        exchange.fetchFailed(problem)
        gateway.giveBack(self)
    }

    func letGo() {
        if isQueued, let endpoint { endpoint.leave(self) }
        isQueued = false
        let carrier = self.carrier
        self.carrier = nil
        carrier?.abandon()
    }

    /// The answer has been handed on whole.
    func finish() {
        carrier = nil
        borrowedExchange = nil
        gateway.giveBack(self)
    }

    /// The exchange has nothing to do with this fetch any more.
    func leaveExchange() {
        letGo()
        borrowedExchange = nil
        gateway.giveBack(self)
    }

    /// The same request to another target of the same upstream (`follow: same-origin`).
    func restart() {
        carrier = nil
        clearAttempt()
        lease()
    }

    /// The request goes out once more, to an endpoint that is picked anew.
    func tryAgain() {
        letGo()
        clearAttempt()
        response.reset()
        if trailers.count > 0 { trailers.removeAll() }
        replays = 0
        armTimer()
        lease()
    }

    private func clearAttempt() {
        isHeadSent = false
        isBodySent = false
        firstByteBy = .max
        continueBy = .max
        answer.reset(gateway)
    }

    /// Until ``wakeBy`` nothing goes out; what still comes of the last answer is read and dropped.
    func suspend() {
        isHeadSent = false
        firstByteBy = .max
        continueBy = .max
        armTimer()
    }

    func connectionReturned() {
        carrier = nil
    }

    // MARK: - Time

    func armTimer() {
        gateway.timers.arm(timer, for: self, at: deadline)
    }

    private var deadline: UInt64 {
        // What passes through untouched may be of any size: while it moves, in either direction, only its pace is
        // bounded (by the client's body timeout on the way out, by `firstByteBy` on the way back).
        let isUploading = hasSentBody && !isBodySent && borrowedRoute?({ !$0.isTyped }) == true
        let total = answer.isUnbounded || isUploading ? .max : completeBy
        return min(total, firstByteBy, continueBy, wakeBy)
    }

    /// The head of the answer has arrived; what is passed through may take as long as it keeps moving.
    /// - Parameter silence: how long it may say nothing, nanoseconds.
    func headArrived(isUnbounded: Bool, silence: UInt64) {
        answer.isUnbounded = isUnbounded
        answer.silence = silence
        firstByteBy = isUnbounded ? gateway.now &+ silence : .max
        armTimer()
    }

    func bodyMoved() {
        guard answer.isUnbounded else { return }
        firstByteBy = gateway.now &+ answer.silence
        armTimer()
    }

    func timerFired() {
        guard let upstream, let route else { return }
        // It was armed before the body began to move.
        if gateway.now < deadline { return armTimer() }
        if gateway.now >= continueBy {
            continueBy = .max
            exchange?.sendContinue()
            return armTimer()
        }
        if isHeld, gateway.now >= firstByteBy, judgeReader() { return }
        if gateway.now >= wakeBy {
            wakeBy = .max
            return wake()
        }
        let name = upstream.settings.name
        if isGoverned, isHeadSent, !answer.hasHead, attemptFailed(.timeout) { return }
        if gateway.now < firstByteBy {
            fail(Problem(.totalTimeout, detail: "'\(name)' took longer than \(route.totalTimeout.words) in all."))
        } else if answer.hasHead {
            if let later = silenceExtended(from: firstByteBy) {
                firstByteBy = later
                return armTimer()
            }
            fail(Problem(.totalTimeout, detail: "'\(name)' stopped in the middle of its answer."))
        } else {
            fail(Problem(.firstByteTimeout, detail: "'\(name)' did not answer within \(route.firstByteTimeout.words)."))
        }
    }
}
