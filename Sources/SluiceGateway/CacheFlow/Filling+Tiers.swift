internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The tiers behind the memory store: what they have spares the fetch. They answer by letter, like another loop.
extension Filling {
    /// Puts an entry into memory, and into the tiers behind it.
    /// - Returns: whether it may be kept.
    @discardableResult
    func keep(_ entry: StoredResponse, updating old: StoredResponse? = nil) -> Bool {
        guard gateway.desk.store.insert(entry, since: purgeNumber, updating: old) else { return false }
        // What a purge has made stale already is not worth more than this.
        guard let tiers = gateway.desk.shared.tiers, !entry.isSoftened else { return true }
        tiers.keep(
            entry, receivedAt: gateway.unixTime(entry.responseTime), isPrivate: cache.policy.isPrivate)
        // One that has come in between has not found it there.
        if gateway.desk.store.purges.judge(since: purgeNumber, { $0.selects(entry) }) != .untouched {
            tiers.purge(PurgeRequest(.key(entry.key)))
        }
        return true
    }

    /// Asks for what is looked for.
    /// - Returns: whether an answer is going to come.
    func askTiers(_ tiers: TierChain) -> Bool {
        guard let own = gateway.address, let flight = flights.first, !control.flags.contains(.noCache),
            tiers.isWorthAsking(isStale: lookup.entry != nil),
            gateway.desk.mayAskTiers(flight, now: gateway.now)
        else { return false }
        isAskingTiers = true
        gateway.desk.asking[serial] = self
        var query = TierQuery(
            [lookup.key], now: gateway.now, unixSeconds: gateway.unixSeconds, source: cache.source)
        query.isPrivate = cache.policy.isPrivate
        if let entry = lookup.entry {
            query.newerThan = gateway.unixTime(entry.responseTime) - entry.initialAge
        } else if lookup.key == lookup.primary, let exchange, let route = exchange.route,
            let path = exchange.pathKey(route, cache)
        {
            query.keys.append(path)
        }
        let (serial, purgeCount, purgeNumber) = (serial, tiers.purgeCount, gateway.desk.store.purges.number)
        tiers.find(query) { entry, place in
            own.post { gateway in
                // What was read before a purge must not come back after it.
                let store = gateway.desk.store
                let isUsable = tiers.purgeCount == purgeCount && entry?.isCurrent(store.epochs) == true
                let entry = entry.flatMap { isUsable ? store.offer($0, since: purgeNumber) : nil }
                Self.tiersAnswered(gateway, serial, entry, place)
            }
        }
        return true
    }

    /// The tiers have nothing, or whatever they say comes too late: who waits for nothing else is told so.
    func askTiersNoMore() {
        isAskingTiers = false
        gateway.desk.asking[serial] = nil
        refuseOnlyIfCached()
        forwardHeads()
    }

    private static func tiersAnswered(
        _ gateway: Gateway, _ serial: UInt64, _ entry: StoredResponse?, _ place: TierPlace?
    ) {
        guard let filling = gateway.desk.asking[serial], filling.state != .ended, let exchange = filling.exchange
        else { return }
        guard let entry else {
            filling.askTiersNoMore()
            if filling.state != .ended { filling.fetch(exchange) }
            return
        }
        filling.isAskingTiers = false
        gateway.desk.asking[serial] = nil
        filling.tellFound(entry, place)
        filling.found(entry, place)
        gateway.giveBack(exchange)
    }

    /// Clients that want nothing from the upstream have their answer (RFC 9111 §5.2.1.7).
    func refuseOnlyIfCached() {
        let refused = readers.filter { $0.request.flags.contains(.onlyIfCached) }
        if refused.isEmpty { return }
        readers.removeAll { reader in refused.contains { $0 === reader } }
        for reader in refused {
            reader.filling = nil
            reader.status.detail = "only-if-cached"
            reader.exchange.fail(.notStored)
        }
        giveUpIfUnread()
    }

    /// A HEAD goes upstream as it is: there is no body to store.
    private func forwardHeads() {
        let heads = readers.filter { $0.exchange.upstreamMethod == .head }
        if heads.isEmpty { return }
        for flight in flights { gateway.desk.markAsked(flight, now: gateway.now) }
        readers.removeAll { reader in heads.contains { $0 === reader } }
        for reader in heads {
            reader.filling = nil
            reader.status.isCollapsed = false
            reader.exchange.walk(.fetch)
        }
        giveUpIfUnread()
    }

    /// Whoever may have the entry gets it; the others look again, and find it in memory.
    func found(_ entry: StoredResponse, _ place: TierPlace?) {
        // Whoever looks again must not be sent here again.
        for flight in flights { gateway.desk.markAsked(flight, now: gateway.now) }
        end()
        let waiting = readers
        readers = []
        for reader in waiting {
            reader.filling = nil
            let decision = Reuse.decide(entry.time(gateway.now), request: reader.request, serve: cache.serve)
            if entry.variance == nil, decision == .fresh || decision == .stale {
                reader.status = CacheStatus(.hit)
                reader.status.detail = place?.rawValue
                gateway.desk.tally.hit()
                reader.exchange.serve(entry, reader)
            } else {
                reader.exchange.walk(.consultCache)
            }
        }
    }
}

extension Exchange {
    /// Where the answers to all queries of this path say what they have in common (`No-Vary-Search`).
    func pathKey(_ route: Route, _ cache: CacheRoute) -> CacheKey? {
        guard cache.keyParameters == nil, let question = target.bytes.firstIndex(of: UInt8(ascii: "?")) else {
            return nil
        }
        return cacheKey(route, cache, target: UnsafeRawBufferPointer(rebasing: target.bytes[..<question]))
    }

    /// Whether a tier could have what memory has not, for a client that wants nothing from the upstream.
    func mayAskTiers(_ lookup: CacheLookup, _ flight: CacheKey, _ control: CacheControl) -> Bool {
        guard let tiers = gateway.desk.shared.tiers, gateway.address != nil, !gateway.isDraining,
            tiers.isWorthAsking(isStale: lookup.entry != nil),
            !control.flags.contains(.noCache), !gateway.desk.notes.isUncacheable(flight, now: gateway.now)
        else { return false }
        if let filling = gateway.desk.fillings[flight] { return filling.isAskingTiers }
        return gateway.desk.mayAskTiers(flight, now: gateway.now)
    }
}

extension Problem {
    /// The client wants nothing from the upstream (RFC 9111 §5.2.1.7).
    static var notStored: Problem {
        Problem(.notStored, detail: "Nothing is stored that could be answered without the upstream.")
    }
}
