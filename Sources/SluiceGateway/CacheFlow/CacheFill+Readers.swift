internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The clients of one loop that wait for a fill's answer, or read it as it arrives, in the order in which they came.
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

    /// Bytes, out of the `count` that have arrived, that the slowest reader has read.
    func slowest(of count: Int) -> Int { walks.reduce(count) { min($0, $1.hasHead ? $1.position : count) } }
}

/// How readers join a fill and leave it, and what becomes of it when none is left.
extension CacheFill {
    /// Whether a request that comes now may read the answer.
    var takesReaders: Bool {
        isCurrent && (state == .waiting || state != .ended && draft.isStorable)
    }

    /// Whether nothing was written since the fill began that its answer may be made of.
    private var isCurrent: Bool {
        // Of what the answer is made, only the loop knows that asks for it.
        if case .leader = source, !terms.isSurelyCurrent(loopCache.store) { return false }
        return terms.isCurrent(loopCache.store, draft.head, askedRequest ?? request)
    }

    /// Whether a purge since the fill began selects its answer: later requests then ask anew.
    var isOutdated: Bool {
        let target = source.isOwn ? request.head.target : readers.first?.reader.request.head.target
        return terms.isOutdated(draft.place.key, draft.head, target: target, loopCache.store)
    }

    /// The key of the variant that a request selects; nil where it is the one that this fill fetches.
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

    /// Sends a reader the bytes that have arrived for it.
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

    /// A reader needs no more of the answer; the fill goes on, to store it.
    func satisfied(_ walk: CacheWalk) {
        readers.remove(walk)
        isBackground = true
    }

    /// Whether a client may be told to come back later. A waiting client holds a connection, one that was told to come
    /// back does not: so fills without readers have a limit of their own (`limits.loading`).
    var mayBeLeft: Bool { isLeft || readers.walks.count > 1 || loop.counters.fillsLeft < loop.limits.loading }

    /// Its last reader has been told to come back.
    func noteLeft() {
        guard readers.isEmpty, !isLeft else { return }
        isLeft = true
        loop.counters.fillsLeft += 1
    }

    /// Readers that need another variant consult the cache again: together, and now by that variant's key.
    func letGoOfOthers() {
        if draft.place.variance == nil { return }
        readers.take { draft.place.otherKey(for: $0.reader.request.head.fields) != nil }.consultAgain()
    }

    func giveUpIfUnread() {
        if let lead { return lead.giveUpIfUnread() }
        guard !siblings.isAwaited else { return }
        // What turns out not to be storable is of no use to later requests.
        let isForStore = isBackground && (state == .waiting || draft.isStorable)
        guard readers.isEmpty, subscribers.isEmpty, !isForStore, state != .ended, source.isOwn else { return }
        state = .ended
        draft.storability = .refuse(.incomplete)
        detach()
        loopCache.abandon(self)
    }

    /// Ends a fetch that has no readers left.
    func endUnread() {
        guard source.isOwn else { return }
        // A short rest of an answer costs less than another connection.
        if source.isAnswering { fetch?.leaveRest() }
        end()
    }

    /// The fill brings no answer: readers consult the cache again, except that those that have sent a head fail.
    func releaseAll(isUncacheable: Bool) {
        let waiting = readers.takeAll()
        if isUncacheable { flights.markUncacheable(in: loopCache) }
        end()
        waiting.breakOff()
    }

    // MARK: - The tiers behind memory
    // An entry found there saves the fetch. The tiers answer by a message, as other loops do.

    /// Whether the tiers may have the answer although this fill does not ask them: another fill may still be asking
    /// them, or the request that it was made for says `no-cache` (RFC 9111 §5.2.1.4).
    var leavesTiersUnasked: Bool {
        switch source {
        case .leader, .lead: true
        case .upstream: terms.control.flags.contains(.noCache)
        case .none, .tiers: false
        }
    }

    /// Stops waiting for the tiers: they have nothing, or would answer too late. Readers that wait for the tiers alone
    /// are refused, or go upstream by themselves. Their connections may begin other requests meanwhile.
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

    /// Refuses the clients that sent `only-if-cached` (RFC 9111 §5.2.1.7).
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
        flights.noteAsked(in: loopCache)
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
        // If memory had no room for the entry, only the tiers have it, and may be asked again. Otherwise they are not
        // asked for a while, so that readers that consult the cache again do not end up here again.
        let isFoundHereAlone =
            !readers.isEmpty && readers.walks.allSatisfy(isFor) && loopCache.find(entry.key) == nil
        if !isFoundHereAlone {
            if let tierKey { loopCache.noteAsked(tierKey) }
            flights.noteAsked(in: loopCache)
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
    /// The request says `only-if-cached`, and no stored answer will do (RFC 9111 §5.2.1.7).
    static var notStored: Problem {
        Problem(.notStored, detail: "Nothing is stored that could be answered without the upstream.")
    }
}
