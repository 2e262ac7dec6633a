internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// One upstream request and its answer, for the consumer that began it. There may be several attempts (a replay, a
/// redirect, a retry: `Fetch+Attempts.swift`), but only one at a time: a hedge is a second fetch beside the first. The
/// answer is judged, extracted and handed on as it arrives.
///
/// Its state is in parts, each with its own rules: the current attempt (``FetchAttempt``), the handling of its answer
/// (``FetchAnswer``), its credential (``FetchCredential``), its deadlines (``FetchDeadlines``), whether the client
/// keeps up (``ReaderState``), and how many attempts there are (``AttemptState``). Impossible combinations: anything
/// sent while the attempt is `queued`, `connecting` or `waiting`; any treatment but `again` while it is `waiting`; a
/// reader that is `behind` before a head has been handed on.
final class Fetch: UpstreamCall {
    let pool: FetchPool
    /// Kept alive by its client's connection or the cache, afterwards by its pool; it cancels this fetch before it
    /// goes.
    private(set) var borrowedConsumer: Borrowed<FetchConsumer>?
    /// Kept alive by the consumer's generation, as is the upstream.
    private(set) var borrowedRoute: Borrowed<Route>?
    private(set) var borrowedUpstream: Borrowed<UpstreamRuntime>?
    let attempt: FetchAttempt
    let answer: FetchAnswer
    let credential: FetchCredential
    var deadlines = FetchDeadlines()
    var reader = ReaderState.ready
    /// nil where there is only one attempt to make: one endpoint, no retries, no hedges.
    var attempts: AttemptState?
    var answerer = FixturePlay.Answerer.asRouted
    /// How often the request was replayed because its connection was lost, in all attempts.
    private var replays = 0
    var redirects = RedirectChain()
    let timer = Timer(tag: TimerTag.fetch.rawValue)

    init(_ pool: FetchPool) {
        self.pool = pool
        attempt = FetchAttempt(pool.loop)
        answer = FetchAnswer(pool.loop)
        credential = FetchCredential(pool.loop)
        super.init(loop: pool.loop)
    }

    deinit { loop.timers.cancel(timer) }

    var consumer: FetchConsumer? { borrowedConsumer?.object }
    var route: Route? { borrowedRoute?.object }
    var upstream: UpstreamRuntime? { borrowedUpstream?.object }
    var endpoint: Endpoint? { attempt.borrowedEndpoint?.object }
    var upstreamName: String { upstream?.settings.name ?? "" }

    func reset() {
        loop.timers.park(timer)
        borrowedConsumer = nil
        borrowedRoute = nil
        borrowedUpstream = nil
        attempt.reset()
        answer.reset()
        if answer.pages != nil { answer.pages = nil }
        reader = .ready
        attempts = nil
        answerer = .asRouted
        credential.reset()
        replays = 0
        if redirects.count > 0 { redirects = RedirectChain() }
        response.reset()
        if trailers.count > 0 { trailers.removeAll() }
    }

    // MARK: - The beginning

    func start(_ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime) {
        serve(consumer, route, upstream, until: loop.now &+ route.totalNanoseconds)
        loop.counters.fetches += 1
        if upstream.tracksEndpoints || route.retriesOrHedges { planAttempts(consumer, route, upstream) }
        if route.credentials.isRenewable {
            attempt.progress.keptBytesMax = max(attempt.progress.keptBytesMax, Self.keptForCredentialMax)
        }
        armTimer()
        lease()
    }

    /// A second attempt, parallel to one that takes long.
    func start(
        beside first: Fetch, _ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime,
        at endpoint: Endpoint
    ) {
        serve(consumer, route, upstream, until: first.deadlines.totalBy)
        attempt.notes.cause = .hedge
        attempts = AttemptState(beside: first, at: loop.now)
        armTimer()
        lease(upstream, at: endpoint, fresh: false)
    }

    /// A body of up to so many bytes can be sent again with another credential.
    private static let keptForCredentialMax = 64 << 10

    private func serve(_ consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime, until totalBy: UInt64) {
        borrowedConsumer = Borrowed(consumer)
        borrowedRoute = Borrowed(route)
        borrowedUpstream = Borrowed(upstream)
        if let record = consumer.request.record { attempt.notes = AttemptNotes(record, consumer.request.contents) }
        deadlines.begin(totalBy: totalBy)
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

    override func writeHead(into out: inout Outbox) { withRequest { attempt.writeHead($0, $1, $2, into: &out) } }

    override func writeHead(to session: HTTP2ClientSession, _ lines: inout Outbox) {
        withRequest { attempt.writeHead($0, $1, $2, to: session, &lines) }
    }

    /// Calls `write` with everything a head is written from, without reference counting.
    @inline(__always)
    private func withRequest(_ write: (BoundRequest, Route, UpstreamRuntime) -> Void) {
        guard let consumer = borrowedConsumer, let route = borrowedRoute, let upstream = borrowedUpstream else {
            return
        }
        upstream { upstream in consumer { consumer in route { route in write(consumer.request, route, upstream) } } }
    }

    // MARK: - Facts of the carrier

    override func leased(_ carrier: UpstreamCarrier) -> Bool {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else {
            preconditionFailure("a lease without a request")
        }
        attempt.forgetCarrier()
        return consumer { consumer in
            route { route in
                if !route.credentials.isNone, !credential.show(in: consumer.request, route, of: self) { return false }
                attempt.departed(on: carrier, for: consumer)
                send(consumer, route, on: carrier)
                return true
            }
        }
    }

    override var isSendable: Bool { credential.isStillGood(for: self) }

    override func leaseAgain() {
        attempt.withdrawn(for: borrowedConsumer)
        // Not a byte of the request was sent.
        credential.withdraw()
        attempt.progress.attemptEnded()
        deadlines.attemptBegan()
        guard let upstream, let endpoint else { return }
        lease(upstream, at: endpoint, fresh: false)
    }

    override func open(_ upstream: UpstreamRuntime, _ endpoint: Endpoint) {
        attempt.open(upstream, endpoint, for: self)
    }
    override func upstreamDrained() {
        deadlines.uploadGoesOn()
        consumer?.resumeBody()
    }
    override func interimReceived() {
        if let consumer { answer.passInterim(self, consumer) }
        response.reset()
    }
    override func responseReceived() { headReceived() }
    override func bodyReceived(_ bytes: UnsafeRawBufferPointer) { contentReceived(bytes) }
    override func responseEnded() { answerReceived() }

    override func standIn(for body: [UInt8]?) -> StandIn { FixturePlay(fetch: self).answer(to: body) }
    override func standInReceived() { playedHeadReceived() }
    override func valueReceived(_ bytes: [UInt8]) {
        if let consumer, let route { answer.handOn(value: bytes, self, consumer, route) }
    }
    override func refused(_ problem: Problem) { fail(problem) }
    override func settle() {
        answer.settle()
        reader.note(consumer?.unsentBytes)
    }

    override func partsFailed(_ problem: Problem) { failed(byPart: problem) }

    override func linkLost(
        _ problem: Problem?, isReused: Bool, hadFirstByte: Bool, wasConnecting: Bool, isUnprocessed: Bool
    ) {
        carrierLost(
            LostCarrier(
                problem: problem, isReused: isReused, hadFirstByte: hadFirstByte, wasConnecting: wasConnecting,
                isUnprocessed: isUnprocessed))
    }

    override func streamLost(_ end: HTTP2ClientStream.End, hadFirstByte: Bool) {
        if case .fieldsTooLarge(let most) = end {
            // Another attempt would fail the same way, and the endpoint is healthy.
            attemptEnded(.abandoned)
            attempt.forgetCarrier()
            let detail =
                "The request's fields are too large for '\(upstreamName)', which takes \(most) bytes; send less."
            return fail(Problem(.fieldsTooLarge, detail: detail))
        }
        if let lost = LostCarrier(end, hadFirstByte: hadFirstByte, of: endpoint, upstreamName, at: loop.now) {
            carrierLost(lost)
        }
    }

    private func carrierLost(_ lost: LostCarrier) {
        if lost.wasConnecting {
            attempt.connectFailed(at: borrowedUpstream, for: borrowedConsumer)
        } else {
            // An upstream gives up an answer that nobody reads.
            if reader.isBehind { attempts?.givenUp() }
            attemptEnded(.lost)
        }
        attempt.carrierLeft()
        // Bytes that still came over the carrier were dropped.
        if attempt.carrierState.isWaiting { return }
        guard let consumer, let route, let upstream, let endpoint else { return }
        if lost.isReplayed(
            after: replays, of: consumer.request, route, canBeSentAgain: attempt.progress.canBeSentAgain, upstream,
            at: loop.now)
        {
            replays += 1
            attempt.notes.cause = .replay
            forgetSent()
            armTimer()
            return lease(upstream, at: endpoint, fresh: true)
        }
        if answer.treatment != .tunnel, attemptFailed(lost.wasConnecting ? .connect : .reset) { return }
        fail(lost.problem(upstream: upstream.settings.name))
    }

    // MARK: - Once more

    /// Whether the gateway follows this redirect itself.
    func follows(_ request: BoundRequest, _ route: Route) -> Bool {
        guard route.follow == .sameOrigin, redirects.count < Redirect.followedMax, attempt.progress.canBeSentAgain,
            let endpoint
        else { return false }
        return Redirect.isFollowed(response, to: request, endpoint)
    }

    /// The same request to another target of the same upstream (`follow: same-origin`).
    func follow(_ consumer: FetchConsumer) {
        guard let endpoint, let route, let target = Redirect.target(of: response, for: consumer.request, endpoint)
        else { return }
        redirects.add(response, at: loop.monotonicSeconds, now: loop.unixSeconds)
        consumer.noteSource(response, route)
        consumer.request.isRedirected = true
        attempt.notes.cause = .redirect
        consumer.request.target.replace(by: LinkTargets.asked(target, route))
        consumer.depend(on: HeaderBlock(), route)
        answerer = .asRouted
        response.reset()
        attempt.forgetCarrier()
        forgetAttempt()
        lease()
    }

    /// The request is a different one now, and is sent as if it were the first.
    func askAnew() {
        response.reset()
        if trailers.count > 0 { trailers.removeAll() }
        attempt.forgetCarrier()
        (replays, redirects) = (0, RedirectChain())
        answerer = .asRouted
        attempt.notes.cause = .page
        credential.reset()
        forgetAttempt()
        lease()
    }

    /// Sends the request again, to this endpoint, or to a newly picked one.
    func tryAgain(at endpoint: Endpoint? = nil) {
        letGo()
        forgetAttempt()
        response.reset()
        if trailers.count > 0 { trailers.removeAll() }
        if let endpoint, let upstream { return lease(upstream, at: endpoint, fresh: false) }
        lease()
    }

    private func forgetAttempt() {
        forgetSent()
        answer.reset()
        armTimer()
    }

    // MARK: - The end

    /// The answer has been handed on completely.
    func finish() {
        attempt.forgetCarrier()
        borrowedConsumer = nil
        pool.giveBack(self)
    }

    func fail(_ problem: Problem) {
        guard let consumer else { return }
        if hasRival { return withdraw(consumer) }
        if FixturePlay(fetch: self).standsIn(for: problem, consumer) { return }
        var problem = problem
        if let count = attempts?.count, count > 1 { problem.detail += " It was tried \(count) times." }
        problem.upstream = upstream?.settings.name
        if case .parts(let parts)? = attempt.carrier { parts.tell(&problem) }
        letGo()
        borrowedConsumer = nil
        consumer.fetchFailed(problem)
        pool.giveBack(self)
    }

    /// The consumer does not want the answer any more.
    func cancel() {
        if let hedged = attempts?.hedgedRequest { hedged.cancelRival(of: self) }
        giveUp()
    }

    /// The answer is not wanted, whatever it is.
    func giveUp() {
        attempts?.givenUp()
        leaveConsumer()
    }

    /// Detaches the fetch from its consumer.
    func leaveConsumer() {
        credential.tellAudit(status: nil, of: self)
        attemptEnded()
        borrowedConsumer = nil
        letGo()
        pool.giveBack(self)
    }

    /// Gives up the carrier, or the place in the queue.
    func letGo() {
        credential.tellAudit(status: nil, of: self)
        attemptEnded()
        if case .awaitingCredential = attempt.carrierState { pool.forget(waiting: self) }
        attempt.letGo(self)
    }
}
