internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The tiers behind the memory store: what they have spares the fetch. They answer by a message, like another loop.
extension CacheFill {
    /// Puts an entry into memory, and into the tiers behind it.
    /// - Returns: whether it may be kept.
    @discardableResult
    func keep(_ entry: StoredResponse, updating old: StoredResponse? = nil) -> Bool {
        guard loopCache.store.insert(entry, since: purgeNumber, updating: old) else { return false }
        // What a purge has made stale already is not worth more than this.
        guard let tiers = loopCache.shared.tiers, !entry.isSoftened else { return true }
        tiers.keep(
            entry, receivedAt: loop.unixTime(entry.responseTime), isPrivate: cache.policy.isPrivate)
        // One that has come in between has not found it there.
        if loopCache.store.purges.judge(since: purgeNumber, { $0.selects(entry) }) != .untouched {
            tiers.purge(PurgeRequest(.key(entry.key)))
        }
        return true
    }

    /// Asks for what is looked for.
    /// - Returns: whether an answer is going to come.
    func askTiers(_ tiers: TierChain) -> Bool {
        guard let own = loopCache.address, let flight = flights.first, !control.flags.contains(.noCache),
            tiers.isWorthAsking(isStale: lookup.entry != nil),
            loopCache.mayAskTiers(flight)
        else { return false }
        loopCache.askingTiers[serial] = self
        var query = TierQuery(
            [lookup.key], now: loop.now, unixSeconds: loop.unixSeconds, source: cache.source)
        query.isPrivate = cache.policy.isPrivate
        if let entry = lookup.entry {
            query.newerThan = loop.unixTime(entry.responseTime) - entry.initialAge
        } else if lookup.key == lookup.primary, let path = loopCache.pathKey(of: request, route, cache) {
            query.keys.append(path)
        }
        let (serial, purgeCount, purgeNumber) = (serial, tiers.purgeCount, loopCache.store.purges.number)
        tiers.find(query) { entry, place in
            own.post { loopCache in
                // What was read before a purge must not come back after it.
                let store = loopCache.store
                let isUsable = tiers.purgeCount == purgeCount && entry?.isCurrent(store.epochs) == true
                let entry = entry.flatMap { isUsable ? store.offer($0, since: purgeNumber) : nil }
                Self.tiersAnswered(loopCache, serial, entry, place)
            }
        }
        return true
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

    private static func tiersAnswered(
        _ loopCache: LoopCache, _ serial: UInt64, _ entry: StoredResponse?, _ place: TierPlace?
    ) {
        guard let fill = loopCache.askingTiers[serial], fill.state != .ended, fill.isAskingTiers
        else { return }
        guard let entry else {
            if fill.askTiersNoMore() { fill.askUpstream() }
            return
        }
        fill.tellFound(entry, place)
        fill.found(entry, place)
    }

    /// Clients that want nothing from the upstream have their answer (RFC 9111 §5.2.1.7).
    func refuseOnlyIfCached() {
        let refused = readers.filter { $0.control.flags.contains(.onlyIfCached) }
        if refused.isEmpty { return }
        readers.removeAll { walk in refused.contains { $0 === walk } }
        for walk in refused {
            walk.fill = nil
            walk.status.detail = "only-if-cached"
            walk.reader.fail(.notStored)
        }
        giveUpIfUnread()
    }

    /// A HEAD goes upstream as it is: there is no body to store.
    private func forwardHeads() {
        let heads = readers.filter { $0.reader.request.upstreamMethod == .head }
        if heads.isEmpty { return }
        for flight in flights { loopCache.noteAsked(flight) }
        readers.removeAll { walk in heads.contains { $0 === walk } }
        for walk in heads {
            walk.fill = nil
            walk.status.isCollapsed = false
            walk.reader.askUpstream()
        }
        giveUpIfUnread()
    }

    /// Whoever may have the entry gets it; the others look again, and find it in memory.
    func found(_ entry: StoredResponse, _ place: TierPlace?) {
        // Whoever looks again must not be sent here again.
        for flight in flights { loopCache.noteAsked(flight) }
        end()
        let waiting = readers
        readers = []
        for walk in waiting {
            walk.fill = nil
            let decision = Reuse.decide(entry.time(loop.now), request: walk.control, serve: cache.serve)
            if entry.variance == nil, decision == .fresh || decision == .stale {
                walk.status = CacheStatus(.hit)
                walk.status.detail = place?.rawValue
                loopCache.tally.hit()
                walk.reader.serve(entry, walk)
            } else {
                walk.reader.consultAgain()
            }
        }
    }
}

extension Problem {
    /// The client wants nothing from the upstream (RFC 9111 §5.2.1.7).
    static var notStored: Problem {
        Problem(.notStored, detail: "Nothing is stored that could be answered without the upstream.")
    }
}
