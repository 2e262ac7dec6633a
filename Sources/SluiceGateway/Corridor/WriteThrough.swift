internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What the change that an exchange carries out means for stored answers (`then:` of its binding): those that it
/// outdates, and the one that its value becomes.
struct WriteThrough {
    /// The state of the cache when the change was sent; nil where its value is not stored.
    private var sent: Moment?
    /// The stored answer that the value becomes, once the upstream has accepted the change.
    private var written: WrittenAnswer?

    private struct Moment {
        let moment: UInt32
        let purgeNumber: UInt64
    }

    mutating func reset() {
        if sent != nil { (sent, written) = (nil, nil) }
    }

    /// Called before the change is sent. A change with the client's own credentials is not noted, and so not stored:
    /// its value may be that client's alone, but a stored answer is for all (RFC 9111 §3.5).
    mutating func begin(_ then: ThenRoute, _ route: Route, _ exchange: Exchange) {
        guard then.update != nil, sent == nil, !exchange.request.forwardsCredentials(route) else { return }
        let store = exchange.loopCache.store
        sent = Moment(moment: store.epochs.moment, purgeNumber: store.purges.number)
    }

    /// The upstream has accepted the change: it invalidates what it may have changed, and from now on its value may
    /// become a stored answer.
    mutating func accepted(
        _ response: borrowing ResponseHead, _ then: ThenRoute, _ route: Route, _ exchange: Exchange
    ) {
        let loopCache = exchange.loopCache
        let target = then.update.map { Self.target($0, exchange.request) }
        // 202 says that the change has not been made yet (RFC 9110 §15.3.3).
        let isMade = [200, 201, 203, 204, 205].contains(response.status)
        // Before the change itself invalidates that answer.
        let updates = isMade && target.map { isUntouched(target: $0, exchange) } ?? false
        loopCache.invalidate(by: response.fields, of: exchange.request, route)
        for name in then.names { loopCache.store.epochs.invalidate(loopCache.writtenHash(name)) }
        guard let target else { return }
        let answer = Self.imagineRead(of: target, exchange) { read, route, cache -> WrittenAnswer? in
            // A fill of that answer that is still running may be from before the change.
            let upstream = read.generation.upstreams[route.upstream].settings
            loopCache.store.epochs.invalidate(loopCache.resourceHash(read.target.bytes, upstream))
            return updates ? WrittenAnswer(read, route, cache, in: loopCache) : nil
        }
        written = answer.flatMap { $0 }
    }

    /// The value is valid, and is sent to the client.
    mutating func keep(_ value: [UInt8], in loopCache: LoopCache) {
        written?.keep(value, in: loopCache)
        written = nil
    }

    /// Whether nothing has invalidated the answer to a local target since the change was sent.
    private func isUntouched(target: [UInt8], _ exchange: Exchange) -> Bool {
        Self.imagineRead(of: target, exchange) { read, route, cache in
            isUntouched(read, route, cache, exchange.loopCache)
        } ?? false
    }

    private func isUntouched(
        _ read: BoundRequest, _ route: Route, _ cache: CacheRoute, _ loopCache: LoopCache
    ) -> Bool {
        guard let sent else { return false }
        let (store, upstream) = (loopCache.store, read.generation.upstreams[route.upstream].settings)
        if store.purges.number != sent.purgeNumber { return false }
        let names = cache.writtenNames.map { loopCache.writtenHash($0) }
        return ([loopCache.resourceHash(read.target.bytes, upstream)] + names).allSatisfy { hash in
            store.epochs.isCurrent(store.epochs.dependency(on: hash, since: sent.moment))
        }
    }

    /// The local target where the written value can be read.
    private static func target(_ pieces: [ThenRoute.Piece], _ request: BoundRequest) -> [UInt8] {
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
    private static func imagineRead<Answer>(
        of target: [UInt8], _ change: Exchange, _ look: (BoundRequest, Route, CacheRoute) -> Answer
    ) -> Answer? {
        let request = change.request
        let exchange = change.corridor.takeExchange(for: UnsentRequest(client: request.client ?? ClientInfo()))
        defer { exchange.giveBack() }
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
