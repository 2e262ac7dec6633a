internal import SluiceCache
public import SluiceContract
public import SluiceHTTP
internal import SluiceJSON

/// The corridor as one event loop runs it: sans-IO, confined to that loop.
///
/// The owner tells it facts through links (`received`, `failed`, …) and the clock (``advance(to:)``), then drains
/// ``takeTouched(_:)`` and does what the links want. See ``Link``.
public final class Gateway {
    /// What requests that begin now are served by.
    public private(set) var generation: Generation
    /// Counters of this loop, read by the owner.
    public var counters = Counters()
    /// Nanoseconds of a monotonic clock, as last told.
    public private(set) var now: UInt64
    /// `Date` of answers made here; the owner sets it once per second (RFC 9110 §6.6.1).
    public var date: [UInt8] = [] {
        didSet { unixSeconds = date.withUnsafeBytes { HTTPDate.parse($0, now: 0) } ?? unixSeconds }
    }
    /// The same as a number, for what upstreams and clients say of time (RFC 9111 §4.2).
    private(set) var unixSeconds = 0
    /// Unix seconds of a time of ours.
    func unixTime(_ time: UInt64) -> Int { unixSeconds - Int((now &- min(time, now)) / 1_000_000_000) }
    /// Called with one line per finished exchange where the access log is on.
    public var accessLog: ((borrowing AccessEntry) -> Void)?
    /// Called with what an operator should know of.
    public var notice: ((GatewayNotice) -> Void)?
    /// Called where the admin socket is asked for a reload.
    public var reloader: Reloader?
    /// No new exchange may begin on a connection that has finished one: the daemon is stopping.
    public private(set) var isDraining = false

    let desk: CacheDesk
    let address: LoopAddress?
    /// What input is read into, and what is held may stay in.
    public let pages: InputPages
    let timers: TimerWheel
    let coding = CodingRoom()
    var random: RandomSource
    var room: SharedRoom
    /// Bytes that wait for slow readers.
    public var waitingBytes: Int { room.waiting }
    /// Bytes to read at a time.
    public var readBytesMax: Int { room.readMax }
    var touched: [Link] = []
    /// Where other loops leave word that one of our requests may go on.
    public let gateDesk = GateDesk()
    /// Requests that may go on.
    var opened: [GateTicket] = []
    let http1Limits: HTTP1Limits
    let http2: HTTP2Streams
    let http2Upstream: HTTP2UpstreamStreams
    let waits: Waits
    public let limits: Limits
    private var spareExchanges: [Exchange] = []
    private var spareFetches: [Fetch] = []
    private var spareExtractors = SpareExtractors()
    /// Given back, but what they handed out may still be on its way.
    private var restingExtractors: [Extractor] = []
    /// Fetched for the cache, and nobody waits any more.
    var abandoned: [Filling] = []
    /// Under way for the admin socket.
    var adminWorks: [AdminWork] = []
    /// Reloads that the admin socket was asked for and that have no verdict yet.
    var reloads: [AdminWork] = []
    private var keptForTurn: [StoredResponse] = []
    private var clients: [Link?] = []
    private var freeSlots: [Int] = []

    /// - Parameters:
    ///   - vaults: bearer tokens by upstream name, shared with the other loops.
    ///   - now: nanoseconds of the monotonic clock.
    ///   - seed: what chance decides (which endpoint, how long a wait before a retry) follows from it.
    ///   - pageBytes: what one read takes at most, but for a long one of what flows, which may take twice as much.
    ///   - cache: what is stored, shared with the other loops.
    ///   - address: where those reach this one.
    public init(
        table: RouteTable, vaults: [String: TokenVault], now: UInt64, seed: UInt64 = 1,
        pageBytes: Int = InputPages.usualByteCount, cache: SharedCache? = nil, address: LoopAddress? = nil
    ) {
        self.now = now
        self.address = address
        random = RandomSource(seed: seed)
        desk = CacheDesk(cache ?? SharedCache(MemoryStore(table.configuration.cache)))
        pages = InputPages(byteCount: pageBytes)
        limits = table.configuration.limits
        room = SharedRoom(table.configuration.limits)
        http1Limits = HTTP1Limits(table.configuration.limits)
        http2 = HTTP2Streams(limits: HTTP2Limits(table.configuration.limits))
        http2Upstream = HTTP2UpstreamStreams(limits: HTTP2Limits(towardsUpstreams: limits))
        waits = Waits(table.configuration.limits)
        timers = TimerWheel(now: now)
        generation = Generation(
            table: table,
            upstreams: zip(table.configuration.upstreams, table.upstreamMeters).map {
                UpstreamRuntime($0, vault: vaults[$0.name] ?? TokenVault(), meter: $1, now: now)
            })
        for upstream in generation.upstreams { upstream.beginHealthChecks(self) }
    }

    public struct Counters: Sendable {
        public var connections = 0
        public var exchanges = 0
        public var exchangesOpen = 0
        public var fetches = 0
        /// Attempts after the first one, hedges included.
        public var retries = 0
        public var upstreamConnections = 0
        public var problems = 0

        public init() {}
    }

    /// Puts a new configuration in force for every request whose head has not been read yet.
    ///
    /// An upstream that is configured as before keeps its connections; what is in flight ends under the old table.
    public func replace(table: RouteTable, vaults: [String: TokenVault]) {
        var old = generation.upstreams
        let upstreams = zip(table.configuration.upstreams, table.upstreamMeters).map { settings, meter in
            let vault = vaults[settings.name] ?? TokenVault()
            if let index = old.firstIndex(where: { $0.settings == settings && $0.vault === vault }) {
                return old.remove(at: index)
            }
            let upstream = UpstreamRuntime(settings, vault: vault, meter: meter, now: now)
            upstream.beginHealthChecks(self)
            return upstream
        }
        generation = Generation(table: table, upstreams: upstreams)
        for upstream in old { retire(upstream) }
        // What waits to be used again must not keep old tables alive.
        for exchange in spareExchanges { exchange.generation = generation }
        spareExtractors.removeAll()
    }

    private func retire(_ upstream: UpstreamRuntime) {
        upstream.isRetired = true
        for endpoint in upstream.endpoints { endpoint.retire() }
    }

    /// A client's connection was accepted.
    /// - Parameters:
    ///   - address: text of the peer's address; empty for a Unix socket.
    ///   - isHTTP2: whether HTTP/2 may be spoken on it beside HTTP/1.1.
    ///   - credentials: who is at the other end of a Unix socket.
    ///   - grants: whom the listener serves; nil is everyone.
    ///   - admin: who may use it, where the listener is the admin socket.
    public func accepted(
        address: [UInt8], isTLS: Bool, isHTTP2: Bool = true, credentials: PeerCredentials? = nil, grants: Grants? = nil,
        admin: AdminAccess? = nil
    ) -> Link {
        counters.connections += 1
        let client = ClientInfo(
            address: address, isTLS: isTLS, credentials: credentials, listenerGrants: grants, admin: admin,
            standing: generation.table.clientBuckets == nil ? nil : ClientStanding())
        let link = ClientLink(gateway: self, client: client)
        // With TLS the handshake tells.
        if isHTTP2, !isTLS { link.preface = HTTP2Preface() }
        let slot = freeSlots.popLast() ?? clients.count
        if slot == clients.count { clients.append(link) } else { clients[slot] = link }
        link.slot = slot
        link.awaitFirstRequest()
        return link
    }

    /// A connection goes on with another link.
    func replace(_ link: Link, by successor: Link) {
        guard link.slot >= 0 else { return }
        clients[link.slot] = successor
        successor.slot = link.slot
        link.slot = -1
    }

    func forget(_ link: Link) {
        guard link.slot >= 0 else { return }
        clients[link.slot] = nil
        freeSlots.append(link.slot)
        link.slot = -1
        counters.connections -= 1
    }

    /// Stops taking new requests: idle connections close now, the others after their exchange.
    public func drain() {
        isDraining = true
        // The loop that asks may be gone before its answer is there.
        for filling in Array(desk.followers.values) { filling.releaseAll(isUncacheable: false) }
        for case let link? in clients { link.drainBegan() }
        for upstream in generation.upstreams { retire(upstream) }
    }

    /// Closes everything at once; the time to drain is over.
    public func abortAll() {
        for case let link? in clients { link.abort() }
    }

    /// Moves the clock; fires what is due.
    public func advance(to now: UInt64) {
        self.now = max(now, self.now)
        trimSpares()
        if desk.index.isUsed { desk.index.sweep(desk.store) }
        timers.advance(to: self.now) { owner, tag in
            switch TimerTag(rawValue: tag) {
            case .link: unsafeDowncast(owner, to: Link.self).timerFired()
            case .fetch: unsafeDowncast(owner, to: Fetch.self).timerFired()
            case .gate: unsafeDowncast(owner, to: GateTicket.self).timerFired()
            case .healthCheck: unsafeDowncast(owner, to: HealthCheck.self).timerFired()
            case nil: preconditionFailure("a timer with unknown tag \(tag)")
            }
        }
    }

    /// When ``advance(to:)`` is needed next.
    public var nextDeadline: UInt64? { timers.nextDeadline() }

    /// Hands over every link whose wishes have changed since the last call.
    public func takeTouched(_ carryOut: (Link) -> Void) {
        if !abandoned.isEmpty {
            for filling in abandoned { filling.abandon() }
            abandoned.removeAll()
        }
        if !opened.isEmpty { admitOpened() }
        var index = 0
        while index < touched.count {
            // The list keeps the link until it is emptied; what is touched meanwhile is appended.
            Borrowed(touched[index]) { link in
                link.isTouched = false
                if link.fillsOutbox { link.fillOutbox() }
                carryOut(link)
            }
            index += 1
        }
        touched.removeAll(keepingCapacity: true)
        if !keptForTurn.isEmpty { keptForTurn.removeAll(keepingCapacity: true) }
        if !restingExtractors.isEmpty {
            spareExtractors.keep(restingExtractors)
            restingExtractors.removeAll(keepingCapacity: true)
        }
    }

    /// Whether some link's wishes have changed since they were last taken.
    public var hasTouched: Bool { !touched.isEmpty || !opened.isEmpty }

    /// Keeps what links borrow from until they have been drained.
    func keepForTurn(_ entry: StoredResponse) { keptForTurn.append(entry) }

    // MARK: - Objects that are used again

    /// Spare ones that are kept from one turn to the next.
    private static let sparesMax = 256

    /// What was given back lives until the next turn, whatever its number: it may be borrowed still (``Borrowed``).
    private func trimSpares() {
        if spareExchanges.count > Self.sparesMax { spareExchanges.removeLast(spareExchanges.count - Self.sparesMax) }
        if spareFetches.count > Self.sparesMax { spareFetches.removeLast(spareFetches.count - Self.sparesMax) }
    }

    /// To be called by the owner when it is done: clients, and what is kept to be used again, keep the gateway.
    public func end() {
        clients = []
        spareExchanges = []
        spareFetches = []
    }

    func takeExchange(for sink: any AnswerSink) -> Exchange {
        counters.exchangesOpen += 1
        let exchange = spareExchanges.popLast() ?? Exchange(gateway: self)
        exchange.open(sink)
        return exchange
    }

    func giveBack(_ exchange: consuming Exchange) {
        counters.exchangesOpen -= 1
        // A fill that failed has concluded nothing.
        if exchange.admission.isHolding { exchange.leaveGates() }
        exchange.reset()
        if exchange.generation !== generation { exchange.generation = generation }
        spareExchanges.append(exchange)
    }

    func takeExtractor(_ plan: Plan) -> Extractor {
        spareExtractors.take(plan)
    }

    func giveBack(_ extractor: Extractor) {
        restingExtractors.append(extractor)
    }

    /// The fetch is kept until it is given back, which every one is in the end: by itself.
    func takeFetch() -> Borrowed<Fetch> {
        let fetch = spareFetches.popLast() ?? Fetch(gateway: self)
        fetch.isAtWork = true
        return Borrowed(keeping: fetch)
    }

    func giveBack(_ fetch: Fetch) {
        precondition(fetch.isAtWork, "a fetch was given back twice")
        fetch.isAtWork = false
        fetch.reset()
        spareFetches.append(Borrowed(fetch).giveUp())
    }
}
