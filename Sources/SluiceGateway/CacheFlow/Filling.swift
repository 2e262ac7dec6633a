internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// An answer on its way from the upstream into the cache, and those who read it as it arrives.
///
/// It is where an exchange of the cache's own sends its answer (``Exchange/isFill``): so a client that leaves ends
/// nothing for the others, and however many wait, the upstream is asked once. Each reads at its own pace from what is
/// kept; where nothing may be kept, the slowest sets the pace. A failure goes to all at once, and an answer that others
/// must not see is only for who asked first: the rest ask for themselves, together.
final class Filling: AnswerSink {
    let gateway: Gateway
    let route: Route
    let cache: CacheRoute
    let lookup: CacheLookup
    let control: CacheControl
    let hasAuthorization: Bool
    let client: ClientInfo
    let startedAt: UInt64
    /// By what others find it; nil where nobody else may.
    private(set) var flights: [CacheKey]
    var exchange: Exchange?
    var readers: [CacheWalk] = []
    var state = State.waiting
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
    /// The loop that asks, where it is another.
    var leader: LoopAddress?
    /// By what the leader finds it.
    var followed: CacheKey?
    var subscribers: [Subscriber] = []
    /// Those that get other values of the same answer (`Filling+Siblings.swift`).
    var siblings: [Sibling] = []
    /// Whose answer this one's value is a part of, where it asks for nothing itself.
    var lead: Filling?
    let serial: UInt64
    /// It is fetched for nobody in particular, so that nobody's leaving ends it.
    private var isBackground = true
    /// The tiers behind memory are asked; the upstream is not yet.
    var isAskingTiers = false

    enum State {
        case waiting
        /// The head is known, the body arrives.
        case answering
        /// The head goes out with the slice's validator, once all of it is there.
        case holding
        case ended
    }

    init(
        _ client: Exchange, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, flight: CacheKey?,
        control: CacheControl, hasAuthorization: Bool
    ) {
        gateway = client.gateway
        self.route = route
        self.cache = cache
        self.lookup = lookup
        self.control = control
        self.hasAuthorization = hasAuthorization
        self.client = client.sink?.client ?? ClientInfo()
        startedAt = client.gateway.now
        flights = flight.map { [$0] } ?? []
        key = lookup.key
        variantBase = lookup.primary
        serial = gateway.desk.nextSerial()
        let desk = client.gateway.desk
        purgeNumber = desk.store.purges.number
        moment = desk.store.epochs.moment
        let label = EntryLabel(cache.source, target: desk.shared.tiers == nil ? [] : client.localTarget(of: route))
        labelDependencies = (desk.shared.tiers?.slots(of: label) ?? []).map { desk.store.epochs.current($0) }
        let upstream = client.generation.upstreams[route.upstream].settings
        resource = client.gateway.desk.store.epochs.dependency(
            on: client.resourceHash(client.target.bytes, upstream))
        for flight in flights { gateway.desk.fillings[flight] = self }
    }

    /// Asks the upstream what `client` asks; the tiers behind memory before it, where there are any.
    func begin(_ client: Exchange, _ route: Route) {
        let exchange = gateway.takeExchange(for: self)
        self.exchange = exchange
        exchange.filling = self
        exchange.prepareFill(client, route)
        if let tiers = gateway.desk.shared.tiers, askTiers(tiers) { return }
        askTiersNoMore()
        if state != .ended { fetch(exchange) }
    }

    /// The upstream is asked, for the siblings too.
    func fetch(_ exchange: Exchange) {
        if let place = route.siblings, !flights.isEmpty { gatherSiblings(place, exchange) }
        exchange.walk(.enter)
    }

    // MARK: - Readers

    /// Whether somebody who comes now can have the answer.
    var takesReaders: Bool { isCurrent && (state == .waiting || state != .ended && storability == .store) }

    /// Whether nothing has changed that its request did not see: what comes is as good as what one would ask for now.
    private var isCurrent: Bool { resource.map { gateway.desk.store.epochs.isCurrent($0) } ?? true }

    /// A purge has come since it began that means what it will bring: who comes now is to ask anew.
    var isOutdated: Bool {
        gateway.desk.store.purges.judge(since: purgeNumber) { request in
            let target = exchange?.request.target ?? readers.first?.exchange.request.target
            switch request.selection {
            case .target where target == nil: return true
            // Its groups are known with its head.
            case .group where head == nil: return true
            default: break
            }
            return request.selects(
                key, head?.label ?? EntryLabel(cache.source, target: target.map { Array($0) } ?? []))
        } == .gone
    }

    func join(_ walk: CacheWalk) {
        walk.filling = self
        if state == .waiting, readers.isEmpty, exchange == nil { isBackground = false }
        readers.append(walk)
        if state == .answering { sendHead(to: walk) }
    }

    /// A reader's client has left. Without any, nobody waits for the answer: it is given up.
    func leave(_ walk: CacheWalk) {
        readers.removeAll { $0 === walk }
        if leader != nil, readers.isEmpty {
            unsubscribe()
            end()
        } else {
            giveUpIfUnread()
            relieve()
        }
    }

    /// A reader has all that it wants; the answer is worth storing all the same.
    func satisfied(_ walk: CacheWalk) {
        readers.removeAll { $0 === walk }
        isBackground = true
    }

    func giveUpIfUnread() {
        if let lead { return lead.giveUpIfUnread() }
        guard !siblings.contains(where: { $0.filling.isAwaited }) else { return }
        guard readers.isEmpty, subscribers.isEmpty, !isBackground, state != .ended, exchange != nil else { return }
        state = .ended
        storability = .refuse(.incomplete)
        land()
        gateway.abandoned.append(self)
    }

    /// Ends the fetch that nobody waits for: between two facts, because one of its own may be at work.
    func abandon() {
        guard let exchange else { return }
        end()
        exchange.clientLeft()
        gateway.giveBack(exchange)
    }

    /// Another key under which those find it who come later.
    func addFlight(_ key: CacheKey) {
        guard !flights.isEmpty, !flights.contains(key), gateway.desk.fillings[key] == nil else { return }
        if let own = gateway.address, gateway.desk.shared.claim(key, for: own) != nil { return }
        flights.append(key)
        gateway.desk.fillings[key] = self
    }

    /// Nobody finds it any more.
    func land() {
        for flight in flights where gateway.desk.fillings[flight] === self {
            gateway.desk.fillings[flight] = nil
            if let own = gateway.address { gateway.desk.shared.giveUp(flight, for: own) }
        }
        flights = []
        if !subscribers.isEmpty { gateway.desk.landed[serial] = self }
    }

    func end() {
        state = .ended
        land()
        gateway.desk.landed[serial] = nil
        exchange = nil
        lead = nil
        if leader != nil { gateway.desk.followers[serial] = nil }
        if isAskingTiers { gateway.desk.asking[serial] = nil }
        releaseSiblings()
    }

    /// The client of a reader has taken what it was sent.
    func drained(_ walk: CacheWalk) {
        read(walk)
        relieve()
    }

    private func relieve() {
        if let exchange, exchange.isHeld, hasRoom() { exchange.clientDrained() }
    }

    // MARK: - AnswerSink

    func sendInterim(_ head: borrowing ResponseHead) {
        for reader in readers { reader.exchange.interim(head) }
    }

    func openTunnel(_ fields: borrowing HeaderBlock) { preconditionFailure("a tunnel is nothing to be stored") }

    func resumeRequestBody() {}

    func hasRoom() -> Bool {
        if storability == .store { return true }
        let slowest = readers.reduce(count) { min($0, $1.hasHead ? $1.position : count) }
        return count - slowest <= gateway.limits.bufferedBytes
    }

    /// Bytes of the body that have arrived.
    var count: Int { base + bytes.count }

    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        if state == .ended { return }
        let start = count
        if storability == .store, start + run.count > gateway.desk.store.entryBytesMax { outgrow() }
        var isNeeded = storability == .store
        for reader in readers where reader.hasHead {
            if reader.position == start, !reader.exchange.isHeld {
                let end = min(reader.end, start + run.count)
                guard end > start else { continue }
                reader.position = end
                reader.exchange.answerBody(UnsafeRawBufferPointer(rebasing: run[..<(end - start)]), lifetime: lifetime)
            } else {
                isNeeded = true
            }
        }
        if isNeeded { bytes.append(contentsOf: run) } else { base = start + run.count; bytes.removeAll() }
        for reader in readers where reader.hasHead && reader.position < min(count, reader.end) { read(reader) }
        tellBody(run)
        if storability != .store { forget() }
    }

    /// What all have read of an answer that is not stored is not kept.
    private func forget() {
        let slowest = readers.reduce(count) { min($0, $1.hasHead ? $1.position : count) }
        guard slowest - base > 64 << 10 else { return }
        bytes.removeFirst(slowest - base)
        base = slowest
    }

    /// Sends a reader what there is for it.
    func read(_ walk: CacheWalk) {
        let exchange = walk.exchange
        while walk.hasHead, walk.position >= base, walk.position < min(count, walk.end), !exchange.isHeld {
            let end = min(walk.end, count, walk.position + gateway.room.piece)
            let part = (walk.position - base)..<(end - base)
            walk.position = end
            bytes.withUnsafeBytes { exchange.answerBody(UnsafeRawBufferPointer(rebasing: $0[part]), lifetime: .call) }
        }
        let isWhole = state == .ended && walk.position >= count
        if walk.hasHead, isWhole || walk.position >= walk.end, walk.filling != nil {
            readers.removeAll { $0 === walk }
            walk.filling = nil
            exchange.answerEnd()
        }
    }

    /// It has become too large to be stored.
    private func outgrow() {
        storability = .refuse(.tooLarge)
        land()
    }

    func sendEnd() {
        guard let exchange else { return }
        let entry = store()
        let isHolding = state == .holding
        tellEnd(entry)
        end()
        for reader in readers {
            if isHolding, let entry {
                readers.removeAll { $0 === reader }
                note(reader)
                giveOwnFields(to: reader)
                reader.exchange.serve(entry, reader)
            } else {
                read(reader)
            }
        }
        gateway.giveBack(exchange)
    }

    func sendEnd(trailers: borrowing HeaderBlock) { sendEnd() }

    /// The upstream broke off in the middle, or its answer is not of its type after all.
    func abortAnswer() {
        guard let exchange else { return }
        let problem = exchange.problem ?? Problem(.upstreamTruncated, detail: "The answer broke off.")
        release(failing: problem)
        gateway.giveBack(exchange)
    }

    /// No answer came.
    func failed(_ problem: Problem) {
        guard let exchange else { return }
        keep(problem)
        release(failing: problem)
        gateway.giveBack(exchange)
    }

    /// The next who ask hear the same, for a while (`retry-after-error:`).
    func keep(_ problem: Problem) {
        // What a client's own credentials have led to is nobody else's (RFC 9111 §3.5).
        if !cache.policy.isPrivate, exchange?.forwardsCredentials(route) == true { return }
        // Who purges wants the upstream to be asked.
        guard let wait = cache.retryNanoseconds, !isOutdated else { return }
        gateway.desk.notes.keep(problem, lookup.key, until: gateway.now &+ wait)
    }

    func release(failing problem: Problem) {
        tellFailure(problem)
        let siblings = takeSiblings()
        end()
        for sibling in siblings { sibling.filling.leadFailed(problem) }
        let waiting = readers
        readers = []
        for reader in waiting {
            reader.filling = nil
            if !reader.hasHead, reader.exchange.answerStale(reader, cache, for: problem) { continue }
            reader.exchange.fail(problem)
        }
    }
}
