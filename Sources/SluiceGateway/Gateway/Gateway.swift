internal import SluiceCache
public import SluiceContract
public import SluiceHTTP
internal import SluiceHTTP2

/// The gateway as one event loop runs it: sans-IO, confined to that loop. It makes everything that lives there, and
/// knows nothing that they do not know better.
///
/// The owner tells it facts through links (`received`, `failed`, …) and the clock (``advance(to:)``), then drains
/// ``takeTouched(_:)`` and does what the links want. See ``Link``.
public final class Gateway {
    let loop: LoopContext
    let loopCache: LoopCache
    let corridor: Corridor
    private let http2: HTTP2Streams
    private let http2Upstream: HTTP2UpstreamStreams
    let adminSocket: AdminSocket
    private let ownRequests: OwnRequests
    private let watching: Watching

    /// - Parameters:
    ///   - vaults: by the names of ``Configuration/shownCredentials``, and of other secrets (`vaultName`), shared with
    ///     the other loops.
    ///   - now: nanoseconds of the monotonic clock.
    ///   - seed: what chance decides (which endpoint, how long a wait before a retry) follows from it.
    ///   - pageBytes: what one read takes at most, but for a long one of what flows, which may take twice as much.
    ///   - cache: what is stored, shared with the other loops.
    ///   - address: where those reach this one.
    ///   - metrics: what all of them count.
    public init(
        table: RouteTable, vaults: [String: CredentialVault], now: UInt64, seed: UInt64 = 1,
        pageBytes: Int = InputPages.usualByteCount, cache: SharedCache? = nil, address: LoopAddress? = nil,
        metrics: MetricsRegistry? = nil
    ) {
        let limits = table.configuration.limits
        loop = LoopContext(
            limits, now: now, seed: seed, pageBytes: pageBytes,
            metrics: metrics ?? MetricsRegistry(table.configuration.metrics))
        http2 = HTTP2Streams(limits: HTTP2Limits(limits))
        http2Upstream = HTTP2UpstreamStreams(limits: HTTP2Limits(towardsUpstreams: limits))
        loopCache = LoopCache(
            cache ?? SharedCache(MemoryStore(table.configuration.cache)), FetchPool(loop), address: address)
        let upstreams = Self.upstreams(of: table, http2Upstream, loop)
        corridor = Corridor(loopCache, Self.generation(table, upstreams, vaults, loop))
        adminSocket = AdminSocket(corridor)
        ownRequests = OwnRequests(loopCache.fetches, http2Upstream)
        loopCache.fetches.composer = Composer(corridor)
        corridor.administration = adminSocket
        watching = Watching(corridor)
        (corridor.watchKeeper, loopCache.watching) = (watching, watching)
    }

    /// Those of a table: new ones, but for what `find` has.
    private static func upstreams(
        of table: RouteTable, _ http2: HTTP2UpstreamStreams, _ loop: LoopContext,
        reusing find: (Upstream) -> UpstreamRuntime? = { _ in nil }
    ) -> [UpstreamRuntime] {
        zip(table.configuration.servedUpstreams, table.upstreamMeters).map { settings, meter in
            if let known = find(settings) { return known }
            let upstream = UpstreamRuntime(
                settings, meter: meter, http2: http2, now: loop.now, cells: loop.metrics.upstream(settings.name),
                endpointCells: settings.endpoints.map { loop.metrics.endpoint($0.place, of: settings.name) })
            upstream.beginHealthChecks(loop)
            return upstream
        }
    }

    private static func generation(
        _ table: RouteTable, _ upstreams: [UpstreamRuntime], _ vaults: [String: CredentialVault], _ loop: LoopContext
    ) -> Generation {
        let credentials = table.credentials.map {
            CredentialRuntime(
                $0.name, vaults[$0.name] ?? CredentialVault($0.kind.presentation, of: $0.kind.source),
                from: table.configuration.sources(of: $0))
        }
        return Generation(
            table: table, upstreams: upstreams, credentials: credentials, vaults,
            routeCells: table.routes.map { loop.metrics.binding($0.binding.name) })
    }

    // MARK: - What the owner sets

    /// Called for each finished exchange where the access log is on.
    public var accessLog: ((borrowing AccessEntry) -> Void)? {
        get { corridor.accessLog }
        set { corridor.accessLog = newValue }
    }
    /// Finished requests for those who follow them, shared by all loops; ``onRequestsToTell(_:)`` goes with it.
    public var requestFeed: RequestFeed? {
        get { corridor.feed }
        set { corridor.feed = newValue }
    }
    /// The last exchanges of all loops, where they are kept; to be set before any request begins.
    public var inspections: InspectionRing? {
        get { corridor.inspections }
        set {
            corridor.inspections = newValue
            inspect(generation.table.configuration.inspect)
        }
    }
    /// What keeps all exchanges with upstreams; to be set before any request begins.
    public var recorder: ExchangeRecorder? {
        get { corridor.recorder }
        set {
            corridor.recorder = newValue
            inspect(generation.table.configuration.inspect)
        }
    }
    /// Called with the spans of requests that are traced; to be set before any request begins.
    public var spanSink: (([TraceSpan]) -> Void)? {
        didSet { trace(generation.table.configuration.trace) }
    }
    /// Called with what an operator should know of.
    public var notice: ((GatewayNotice) -> Void)? {
        get { loop.notice }
        set { loop.notice = newValue }
    }
    /// Called where the admin socket is asked for a reload; ``reloadEnded(_:)`` is told what has become of it, once for
    /// each call and in their order.
    public var reloader: (() -> Void)? {
        get { adminSocket.reloader }
        set { adminSocket.reloader = newValue }
    }
    /// Called where the admin socket is asked for a document of the daemon; ``documentMade(_:_:)`` is told the number
    /// and the bytes.
    public var documentMaker: ((DaemonDocument, Int) -> Void)? {
        get { adminSocket.documents.maker }
        set { adminSocket.documents.maker = newValue }
    }
    /// The keeper of the credentials, for the admin socket.
    public var credentialBoard: (any CredentialBoard)? {
        get { adminSocket.credentialBoard }
        set { adminSocket.credentialBoard = newValue }
    }
    /// Called with each request that showed a credential, where the audit log is on.
    public var auditLog: ((AuditEntry) -> Void)? {
        get { loop.auditLog }
        set { loop.auditLog = newValue }
    }
    /// Called where the admin socket is asked for a step of a sign-in; ``signInEnded(_:_:)`` is told what has come of
    /// it, with the same number.
    public var signer: ((SignInRequest, Int) -> Void)? {
        get { adminSocket.signer }
        set { adminSocket.signer = newValue }
    }
    /// `Date` of answers made here; the owner sets it once per second (RFC 9110 §6.6.1).
    public var date: [UInt8] {
        get { loop.date }
        set { loop.date = newValue }
    }

    // MARK: - What the owner reads

    /// What requests that begin now are served by.
    public var generation: Generation { corridor.generation }
    public var limits: Limits { loop.limits }
    /// Counters of this loop.
    public var counters: LoopCounters { loop.counters }
    /// Nanoseconds of a monotonic clock, as last told.
    public var now: UInt64 { loop.now }
    /// What input is read into, and what is held may stay in.
    public var pages: InputPages { loop.pages }
    /// Bytes that wait for slow readers.
    public var waitingBytes: Int { loop.room.waiting }
    /// Bytes to read at a time.
    public var readBytesMax: Int { loop.room.readMax }
    /// No new exchange may begin on a connection that has finished one: the daemon is stopping.
    public var isDraining: Bool { loop.isDraining }
    /// When ``advance(to:)`` is needed next.
    public var nextDeadline: UInt64? { loop.timers.nextDeadline() }
    /// Whether some link's wishes have changed since they were last taken.
    public var hasTouched: Bool { !loop.touched.isEmpty || loop.gates.hasOpened }
    /// Whether there is more to do than one turn may: a body to decode or to code, a walk through the cache. The owner
    /// does not wait for facts then.
    public var hasPostponed: Bool { loop.coding.hasPostponed || adminSocket.hasWork }

    // MARK: - Facts

    /// A client's connection was accepted.
    /// - Parameters:
    ///   - address: text of the peer's address; empty for a Unix socket.
    ///   - isHTTP2: whether HTTP/2 may be spoken on it beside HTTP/1.1.
    ///   - credentials: user and groups of the peer of a Unix socket.
    ///   - access: whom the listener serves; nil is everyone, with the bindings.
    public func accepted(
        address: [UInt8], isTLS: Bool, isHTTP2: Bool = true, credentials: PeerCredentials? = nil,
        access: ListenerAccess? = nil
    ) -> Link {
        loop.counters.connections += 1
        loop.metrics.slab.add(at: LoopCells.accepted)
        let client = ClientInfo(
            address: address, isTLS: isTLS, credentials: credentials, access: access,
            standing: generation.table.clientBuckets == nil ? nil : ClientStanding())
        let link = ClientLink(corridor, http2: http2, client: client)
        // With TLS the handshake tells.
        if isHTTP2, !isTLS { link.preface = HTTP2Preface() }
        loop.clients.add(link)
        link.awaitFirstRequest()
        return link
    }

    /// Puts a new configuration in force for every request whose head has not been read yet.
    ///
    /// An upstream that is configured as before keeps its connections; what is in flight ends under the old table.
    public func replace(table: RouteTable, vaults: [String: CredentialVault]) {
        var old = generation.upstreams
        let upstreams = Self.upstreams(of: table, http2Upstream, loop) { settings in
            old.firstIndex { $0.settings == settings }.map { old.remove(at: $0) }
        }
        let before = generation.table.configuration
        corridor.replace(Self.generation(table, upstreams, vaults, loop))
        watching.replaced(before)
        trace(table.configuration.trace)
        inspect(table.configuration.inspect)
        for upstream in old {
            upstream.retire()
            upstream.withdraw()
        }
        publish()
        loop.forgetExtractors()
    }

    /// What is on its way is kept as it was begun, or not at all.
    private func inspect(_ settings: InspectSettings?) {
        guard let ring = corridor.inspections else { return }
        if let recorder = corridor.recorder {
            corridor.inspector = Inspector(recorder.settings, ring, recorder: recorder)
            return
        }
        ring.resize(to: settings?.last ?? 0)
        corridor.inspector = settings.map { Inspector($0, ring) }
    }

    /// What is on its way is handed over as it was begun.
    private func trace(_ settings: TraceSettings) {
        guard settings.isOn, let spanSink else { return corridor.tracer = nil }
        if corridor.tracer?.settings != settings { corridor.tracer = Tracer(settings, deliver: spanSink) }
    }

    /// What has become of a reload; see ``reloader``.
    public func reloadEnded(_ verdict: ReloadVerdict) { adminSocket.reloadEnded(verdict) }

    /// A document that was asked for; see ``documentMaker``.
    public func documentMade(_ number: Int, _ bytes: [UInt8]) { adminSocket.documents.made(number, bytes) }

    /// What has come of a step of a sign-in; see ``signer``.
    public func signInEnded(_ number: Int, _ answer: SignInAnswer) { adminSocket.signInEnded(number, answer) }

    /// A message of another loop; see ``LoopAddress``.
    public func receive(_ message: LoopAddress.Message) { message(loopCache) }

    /// Makes a request of the gateway's own.
    /// - Parameter done: called once on this loop, perhaps before this returns.
    public func send(_ request: OwnRequest, done: @escaping (OwnAnswer) -> Void) { ownRequests.send(request, done) }

    /// Some credential has changed, or cannot be had: whoever waits for one looks at it, and what is shown no more is
    /// let go of.
    public func credentialsChanged() {
        for credential in generation.credentials { credential.reader.refresh() }
        loopCache.fetches.credentialsChanged()
    }

    /// Called on this loop after a word at ``onGateOpened(_:)``.
    public func collectOpened() { loop.gates.collectOpened() }

    /// - Parameter wake: called from any thread; has ``collectOpened()`` called on the gateway's own loop.
    public func onGateOpened(_ wake: @escaping @Sendable () -> Void) { loop.gates.mailbox.onWord(wake) }

    /// Called on this loop after a word at ``onRequestsToTell(_:)``.
    public func tellFollowers() { adminSocket.tellFollowers() }

    /// - Parameter wake: called from any thread; has ``tellFollowers()`` called on the gateway's own loop.
    public func onRequestsToTell(_ wake: @escaping @Sendable () -> Void) { adminSocket.followWake = wake }

    /// The daemon has been told to stop: it is ready no more, though it serves whoever comes until ``drain()``.
    public func announceEnd() { loop.isEnding = true }

    /// Stops taking new requests: idle connections close now, the others after their exchange.
    public func drain() {
        loop.isDraining = true
        loop.isEnding = true
        // The loop that asks may be gone before its answer is there.
        loopCache.drain()
        ownRequests.drain()
        adminSocket.endFollowing()
        watching.drain()
        for link in loop.clients.all { link.drainBegan() }
        for upstream in generation.upstreams { upstream.retire() }
    }

    /// Closes everything at once; the time to drain is over.
    public func abortAll() {
        for link in loop.clients.all { link.abort() }
    }

    /// Moves the clock; fires what is due.
    public func advance(to now: UInt64) {
        loop.now = max(now, loop.now)
        corridor.trim()
        loopCache.sweep()
        loop.timers.advance(to: loop.now) { owner, tag in
            switch TimerTag(rawValue: tag) {
            case .link: unsafeDowncast(owner, to: Link.self).timerFired()
            case .fetch: unsafeDowncast(owner, to: Fetch.self).timerFired()
            case .gate: unsafeDowncast(owner, to: GateTicket.self).timerFired()
            case .healthCheck: unsafeDowncast(owner, to: HealthCheck.self).timerFired()
            case .fixture: unsafeDowncast(owner, to: FixtureLink.self).timerFired()
            case .watch: unsafeDowncast(owner, to: Watched.self).timerFired()
            case .patience: unsafeDowncast(owner, to: Patience.self).timerFired()
            case nil: preconditionFailure("a timer with unknown tag \(tag)")
            }
        }
    }

    // MARK: - The turn

    /// Hands over every link whose wishes have changed since the last call.
    public func takeTouched(_ carryOut: (Link) -> Void) {
        loopCache.endAbandoned()
        if loop.gates.hasOpened { loop.gates.admitOpened(loop.timers) }
        loop.takeTouched(carryOut)
    }

    /// Goes on with everything that was postponed, by one slice each.
    /// - Parameter carryOut: drains the touched links.
    public func resumePostponed(_ carryOut: () -> Void) {
        loop.coding.resumePostponed(carryOut)
        if adminSocket.hasWork {
            adminSocket.resume()
            carryOut()
        }
    }

    /// To be called by the owner when it is done: clients, and what is kept to be used again, keep the loop.
    public func end() {
        watching.drain()
        loop.clients.removeAll()
        corridor.end()
    }
}
