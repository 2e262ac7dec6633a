internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// A fetch whose answer goes into the cache, and the clients that read it as it arrives.
///
/// It has a request of its own and is the fetch's only consumer: a client that leaves does not end the fetch for the
/// others, and however many wait, the upstream is asked once. Each client reads at its own pace (``CacheWalk``) from
/// what is kept (``EntryDraft``); where nothing may be kept, the slowest sets the pace. A failure goes to all clients
/// at once. An answer that may not be shared goes to the client that asked first, and each of the others asks the
/// upstream itself.
final class CacheFill: CacheConsumer {
    let terms: FillTerms
    let serial: UInt64
    /// The keys by which other requests find this fill; empty where none may join it.
    var flights: FillFlights
    /// The key under which it is noted that the tiers were asked; nil where they are not asked.
    let tierKey: CacheKey?
    /// Where the answer comes from.
    var source = FillSource.none
    var state = State.waiting
    var draft: EntryDraft
    /// Fields of the answer that are not stored, for the client that asked.
    var unstored = HeaderBlock()
    var readers = FillReaders()
    /// Fills of other loops that follow this one.
    var subscribers = FillSubscribers()
    /// Fills for other values of the same upstream answer.
    var siblings = SiblingFills()
    /// It goes on without readers: it is fetched in the background, or for later requests.
    var isBackground = true
    /// Its last client was told to come back later (`serve: loading`): it counts for `limits.loading`.
    var isLeft = false
    /// Its error may be answered to other clients (`retry-after-error:`).
    var isErrorForAll = true
    /// Bytes of the body that its readers have taken, as last told to its leader.
    var toldTaken = 0
    private var admission = Admission()
    private var note = ResourceNote()
    /// Keeps the fill alive while its request runs: perhaps nothing else retains it by then.
    private var keeper: CacheFill?

    enum State {
        case waiting
        /// The head is known, the body arrives.
        case answering
        /// The head waits for the whole slice, because the slice's validator is made from its bytes.
        case holding
        case ended
    }

    /// - Parameters:
    ///   - asked: the request that it is made for.
    ///   - isFound: whether later requests with the same `flight` may join it.
    init(
        _ asked: BoundRequest, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, flight: CacheKey?,
        isFound: Bool = true, control: CacheControl, hasAuthorization: Bool, in loopCache: LoopCache
    ) {
        terms = FillTerms(
            asked, route, cache, lookup, control: control, hasAuthorization: hasAuthorization, in: loopCache)
        draft = EntryDraft(lookup)
        tierKey = flight
        flights = FillFlights(isFound ? flight : nil)
        serial = loopCache.nextSerial()
        // The request is copied once the fill asks for itself.
        super.init(BoundRequest(asked.generation), in: loopCache)
        flights.begin(for: self)
    }

    // MARK: - Asking

    /// Asks the upstream what `asked` asks; the tiers behind memory before it, where there are any.
    func begin(_ asked: BoundRequest) {
        keeper = self
        loop.counters.fillsOpen += 1
        request.fill(from: asked)
        note.begin(terms.route, asked, in: loopCache)
        request.revalidated = terms.lookup.entry
        source = .tiers
        if loopCache.askTiers(for: self) { return }
        if askTiersNoMore() { askUpstream() }
    }

    /// The upstream is asked, for the siblings too.
    func askUpstream() {
        if let place = terms.route.siblings, !flights.isEmpty { SiblingFills.gather(for: self, place) }
        if state != .ended { enter() }
    }

    private func enter() {
        let upstream = request.generation.upstreams[terms.route.upstream]
        // Rate fields are meant for clients, and a fill may have none: they are dropped.
        var told = HeaderBlock()
        switch admission.enter(terms.route, upstream, loop, for: self, telling: &told) {
        case .waiting: break
        case .refused(let problem): fail(problem, isKept: false)
        case .open:
            if let problem = loopCache.fetches.begin(for: self, terms.route, upstream) { fail(problem) }
        }
    }

    /// The fill whose answer contains this one's value; nil where this fill asks for itself.
    var lead: CacheFill? {
        if case .lead(let fill) = source { fill } else { nil }
    }

    /// The request that goes upstream; nil once it has ended.
    var askedRequest: BoundRequest? { source.isOwn ? request : lead?.askedRequest }

    // MARK: - The end

    /// Later requests do not find it any more.
    func detach() {
        flights.end(for: self)
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
        siblings.take().letGo()
        letGoOfItself()
    }

    private func letGoOfItself() {
        if isLeft {
            isLeft = false
            loop.counters.fillsLeft -= 1
        }
        note.forget(in: loopCache)
        guard let keeper else { return }
        loop.counters.fillsOpen -= 1
        // The caller may still borrow the fill.
        loop.keepForTurn(keeper)
        self.keeper = nil
    }

    /// Takes its value from the answer of `lead`, and drops what it began itself.
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
        // Its fields may be for the one client that caused the request.
        for walk in readers.walks where !walk.status.isCollapsed { walk.reader.interim(head) }
    }

    override func join(_ response: borrowing ResponseHead) { take(another: response) }

    override func answer(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
        precondition(isUnanswered, "a second answer for one request")
        source = .upstream(.answering)
        note.answered(status, in: loopCache)
        takeHead(status: status, reason: reason, fields: fields, framing: framing)
    }

    override func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard source.isAnswering else { return }
        take(run, lifetime: lifetime)
        if case .upstream(.answering) = source, !hasRoom {
            source = .upstream(.paused)
            fetch?.pause()
        }
    }

    override func answerBody(moving held: inout Outbox) {
        held.forEachRun { run, isBorrowed in answerBody(run, lifetime: isBorrowed ? .drain : .call) }
        held.removeAll()
    }

    override func answerEnd() {
        guard source.isAnswering else { return }
        borrowedFetch = nil
        note.end(nil, in: loopCache)
        complete()
    }

    override func answerEnd(trailers: borrowing HeaderBlock) { answerEnd() }

    override func openTunnel(_ fields: borrowing HeaderBlock) {
        preconditionFailure("a tunnel is nothing to be stored")
    }

    override func fail(_ problem: Problem) { fail(problem, isKept: true) }

    /// - Parameter isKept: whether it is the upstream's error, so that later requests may get it for a while.
    private func fail(_ problem: Problem, isKept: Bool) {
        guard case .upstream(let fetching) = source else { return }
        cancelFetch()
        let problem = EchoMask.applied(to: problem, of: request)
        note.end(problem, in: loopCache)
        if fetching == .waiting, isKept { keep(problem) }
        release(failing: problem)
    }

    override var hasSiblings: Bool { !siblings.isEmpty }

    override func share(
        _ slices: SharedSlices, of extractor: Extractor, upstream: String, _ response: borrowing ResponseHead
    ) {
        siblings.note(isErrorForAll: isErrorForOthers)
        siblings.take().share(slices, of: extractor, upstream: upstream, response)
    }

    override var unsentBytes: Int? { bytesBehind }

    override func letGoOfLaggards() -> Bool { cutLaggards() }
}

extension CacheFill: GateWaiter {
    func gateOpened(_ gate: InFlightGate) {
        admission.opened(gate, of: terms.route)
        enter()
    }

    func waitedTooLong(_ gate: InFlightGate) { fail(admission.waitedTooLong(gate), isKept: false) }
}

/// Where the answer of a fill comes from.
enum FillSource {
    /// Nothing is asked yet, or any more.
    case none
    /// The tiers behind memory; the upstream comes after them.
    case tiers
    /// The upstream, by a request of its own; it may wait for its turn there.
    case upstream(Fetching)
    /// Another loop's fill, and the key by which it is found there.
    case leader(LoopAddress, flight: CacheKey)
    /// Another fill of this loop, whose answer contains this one's value.
    case lead(CacheFill)

    enum Fetching {
        /// The head of the answer has not arrived yet.
        case waiting
        case answering
        /// The fetch has been stopped until the slowest reader has caught up.
        case paused
    }

    /// Whether the fill asks by a request of its own.
    var isOwn: Bool {
        switch self {
        case .tiers, .upstream: true
        case .none, .leader, .lead: false
        }
    }

    /// Whether the head of the upstream's answer has arrived.
    var isAnswering: Bool {
        switch self {
        case .upstream(.answering), .upstream(.paused): true
        case .none, .tiers, .upstream(.waiting), .leader, .lead: false
        }
    }

    var isTiers: Bool {
        if case .tiers = self { true } else { false }
    }

    var isLeader: Bool {
        if case .leader = self { true } else { false }
    }
}
