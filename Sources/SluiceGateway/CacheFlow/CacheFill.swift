internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// An answer on its way into the cache, and those who read it as it arrives.
///
/// It has a request of its own and is the fetch's only consumer: so a client that leaves ends nothing for the others,
/// and however many wait, the upstream is asked once. Each reads at its own pace from what is kept; where nothing may
/// be kept, the slowest sets the pace. A failure goes to all at once, and an answer that others must not see is only
/// for who asked first: the rest ask for themselves, together.
final class CacheFill: FetchConsumer {
    let loopCache: LoopCache
    let loop: LoopContext
    let route: Route
    let cache: CacheRoute
    let lookup: CacheLookup
    let control: CacheControl
    let hasAuthorization: Bool
    let startedAt: UInt64
    /// By what others find it; none where nobody else may.
    private(set) var flights: [CacheKey]
    /// Where the answer comes from.
    var source = Source.none
    var state = State.waiting
    var readers: [CacheWalk] = []
    /// What has come of the head.
    var head: StoredHead?
    /// Fields of the answer that are not stored, for the client that asked.
    var unstored = HeaderBlock()
    var variance: StoredResponse.Variance?
    var key: CacheKey
    var length: Int?
    /// The body from `base` on.
    var bytes: [UInt8] = []
    var base = 0
    var storability = Storability.refuse(.incomplete)
    let resource: Epochs.Dependency?
    /// Purges there had been when it began.
    let purgeNumber: UInt64
    /// When it began, for what only the head of its answer names.
    let moment: UInt32
    /// What a purge by another gateway counts up, as it was then.
    let labelDependencies: [Epochs.Dependency]
    /// What the key of a variant is made from.
    var variantBase: CacheKey
    var subscribers: [Subscriber] = []
    /// Those that get other values of the same answer (`CacheFill+Siblings.swift`).
    var siblings: [Sibling] = []
    let serial: UInt64
    /// It is fetched for nobody in particular, so that nobody's leaving ends it.
    var isBackground = true
    private var admission = Admission()
    /// The fetch has been stopped until the slowest reader has caught up.
    private var isFetchPaused = false
    /// Itself while its request is under way: nobody else may be left who keeps it.
    private var keeper: CacheFill?

    enum Source {
        /// Nothing is asked yet, or any more.
        case none
        /// The tiers behind memory; the upstream comes after them.
        case tiers
        /// The upstream, by a request of its own; it may wait for its turn there.
        case upstream(Fetching)
        /// Another loop's fill, by what it is found there.
        case leader(LoopAddress, flight: CacheKey)
        /// Another fill of this loop, whose answer has this one's value in it.
        case lead(CacheFill)
    }

    enum Fetching {
        /// There is no head of an answer yet.
        case waiting
        case answering
    }

    enum State {
        case waiting
        /// The head is known, the body arrives.
        case answering
        /// The head goes out with the slice's validator, once all of it is there.
        case holding
        case ended
    }

    /// - Parameter asked: the request of whoever is the first to want it.
    init(
        _ asked: BoundRequest, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, flight: CacheKey?,
        control: CacheControl, hasAuthorization: Bool, in loopCache: LoopCache
    ) {
        self.loopCache = loopCache
        loop = loopCache.loop
        self.route = route
        self.cache = cache
        self.lookup = lookup
        self.control = control
        self.hasAuthorization = hasAuthorization
        startedAt = loop.now
        flights = flight.map { [$0] } ?? []
        key = lookup.key
        variantBase = lookup.primary
        serial = loopCache.nextSerial()
        purgeNumber = loopCache.store.purges.number
        moment = loopCache.store.epochs.moment
        let tiers = loopCache.shared.tiers
        let label = EntryLabel(cache.source, target: tiers == nil ? [] : LocalTarget.bytes(of: route, for: asked))
        labelDependencies = (tiers?.slots(of: label) ?? []).map { loopCache.store.epochs.current($0) }
        let upstream = asked.generation.upstreams[route.upstream].settings
        resource = loopCache.store.epochs.dependency(on: loopCache.resourceHash(asked.resource(route), upstream))
        // A copy is made where it asks by itself.
        super.init(BoundRequest(asked.generation))
        for flight in flights { loopCache.fills[flight] = self }
    }

    // MARK: - Asking

    /// Asks the upstream what `asked` asks; the tiers behind memory before it, where there are any.
    func begin(_ asked: BoundRequest) {
        keeper = self
        loop.counters.fillsOpen += 1
        request.fill(from: asked)
        request.revalidated = lookup.entry
        source = .tiers
        if let tiers = loopCache.shared.tiers, askTiers(tiers) { return }
        if askTiersNoMore() { askUpstream() }
    }

    /// The upstream is asked, for the siblings too.
    func askUpstream() {
        if let place = route.siblings, !flights.isEmpty { gatherSiblings(place) }
        if state != .ended { enter() }
    }

    private func enter() {
        let upstream = request.generation.upstreams[route.upstream]
        // Rates are told to clients, and there may be none.
        var told = HeaderBlock()
        switch admission.enter(route, upstream, loop, for: self, telling: &told) {
        case .waiting: break
        case .refused(let problem): fail(problem)
        case .open:
            if let problem = loopCache.fetches.begin(for: self, route, upstream) { fail(problem) }
        }
    }

    /// Whether it asks by a request of its own.
    var isAsking: Bool {
        switch source {
        case .tiers, .upstream: true
        case .none, .leader, .lead: false
        }
    }

    var isAskingTiers: Bool {
        if case .tiers = source { true } else { false }
    }

    var isFollowing: Bool {
        if case .leader = source { true } else { false }
    }

    /// The fill whose answer this one's value is a part of, where it asks for nothing itself.
    var lead: CacheFill? {
        if case .lead(let fill) = source { fill } else { nil }
    }

    /// What goes upstream; nil once that is over.
    var askedRequest: BoundRequest? { isAsking ? request : lead?.askedRequest }

    // MARK: - The end

    /// Another key under which those find it who come later.
    func addFlight(_ key: CacheKey) {
        guard !flights.isEmpty, !flights.contains(key), loopCache.fills[key] == nil else { return }
        if let own = loopCache.address, loopCache.shared.claim(key, for: own) != nil { return }
        flights.append(key)
        loopCache.fills[key] = self
    }

    /// Nobody finds it any more.
    func detach() {
        for flight in flights where loopCache.fills[flight] === self {
            loopCache.fills[flight] = nil
            loopCache.giveUp(flight)
        }
        flights = []
        if !subscribers.isEmpty { loopCache.detached[serial] = self }
    }

    func end() {
        state = .ended
        detach()
        loopCache.detached[serial] = nil
        loopCache.followers[serial] = nil
        loopCache.askingTiers[serial] = nil
        cancelFetch()
        source = .none
        if admission.isHolding { admission.leave(request, loop) }
        releaseSiblings()
        letGoOfItself()
    }

    private func letGoOfItself() {
        guard let keeper else { return }
        loop.counters.fillsOpen -= 1
        // Who has called may borrow it still.
        loop.keepForTurn(keeper)
        self.keeper = nil
    }

    /// Another one asks for it, too: what it began itself is dropped.
    func follow(_ lead: CacheFill) {
        source = .lead(lead)
        letGoOfItself()
    }

    // MARK: - The fetch

    override var isUnanswered: Bool {
        if case .upstream(.waiting) = source { true } else { false }
    }

    override func interim(_ head: borrowing ResponseHead) {
        if !isUnanswered { return }
        for reader in readers { reader.reader.interim(head) }
    }

    override func answer(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
        precondition(isUnanswered, "a second answer for one request")
        source = .upstream(.answering)
        takeHead(status: status, reason: reason, fields: fields, framing: framing)
    }

    override func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard case .upstream(.answering) = source else { return }
        take(run, lifetime: lifetime)
        if !isFetchPaused, !hasRoom {
            isFetchPaused = true
            fetch?.pause()
        }
    }

    override func answerBody(moving held: inout Outbox) {
        held.forEachRun { run, isBorrowed in answerBody(run, lifetime: isBorrowed ? .drain : .call) }
        held.removeAll()
    }

    override func answerEnd() {
        guard case .upstream(.answering) = source else { return }
        borrowedFetch = nil
        complete()
    }

    override func answerEnd(trailers: borrowing HeaderBlock) { answerEnd() }

    override func openTunnel(_ fields: borrowing HeaderBlock) {
        preconditionFailure("a tunnel is nothing to be stored")
    }

    override func fail(_ problem: Problem) {
        guard case .upstream(let fetching) = source else { return }
        cancelFetch()
        let problem = EchoMask.applied(to: problem, of: request)
        if fetching == .waiting { keep(problem) }
        release(failing: problem)
    }

    override var hasSiblings: Bool { !siblings.isEmpty }

    override func share(
        _ slices: SharedSlices, of extractor: Extractor, upstream: String, _ response: borrowing ResponseHead
    ) {
        shareValues(slices, of: extractor, upstream: upstream, response)
    }

    /// Reads on, where it had stopped for readers that have room again.
    func relieve() {
        guard isFetchPaused, hasRoom else { return }
        isFetchPaused = false
        fetch?.resume()
    }
}

extension CacheFill: GateWaiter {
    func gateOpened(_ gate: InFlightGate) {
        admission.opened(gate, of: route)
        enter()
    }

    func waitedTooLong(_ gate: InFlightGate) { fail(admission.waitedTooLong(gate)) }
}
