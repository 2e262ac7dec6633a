internal import SluiceCache
public import SluiceContract
public import SluiceHTTP
internal import SluiceHTTP2

/// The gateway as one event loop runs it: sans-IO, confined to that loop. It creates the parts that live on the loop,
/// and passes calls on to them.
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
    ///   - seed: the seed of all random choices (which endpoint, how long a wait before a retry).
    ///   - pageBytes: the most bytes of one read; a long read of data that is passing through may take twice as many.
    ///   - cache: the stored answers, shared with the other loops.
    ///   - address: where the other loops reach this one.
    ///   - metrics: the counters of all loops.
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

    /// The upstreams of a table: new ones, except for those that `find` returns.
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
    /// Finished requests for clients that follow them, shared by all loops; see also ``onRequestsToTell(_:)``.
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
    /// Records all exchanges with upstreams; to be set before any request begins.
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
    /// Called with notices for the operator.
    public var notice: ((GatewayNotice) -> Void)? {
        get { loop.notice }
        set { loop.notice = newValue }
    }
    /// Called when a reload is requested at the admin socket; ``reloadEnded(_:)`` has to report the result, once for
    /// each call and in the same order.
    public var reloader: (() -> Void)? {
        get { adminSocket.reloader }
        set { adminSocket.reloader = newValue }
    }
    /// Called when a document of the daemon is requested at the admin socket; ``documentMade(_:_:)`` has to pass its
    /// number and bytes.
    public var documentMaker: ((DaemonDocument, Int) -> Void)? {
        get { adminSocket.documents.maker }
        set { adminSocket.documents.maker = newValue }
    }
    /// The keeper of the credentials, for the admin socket.
    public var credentialBoard: (any CredentialBoard)? {
        get { adminSocket.credentialBoard }
        set { adminSocket.credentialBoard = newValue }
    }
    /// Called for each request that used a credential, where the audit log is on.
    public var auditLog: ((AuditEntry) -> Void)? {
        get { loop.auditLog }
        set { loop.auditLog = newValue }
    }
    /// Called when a step of a sign-in is requested at the admin socket; ``signInEnded(_:_:)`` has to report the
    /// result, with the same number.
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

    /// The generation that serves requests that begin now.
    public var generation: Generation { corridor.generation }
    public var limits: Limits { loop.limits }
    /// Counters of this loop.
    public var counters: LoopCounters { loop.counters }
    /// Nanoseconds of a monotonic clock, as last passed to ``advance(to:)``.
    public var now: UInt64 { loop.now }
    /// Memory that input is read into, and that data which is kept may stay in.
    public var pages: InputPages { loop.pages }
    /// Bytes that wait for slow readers.
    public var waitingBytes: Int { loop.room.waiting }
    /// The most bytes of one read.
    public var readBytesMax: Int { loop.room.readMax }
    /// Whether the daemon is stopping: no new exchange may begin on a connection that has finished one.
    public var isDraining: Bool { loop.isDraining }
    /// When ``advance(to:)`` is needed next.
    public var nextDeadline: UInt64? { loop.timers.nextDeadline() }
    /// Whether some link needs attention since the last ``takeTouched(_:)``.
    public var hasTouched: Bool { !loop.touched.isEmpty || loop.gates.hasOpened }
    /// Whether work was left for the next turn: a body to decode or to encode, a walk through the cache. The owner must
    /// not wait for events then.
    public var hasPostponed: Bool { loop.coding.hasPostponed || adminSocket.hasWork }

    // MARK: - Facts

    /// A client's connection was accepted.
    /// - Parameters:
    ///   - address: text of the peer's address; empty for a Unix socket.
    ///   - isHTTP2: whether HTTP/2 may be spoken on it beside HTTP/1.1.
    ///   - credentials: user and groups of the peer of a Unix socket.
    ///   - access: whom the listener serves; nil leaves that to the bindings.
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
        // With TLS the handshake decides.
        if isHTTP2, !isTLS { link.preface = HTTP2Preface() }
        loop.clients.add(link)
        link.awaitFirstRequest()
        return link
    }

    /// Puts a new configuration in force for every request whose head has not been read yet.
    ///
    /// An upstream whose settings have not changed keeps its connections; exchanges in flight end under the old table.
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

    /// Sets what is kept of exchanges. Exchanges in flight are kept as they began, or not at all.
    private func inspect(_ settings: InspectSettings?) {
        guard let ring = corridor.inspections else { return }
        if let recorder = corridor.recorder {
            corridor.inspector = Inspector(recorder.settings, ring, recorder: recorder)
            return
        }
        ring.resize(to: settings?.last ?? 0)
        corridor.inspector = settings.map { Inspector($0, ring) }
    }

    /// Sets which requests are traced. Requests in flight are traced as they began.
    private func trace(_ settings: TraceSettings) {
        guard settings.isOn, let spanSink else { return corridor.tracer = nil }
        if corridor.tracer?.settings != settings { corridor.tracer = Tracer(settings, deliver: spanSink) }
    }

    /// Reports the result of a reload; see ``reloader``.
    public func reloadEnded(_ verdict: ReloadVerdict) { adminSocket.reloadEnded(verdict) }

    /// Passes on a document; see ``documentMaker``.
    public func documentMade(_ number: Int, _ bytes: [UInt8]) { adminSocket.documents.made(number, bytes) }

    /// Reports the result of a step of a sign-in; see ``signer``.
    public func signInEnded(_ number: Int, _ answer: SignInAnswer) { adminSocket.signInEnded(number, answer) }

    /// Receives a message of another loop; see ``LoopAddress``.
    public func receive(_ message: LoopAddress.Message) { message(loopCache) }

    /// Sends a request of the gateway's own.
    /// - Parameter done: called once on this loop, perhaps before this returns.
    public func send(_ request: OwnRequest, done: @escaping (OwnAnswer) -> Void) { ownRequests.send(request, done) }

    /// A credential has changed, or cannot be obtained: requests that wait for one look again, and credentials that are
    /// no longer used are released.
    public func credentialsChanged() {
        for credential in generation.credentials { credential.reader.refresh() }
        loopCache.fetches.credentialsChanged()
    }

    /// To be called on this loop after the `wake` of ``onGateOpened(_:)``.
    public func collectOpened() { loop.gates.collectOpened() }

    /// - Parameter wake: called from any thread; has to get ``collectOpened()`` called on this loop.
    public func onGateOpened(_ wake: @escaping @Sendable () -> Void) { loop.gates.mailbox.onWord(wake) }

    /// To be called on this loop after the `wake` of ``onRequestsToTell(_:)``.
    public func tellFollowers() { adminSocket.tellFollowers() }

    /// - Parameter wake: called from any thread; has to get ``tellFollowers()`` called on this loop.
    public func onRequestsToTell(_ wake: @escaping @Sendable () -> Void) { adminSocket.followWake = wake }

    /// Stops taking new requests: idle connections close now, the others after their exchange. Fills that follow one of
    /// another loop go on, because no loop ends while a client of any of them waits.
    public func drain() {
        loop.isDraining = true
        ownRequests.drain()
        adminSocket.endFollowing()
        watching.drain()
        for link in loop.clients.all { link.drainBegan() }
        for upstream in generation.upstreams { upstream.retire() }
    }

    /// Closes everything at once: the time for draining is over.
    public func abortAll() {
        for link in loop.clients.all { link.abort() }
    }

    /// Moves the clock, and fires the timers that are due.
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

    /// Hands over every link that needs attention since the last call.
    public func takeTouched(_ carryOut: (Link) -> Void) {
        loopCache.endAbandoned()
        if loop.gates.hasOpened { loop.gates.admitOpened(loop.timers) }
        loop.takeTouched(carryOut)
    }

    /// Continues all postponed work, one slice each.
    /// - Parameter carryOut: drains the touched links.
    public func resumePostponed(_ carryOut: () -> Void) {
        loop.coding.resumePostponed(carryOut)
        if adminSocket.hasWork {
            adminSocket.resume()
            carryOut()
        }
    }

    /// Called by the owner at the end: clients and pooled objects refer to the loop, and would keep it alive.
    public func end() {
        watching.drain()
        loop.clients.removeAll()
        corridor.end()
    }
}
