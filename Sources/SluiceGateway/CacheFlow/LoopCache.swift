internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The cache as one loop has it: its way into the shared store, and what the loop is fetching for it.
public final class LoopCache {
    let loop: LoopContext
    let shared: SharedCache
    let store: MemoryStore
    let fetches: FetchPool
    /// Where other loops reach this one.
    let address: LoopAddress?
    let index = LoopIndex()
    let tally = CacheTally()
    /// The watched values of this loop.
    var watching: (any LoopWatching)?
    /// Under way, by what is asked for.
    var fills: [CacheKey: CacheFill] = [:]
    /// Fills that follow one of another loop, by their number; also those that later requests do not find any more.
    var followers: [UInt64: CacheFill] = [:]
    /// Fills that later requests do not find any more, and that other loops still follow, by their number.
    var detached: [UInt64: CacheFill] = [:]
    /// Those that wait for the tiers, by their number; some of them nobody finds any more.
    var askingTiers: [UInt64: CacheFill] = [:]
    /// Fills without readers. They end between two facts, because a fact may be at work in one.
    private var abandoned: [CacheFill] = []
    /// What the tiers have been asked for lately: until then they are not asked again.
    private var asked = RecentKeys(for: 1_000_000_000)
    /// What other loops could not tell this one, because its mailbox was full.
    private var untold = RecentKeys(for: 1_000_000_000)
    private var serial: UInt64 = 0

    init(_ shared: SharedCache, _ fetches: FetchPool, address: LoopAddress?) {
        self.shared = shared
        self.fetches = fetches
        self.address = address
        loop = fetches.loop
        store = shared.store
        shared.add(tally)
    }

    func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }

    func find(_ key: CacheKey) -> StoredResponse? { index.find(key, in: store) }

    var notes: CacheNotes { shared.notes }

    /// Forgets what was found for this loop's hits and is stored no more.
    func sweep() {
        if index.isUsed { index.sweep(store) }
    }

    // MARK: - Fills

    /// The fill under `flight`, where a request that comes now may read it.
    func fill(_ flight: CacheKey) -> CacheFill? {
        guard let fill = fills[flight] else { return nil }
        if fill.takesReaders, !fill.isOutdated { return fill }
        // Otherwise each later request would be sent here again, until it has ended.
        fill.detach()
        return nil
    }

    func abandon(_ fill: CacheFill) { abandoned.append(fill) }

    func endAbandoned() {
        if abandoned.isEmpty { return }
        let fills = abandoned
        abandoned = []
        for fill in fills { fill.endUnread() }
    }

    /// The loop stops: there will be no answer from fills that follow one of another loop.
    func drain() {
        for fill in Array(followers.values) { fill.releaseAll(isUncacheable: false) }
    }

    // MARK: - Other loops

    /// The loop that asks for this already; nil where this one does now.
    func claim(_ flight: CacheKey, with siblings: [CacheKey] = []) -> LoopAddress? {
        guard let address, !loop.isDraining else { return nil }
        return shared.claim(flight, with: siblings, for: address)
    }

    func giveUp(_ flight: CacheKey) {
        if let address { shared.giveUp(flight, for: address) }
    }

    /// Another loop could not tell this one how its answer gets on: for a while none is followed for it.
    func noteUntold(_ flight: CacheKey) { untold.insert(flight, now: loop.now) }

    func mayFollow(_ flight: CacheKey) -> Bool { !untold.contains(flight, now: loop.now) }

    // MARK: - Tiers

    func mayAskTiers(_ key: CacheKey) -> Bool { !asked.contains(key, now: loop.now) }

    /// Whether a tier could have what memory has not, for a client that wants nothing from the upstream.
    func mayAskTiers(_ lookup: CacheLookup, _ flight: CacheKey, _ control: CacheControl) -> Bool {
        guard let tiers = shared.tiers, address != nil, !loop.isDraining,
            tiers.isWorthAsking(isStale: lookup.entry != nil),
            !control.flags.contains(.noCache), !notes.isUncacheable(flight, now: loop.now)
        else { return false }
        guard let fill = fills[flight] else { return mayAskTiers(flight) }
        if fill.source.isTiers { return true }
        return control.flags.contains(.onlyIfCached) && fill.leavesTiersUnasked && mayAskTiers(flight)
    }

    func noteAsked(_ key: CacheKey) { asked.insert(key, now: loop.now) }

    /// Puts an entry into memory, and into the tiers behind it.
    /// - Parameter purgeNumber: purges there had been when it was asked for.
    /// - Returns: whether it may be kept.
    @discardableResult
    func keep(
        _ entry: StoredResponse, _ cache: CacheRoute, since purgeNumber: UInt64, updating old: StoredResponse? = nil
    ) -> Bool {
        guard store.insert(entry, since: purgeNumber, updating: old) else { return false }
        // What a purge has made stale already is not worth more than this.
        guard let tiers = shared.tiers, !entry.isSoftened else { return true }
        tiers.keep(
            entry, receivedAt: loop.unixTime(entry.responseTime), isPrivate: cache.policy.isPrivate)
        // One that has come in between has not found it there.
        if store.purges.judge(since: purgeNumber, { $0.selects(entry) }) != .untouched {
            tiers.purge(PurgeRequest(.key(entry.key)))
        }
        return true
    }

    /// What is stored of one answer is of no more use. Unlike a purge that is nothing to those on their way.
    func forget(_ key: CacheKey) {
        store.remove(key)
        shared.tiers?.purge(PurgeRequest(.key(key)))
    }

    /// What is stored of a target from before its answers said which queries they are for (`No-Vary-Search`) is found
    /// before the note of that, and is older (RFC 9111 §4).
    func forgetOlder(than place: EntryPlace, at primary: CacheKey) {
        guard place.variance?.search != nil, place.key != primary, find(primary)?.isAnswer == true else { return }
        forget(primary)
    }

    /// Asks them for what a fill looks for.
    /// - Returns: whether an answer is going to come.
    func askTiers(for fill: CacheFill) -> Bool {
        let (terms, lookup) = (fill.terms, fill.terms.lookup)
        guard let tiers = shared.tiers, let address, let flight = fill.tierKey,
            !terms.control.flags.contains(.noCache), tiers.isWorthAsking(isStale: lookup.entry != nil),
            mayAskTiers(flight)
        else { return false }
        let serial = fill.serial
        askingTiers[serial] = fill
        var query = TierQuery(
            [lookup.key], now: loop.now, unixSeconds: loop.unixSeconds, source: terms.cache.source)
        query.isPrivate = terms.cache.policy.isPrivate
        if let entry = lookup.entry {
            query.newerThan = loop.unixTime(entry.responseTime) - entry.initialAge
        } else if lookup.key == lookup.primary, let path = pathKey(of: fill.request, terms.route, terms.cache) {
            query.keys.append(path)
            query.pathKey = path
        }
        let (purgeCount, purgeNumber) = (tiers.purgeCount, store.purges.number)
        tiers.find(query) { [query] entry, place in
            address.post { loopCache in
                // What was read before a purge must not come back after it.
                let store = loopCache.store
                let isUsable = tiers.purgeCount == purgeCount && entry?.isCurrent(store.epochs) == true
                let kept = entry.flatMap { isUsable ? store.offer($0, since: purgeNumber) : nil }
                // Memory may have another one by now, in the same place.
                let entry = kept.flatMap { query.takes($0) ? $0 : nil }
                loopCache.askingTiers[serial]?.tiersAnswered(entry, place)
            }
        }
        return true
    }
}
