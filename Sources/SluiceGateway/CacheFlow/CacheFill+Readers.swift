internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The clients of one loop that wait for an answer on its way, or read it as it arrives, in the order in which they
/// came.
struct FillReaders {
    private(set) var walks: [CacheWalk] = []

    var isEmpty: Bool { walks.isEmpty }
    var first: CacheWalk? { walks.first }

    mutating func add(_ walk: CacheWalk) { walks.append(walk) }

    mutating func remove(_ walk: CacheWalk) { walks.removeAll { $0 === walk } }

    /// Hands over all of them.
    mutating func takeAll() -> [CacheWalk] {
        defer { walks = [] }
        return walks
    }

    /// Hands over some of them; the others stay.
    mutating func take(where isTaken: (CacheWalk) -> Bool) -> [CacheWalk] {
        let taken = walks.filter(isTaken)
        if !taken.isEmpty { walks.removeAll { walk in taken.contains { $0 === walk } } }
        return taken
    }

    /// How far the slowest has read of what has arrived.
    func slowest(of count: Int) -> Int { walks.reduce(count) { min($0, $1.hasHead ? $1.position : count) } }
}

/// How readers join a fill and leave it, and what becomes of it when none is left.
extension CacheFill {
    /// Whether a request that comes now may read the answer.
    var takesReaders: Bool {
        terms.isCurrent(loopCache.store, draft.head, askedRequest ?? request)
            && (state == .waiting || state != .ended && draft.isStorable)
    }

    /// A purge since it began selects what it will bring: a request that comes now asks anew.
    var isOutdated: Bool {
        let target = source.isOwn ? request.head.target : readers.first?.reader.request.head.target
        return terms.isOutdated(draft.place.key, draft.head, target: target, loopCache.store)
    }

    /// What a request is to look for that selects another variant than the one on its way.
    func otherKey(for fields: borrowing HeaderBlock) -> CacheKey? { draft.place.otherKey(for: fields) }

    func join(_ walk: CacheWalk) {
        walk.fill = self
        if state == .waiting, readers.isEmpty, !source.isOwn { isBackground = false }
        readers.add(walk)
        if state == .answering { sendHead(to: walk) }
    }

    func sendHead(to walk: CacheWalk) {
        guard let head = draft.head else { return }
        var fields = HeaderBlock()
        head.lines.withUnsafeBytes { StoredHead.read($0, into: &fields) }
        walk.note(draft.storability)
        walk.take(own: unstored)
        guard walk.begin(status: head.status, &fields, age: head.age(loop.now), length: draft.length) else { return }
        if draft.count > 0 || walk.position > 0 { read(walk) }
    }

    /// Sends a reader what there is for it.
    func read(_ walk: CacheWalk) {
        walk.read(draft.bytes, from: draft.base)
        guard walk.fill != nil, walk.isDone(at: draft.count, isWhole: state == .ended) else { return }
        readers.remove(walk)
        walk.fill = nil
        walk.reader.answerEnd()
    }

    /// The client of a reader has taken what it was sent.
    func drained(_ walk: CacheWalk) {
        read(walk)
        relieve()
        tellTaken()
    }

    // MARK: - Readers that leave

    /// A reader's client has left. The fill is given up when no reader is left.
    func leave(_ walk: CacheWalk) {
        readers.remove(walk)
        if source.isLeader, readers.isEmpty {
            unsubscribe()
            end()
        } else {
            giveUpIfUnread()
            relieve()
            tellTaken()
        }
    }

    /// A reader has all that it wants; the answer is worth storing all the same.
    func satisfied(_ walk: CacheWalk) {
        readers.remove(walk)
        isBackground = true
    }

    /// Whether a client may be told to come back later. One that waits holds a connection, and one that was told to
    /// come back none: fills without readers have a limit of their own (`limits.loading`).
    var mayBeLeft: Bool { isLeft || readers.walks.count > 1 || loop.counters.fillsLeft < loop.limits.loading }

    /// Its last reader has been told to come back.
    func noteLeft() {
        guard readers.isEmpty, !isLeft else { return }
        isLeft = true
        loop.counters.fillsLeft += 1
    }

    /// Readers that need another variant consult the cache again: together, and now by its own key.
    func letGoOfOthers() {
        if draft.place.variance == nil { return }
        sendBack(readers.take { draft.place.otherKey(for: $0.reader.request.head.fields) != nil })
    }

    /// The answer is not for these readers: they consult the cache again.
    func sendBack(_ walks: [CacheWalk]) {
        for walk in walks { walk.consultAgain() }
    }

    func giveUpIfUnread() {
        if let lead { return lead.giveUpIfUnread() }
        guard !siblings.isAwaited else { return }
        guard readers.isEmpty, subscribers.isEmpty, !isBackground, state != .ended, source.isOwn else { return }
        state = .ended
        draft.storability = .refuse(.incomplete)
        detach()
        loopCache.abandon(self)
    }

    /// Ends the fetch that nobody waits for.
    func endUnread() {
        guard source.isOwn else { return }
        // A short rest of an answer costs less than another connection.
        if source.isAnswering { fetch?.leaveRest() }
        end()
    }

    /// There will be no answer here: readers consult the cache again, but for those that have sent a head, which fail.
    func releaseAll(isUncacheable: Bool) {
        let waiting = readers.takeAll()
        if isUncacheable, let flight = flights.first { loopCache.notes.markUncacheable(flight, now: loop.now) }
        end()
        letGo(of: waiting)
    }

    /// They have begun with an answer that is not for them, or have yet to.
    func letGo(of walks: [CacheWalk]) {
        for walk in walks { walk.breakOff() }
    }

    // MARK: - The tiers behind memory
    // What they have spares the fetch. They answer by a message, like another loop.

    /// Whether the tiers may have what it waits for, although it does not ask them: another fill may still be asking
    /// them, or the request that it was made for says `no-cache` (RFC 9111 §5.2.1.4).
    var leavesTiersUnasked: Bool {
        switch source {
        case .leader, .lead: true
        case .upstream: terms.control.flags.contains(.noCache)
        case .none, .tiers: false
        }
    }

    /// The tiers have nothing, or whatever they say comes too late: readers that wait for nothing else are told so.
    /// Their connections may begin other requests meanwhile.
    /// - Returns: whether the upstream is to be asked.
    func askTiersNoMore() -> Bool {
        source = .upstream(.waiting)
        loopCache.askingTiers[serial] = nil
        refuseOnlyIfCached()
        forwardHeads()
        return state != .ended && isUnanswered
    }

    /// The tiers have answered.
    func tiersAnswered(_ entry: StoredResponse?, _ place: TierPlace?) {
        guard state != .ended, source.isTiers else { return }
        guard let entry else {
            if askTiersNoMore() { askUpstream() }
            return
        }
        subscribers.tellLast { $0.found(entry, place) }
        found(entry, place)
    }

    /// Clients that want nothing from the upstream have their answer (RFC 9111 §5.2.1.7).
    private func refuseOnlyIfCached() {
        let refused = readers.take { $0.control.flags.contains(.onlyIfCached) }
        if refused.isEmpty { return }
        for walk in refused { walk.refuse() }
        giveUpIfUnread()
    }

    /// A HEAD goes upstream as it is: there is no body to store.
    private func forwardHeads() {
        let heads = readers.take { $0.reader.request.upstreamMethod == .head }
        if heads.isEmpty { return }
        for flight in flights { loopCache.noteAsked(flight) }
        for walk in heads {
            walk.fill = nil
            walk.status.isCollapsed = false
            walk.reader.askUpstream()
        }
        giveUpIfUnread()
    }

    /// Readers that may have the entry get it; the others consult the cache again, and find it in memory.
    private func found(_ entry: StoredResponse, _ place: TierPlace?) {
        func isFor(_ walk: CacheWalk) -> Bool { walk.isAnswered(by: entry, terms, now: loop.now) }
        // An entry that memory has no room for is found here alone. Otherwise readers that consult the cache again must
        // not be sent here again.
        let isFoundHereAlone =
            !readers.isEmpty && readers.walks.allSatisfy(isFor) && loopCache.find(entry.key) == nil
        if !isFoundHereAlone {
            if let tierKey { loopCache.noteAsked(tierKey) }
            for flight in flights { loopCache.noteAsked(flight) }
        }
        end()
        for walk in readers.takeAll() {
            guard isFor(walk) else {
                walk.consultAgain()
                continue
            }
            walk.fill = nil
            loopCache.tally.hit()
            walk.serve(entry, from: place)
        }
    }
}

extension Problem {
    /// The client wants nothing from the upstream (RFC 9111 §5.2.1.7).
    static var notStored: Problem {
        Problem(.notStored, detail: "Nothing is stored that could be answered without the upstream.")
    }
}
