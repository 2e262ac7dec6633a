internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A value on its way into the place of a stored answer: what was written becomes what is read (`then: {update: …}`).
///
/// It is begun when the upstream has accepted the change, behind all that the change makes useless. Nothing is made of
/// it where anything else has touched that answer since the change was sent: then nobody knows which came last, and the
/// next reader asks the upstream.
struct WrittenAnswer {
    private var draft: EntryDraft
    private let cache: CacheRoute
    private let purgeNumber: UInt64

    /// - Parameter read: a request for the answer.
    fileprivate init?(_ read: BoundRequest, _ route: Route, _ cache: CacheRoute, in loopCache: LoopCache) {
        let lookup = loopCache.lookUp(read, route, cache)
        // The upstream has said that its answers vary: this would be the answer for all.
        guard lookup.key == lookup.primary else { return nil }
        let terms = FillTerms(
            read, route, cache, lookup, control: CacheControl(), hasAuthorization: false, in: loopCache)
        var fields = HeaderBlock()
        fields.append(.contentType, "application/json")
        loopCache.loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        var unstored = HeaderBlock()
        let (storability, head) = terms.judge(status: 200, fields, to: read, in: loopCache, unstored: &unstored)
        guard storability == .store else { return nil }
        draft = EntryDraft(CacheLookup(primary: lookup.primary, key: lookup.primary, entry: nil))
        draft.storability = storability
        draft.head = head
        self.cache = cache
        purgeNumber = terms.purgeNumber
    }

    /// - Parameter value: proven, as clients get it.
    mutating func keep(_ value: [UInt8], in loopCache: LoopCache) {
        guard value.count <= loopCache.store.entryBytesMax else { return }
        draft.set(value)
        guard let entry = draft.entry(isSlice: true) else { return }
        if loopCache.keep(entry, cache, since: purgeNumber) { loopCache.tally.stored() }
    }
}

/// How things stood when a change was sent.
struct WriteMoment {
    let moment: UInt32
    let purgeNumber: UInt64
}

// `then:` of a binding.
extension Exchange {
    /// The change is about to be sent. What a client writes with credentials of its own is read with them, and what is
    /// stored is for all (RFC 9111 §3.5): nothing is noted then, so that nothing is put in place.
    func noteWriteMoment(_ route: Route) {
        guard route.then?.update != nil, writeMoment == nil, !request.forwardsCredentials(route) else { return }
        let store = loopCache.store
        writeMoment = WriteMoment(moment: store.epochs.moment, purgeNumber: store.purges.number)
    }

    /// Whether the value of a change that the upstream has accepted may become the stored answer: nothing has been said
    /// of that one since the change was sent. To be asked before the change itself has said something.
    func mayUpdate(_ then: ThenRoute) -> Bool {
        guard let target = then.update.flatMap({ readTarget($0) }) else { return false }
        return imagineRead(of: target) { read, route, cache in isUntouched(read, route, cache) } ?? false
    }

    /// The upstream has accepted the change.
    /// - Parameter updates: whether its value becomes a stored answer.
    func carryOut(_ then: ThenRoute, updates: Bool) {
        for name in then.names { loopCache.store.epochs.invalidate(loopCache.writtenHash(name)) }
        guard let target = then.update.flatMap({ readTarget($0) }) else { return }
        let answer = imagineRead(of: target) { read, route, cache -> WrittenAnswer? in
            // What is on its way there may be from before the change.
            let upstream = read.generation.upstreams[route.upstream].settings
            loopCache.store.epochs.invalidate(loopCache.resourceHash(read.target.bytes, upstream))
            return updates ? WrittenAnswer(read, route, cache, in: loopCache) : nil
        }
        written = answer.flatMap { $0 }
    }

    /// The value has been proven, and goes to the client.
    func keepWritten(_ value: [UInt8]) {
        written?.keep(value, in: loopCache)
        written = nil
    }

    /// Whether nothing has been said of the answer since the change was sent.
    private func isUntouched(_ read: BoundRequest, _ route: Route, _ cache: CacheRoute) -> Bool {
        guard let writeMoment else { return false }
        let (store, upstream) = (loopCache.store, read.generation.upstreams[route.upstream].settings)
        if store.purges.number != writeMoment.purgeNumber { return false }
        let names = cache.writtenNames.map { loopCache.writtenHash($0) }
        return ([loopCache.resourceHash(read.target.bytes, upstream)] + names).allSatisfy { hash in
            store.epochs.isCurrent(store.epochs.dependency(on: hash, since: writeMoment.moment))
        }
    }

    /// The local target that the written value is read at.
    private func readTarget(_ pieces: [ThenRoute.Piece]) -> [UInt8]? {
        var target: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let text): target += text
            // As the client has written it, which the route has checked.
            case .capture(let position): target += request.path.capture(position)
            }
        }
        return target
    }

    /// Walks an exchange for a target to where the cache is consulted, and back: nobody is asked, nothing is counted.
    private func imagineRead<Answer>(
        of target: [UInt8], _ look: (BoundRequest, Route, CacheRoute) -> Answer
    ) -> Answer? {
        let exchange = corridor.takeExchange(for: UnsentRequest(client: request.client ?? ClientInfo()))
        defer { corridor.giveBack(exchange) }
        let read = exchange.request
        if read.generation !== request.generation { read.generation = request.generation }
        read.body.isComplete = true
        if !request.head.authority.isEmpty { _ = read.head.set(authority: request.head.authority) }
        Array("GET".utf8).withUnsafeBytes { read.head.set(method: $0) }
        if target.withUnsafeBytes({ read.head.set(target: $0) }) != nil { return nil }
        let omitted: [Step] = [.authorise, .admit, .watch, .enter, .checkBody]
        let reached = exchange.walk(.match, to: .consultCache, without: omitted)
        guard reached == .consultCache, let route = exchange.route, let cache = route.cache else { return nil }
        return look(read, route, cache)
    }
}
