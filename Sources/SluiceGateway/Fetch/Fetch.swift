internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One upstream request and its answer, for the consumer that began it. Attempts may be more than one (a replay, a
/// redirect, a retry: `Fetch+Attempts.swift`), but only one at a time: a hedge is a second fetch beside the first
/// (`Fetch+Hedge.swift`). The answer is judged, extracted and handed on as it arrives.
final class Fetch: UpstreamCall {
    let pool: FetchPool
    /// Kept by its client's connection or the cache, afterwards by its pool; it cancels this fetch before it goes.
    private(set) var borrowedConsumer: Borrowed<FetchConsumer>?
    /// Kept by the generation of the consumer, as is the upstream.
    private(set) var borrowedRoute: Borrowed<Route>?
    private(set) var borrowedUpstream: Borrowed<UpstreamRuntime>?
    /// Where the attempt goes; kept by the upstream.
    var borrowedEndpoint: Borrowed<Endpoint>?
    var carrier: UpstreamCarrier?
    var answer = AnswerState()
    /// Whether anything is decided per attempt; only then is `attempts` of interest.
    private(set) var isGoverned = false
    var attempts = AttemptState()
    let timer = Timer(tag: TimerTag.fetch.rawValue)
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
    var completeBy: UInt64 = 0
    var firstByteBy: UInt64 = 0
    /// The client takes too little at present; what waited for it when that was looked at last.
    var isHeld = false
    var unsentBytes: Int?
    /// When a client that waits for `100 Continue` hears it from the gateway, because the upstream says nothing.
    var continueBy: UInt64 = .max
    /// When the next attempt begins, or a second one beside this.
    var wakeBy: UInt64 = .max
    private static let continueNanoseconds: UInt64 = 1_000_000_000

    init(_ pool: FetchPool) {
        self.pool = pool
        super.init(loop: pool.loop)
    }

    deinit { loop.timers.cancel(timer) }

    var consumer: FetchConsumer? { borrowedConsumer?.object }
    var route: Route? { borrowedRoute?.object }
    var upstream: UpstreamRuntime? { borrowedUpstream?.object }
    var endpoint: Endpoint? { borrowedEndpoint?.object }
    /// Whether the request can be sent again as it was.
    var isBodyAtHand: Bool { !hasSentBody || attempts.keepsBody }

    func reset() {
        loop.timers.park(timer)
        borrowedConsumer = nil
        borrowedRoute = nil
        borrowedUpstream = nil
        borrowedEndpoint = nil
        carrier = nil
        if isGoverned { attempts = AttemptState() }
        isGoverned = false
        answer.reset(loop)
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

    func start(_ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime) {
        borrowedConsumer = Borrowed(consumer)
        borrowedRoute = Borrowed(route)
        borrowedUpstream = Borrowed(upstream)
        loop.counters.fetches += 1
        completeBy = loop.now &+ route.totalNanoseconds
        firstByteBy = .max
        isGoverned = upstream.isGoverned || route.isGoverned
        if isGoverned { attemptsBegan(consumer, route, upstream) }
        armTimer()
        lease()
    }

    /// A second attempt, beside one that takes long.
    func start(
        beside first: Fetch, _ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime,
        at endpoint: Endpoint
    ) {
        borrowedConsumer = Borrowed(consumer)
        borrowedRoute = Borrowed(route)
        borrowedUpstream = Borrowed(upstream)
        completeBy = first.completeBy
        firstByteBy = .max
        isGoverned = true
        attempts.startedAt = loop.now
        attempts.count = first.attempts.count
        attempts.rival = Borrowed(first)
        armTimer()
        lease(upstream, at: endpoint, fresh: false)
    }

    override func leased(_ carrier: UpstreamCarrier) {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else {
            preconditionFailure("a lease without a request")
        }
        isQueued = false
        self.carrier = carrier
        consumer { consumer in route { route in send(consumer, route, on: carrier) } }
    }

    private func send(_ consumer: FetchConsumer, _ route: Route, on carrier: UpstreamCarrier) {
        guard carrier.begin(self) else { return carrier.refuse() }
        isHeadSent = true
        // A stream of messages may last, whoever begins.
        if route.isGRPC { headArrived(isUnbounded: true, silence: streamSilence(route)) }
        sendHeldBody(consumer, route, on: carrier)
        if isBodySent { return }
        if consumer.request.head.expectsContinue, !consumer.request.body.isExpectationMet {
            continueBy = loop.now &+ Self.continueNanoseconds
            armTimer()
        }
        consumer.resumeBody()
    }

    // MARK: - Facts

    override func leaseAgain() { leaseAfterAll() }
    override func open(_ upstream: UpstreamRuntime, _ endpoint: Endpoint) { openConnection(upstream, endpoint) }
    override func upstreamDrained() { consumer?.resumeBody() }
    override func interimReceived() { passInterim() }
    override func responseReceived() { headReceived() }
    override func bodyReceived(_ bytes: UnsafeRawBufferPointer) { contentReceived(bytes) }
    override func responseEnded() { answerReceived() }
    override func settle() { settleHeld() }
    override func streamLost(_ end: HTTP2ClientStream.End, hadFirstByte: Bool) {
        attemptLost(end, hadFirstByte: hadFirstByte)
    }

    // MARK: - The request, for its carrier

    override var outline: Outline {
        guard let consumer = borrowedConsumer else { preconditionFailure("a call without a request") }
        return consumer { consumer in
            let outgoing = consumer.request.body.outgoing
            return Outline(
                method: consumer.request.upstreamMethod, opensTunnel: consumer.request.isUpgrading,
                hasContent: outgoing != .none && outgoing != .length(0))
        }
    }

    override func writeHead(into out: inout Outbox) {
        guard let consumer = borrowedConsumer, let route = borrowedRoute, let upstream = borrowedUpstream,
            let endpoint = borrowedEndpoint
        else { return }
        upstream { upstream in
            endpoint { endpoint in
                consumer { consumer in
                    route { UpstreamRequestWriter.write(consumer.request, $0, upstream, endpoint, into: &out) }
                }
            }
        }
    }

    override func writeHead(to session: HTTP2ClientSession, _ lines: inout Outbox) {
        guard let request = consumer?.request, let route, let upstream, let endpoint else { return }
        UpstreamRequestWriter.write(request, route, upstream, endpoint, to: session, &lines)
    }

    func requestEnded(on carrier: UpstreamCarrier, _ route: Route) {
        isBodySent = true
        continueBy = .max
        carrier.requestEnded()
        if !route.isTyped, hasSentBody { completeBy = loop.now &+ route.totalNanoseconds }
        if !answer.hasHead { firstByteBy = loop.now &+ route.firstByteNanoseconds }
        armTimer()
    }

    // MARK: - The end

    override func linkLost(
        _ problem: Problem?, isReused: Bool, hadFirstByte: Bool, wasConnecting: Bool, isUnprocessed: Bool
    ) {
        carrier = nil
        isQueued = false
        if attempts.isWaiting { return }
        guard let consumer, let upstream, let endpoint else { return }
        // An idle connection may have been closed by its peer while the request was on its way (RFC 9110 §9.2.2,
        // RFC 9112 §9.3.1): an idempotent request whose body is still at hand is sent once more.
        // What was never processed is sent again whatever its method is (RFC 9113 §8.7).
        let isLost = isReused && !hadFirstByte && replays == 0 && consumer.request.upstreamMethod.isIdempotent
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

    /// The consumer wants no answer any more.
    func cancel() {
        dismissRival()
        borrowedConsumer = nil
        letGo()
        pool.giveBack(self)
    }

    func fail(_ problem: Problem) {
        guard let consumer else { return }
        if attempts.rival != nil { return withdraw(consumer) }
        var problem = problem
        if attempts.count > 1 { problem.detail += " It was tried \(attempts.count) times." }
        problem.upstream = upstream?.settings.name
        letGo()
        borrowedConsumer = nil
        consumer.fetchFailed(problem)
        pool.giveBack(self)
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
        borrowedConsumer = nil
        pool.giveBack(self)
    }

    /// The consumer has nothing to do with this fetch any more.
    func leaveConsumer() {
        letGo()
        borrowedConsumer = nil
        pool.giveBack(self)
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
        answer.reset(loop)
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
}
