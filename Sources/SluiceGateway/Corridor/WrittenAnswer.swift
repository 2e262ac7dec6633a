internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A value that was written and becomes the stored answer of its resource (`then: {update: …}`).
///
/// It is begun when the upstream has accepted the change, after everything that the change invalidates. Nothing is
/// stored where anything else has touched that answer since the change was sent: the order is unknown then, and the
/// next reader asks the upstream.
struct WrittenAnswer {
    private var draft: EntryDraft
    private let cache: CacheRoute
    private let purgeNumber: UInt64

    /// - Parameter read: a request for the answer.
    fileprivate init?(_ read: BoundRequest, _ route: Route, _ cache: CacheRoute, in loopCache: LoopCache) {
        let lookup = loopCache.lookUp(read, route, cache)
        // The upstream's answers vary (`Vary`): one stored value would be served to all clients.
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

    /// - Parameter value: the validated value, as clients get it.
    mutating func keep(_ value: [UInt8], in loopCache: LoopCache) {
        guard value.count <= loopCache.store.entryBytesMax else { return }
        draft.set(value)
        guard let entry = draft.entry(isSlice: true) else { return }
        if loopCache.keep(entry, cache, since: purgeNumber) { loopCache.tally.stored() }
    }
}

/// The state of the cache when a change was sent.
struct WriteMoment {
    let moment: UInt32
    let purgeNumber: UInt64
}

// `then:` of a binding.
extension Exchange {
    /// Called before the change is sent. A change with the client's own credentials is not noted, and so not stored:
    /// its value may be that client's alone, but a stored answer is for all (RFC 9111 §3.5).
    func noteWriteMoment(_ route: Route) {
        guard route.then?.update != nil, writeMoment == nil, !request.forwardsCredentials(route) else { return }
        let store = loopCache.store
        writeMoment = WriteMoment(moment: store.epochs.moment, purgeNumber: store.purges.number)
    }

    /// Whether the value of a change that the upstream has accepted may become the stored answer: nothing has
    /// invalidated that answer since the change was sent. Called before the change itself invalidates it.
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
            // A fill of that answer that is still running may be from before the change.
            let upstream = read.generation.upstreams[route.upstream].settings
            loopCache.store.epochs.invalidate(loopCache.resourceHash(read.target.bytes, upstream))
            return updates ? WrittenAnswer(read, route, cache, in: loopCache) : nil
        }
        written = answer.flatMap { $0 }
    }

    /// The value is valid, and is sent to the client.
    func keepWritten(_ value: [UInt8]) {
        written?.keep(value, in: loopCache)
        written = nil
    }

    /// Whether nothing has invalidated the answer since the change was sent.
    private func isUntouched(_ read: BoundRequest, _ route: Route, _ cache: CacheRoute) -> Bool {
        guard let writeMoment else { return false }
        let (store, upstream) = (loopCache.store, read.generation.upstreams[route.upstream].settings)
        if store.purges.number != writeMoment.purgeNumber { return false }
        let names = cache.writtenNames.map { loopCache.writtenHash($0) }
        return ([loopCache.resourceHash(read.target.bytes, upstream)] + names).allSatisfy { hash in
            store.epochs.isCurrent(store.epochs.dependency(on: hash, since: writeMoment.moment))
        }
    }

    /// The local target where the written value can be read.
    private func readTarget(_ pieces: [ThenRoute.Piece]) -> [UInt8]? {
        var target: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let text): target += text
            // As the client has written it; the route has checked it.
            case .capture(let position): target += request.path.capture(position)
            }
        }
        return target
    }

    /// Walks an imagined exchange for a target up to the cache: no upstream is asked, and nothing is counted.
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
