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
    /// Fills in progress, by flight.
    var fills: [CacheKey: CacheFill] = [:]
    /// Fills that follow one of another loop, by their number; also those that later requests do not find any more.
    var followers: [UInt64: CacheFill] = [:]
    /// Fills that later requests do not find any more, and that other loops still follow, by their number.
    var detached: [UInt64: CacheFill] = [:]
    /// Fills that wait for the tiers, by their number; also those that later requests do not find any more.
    var askingTiers: [UInt64: CacheFill] = [:]
    /// Fills without readers. They end between two facts, because a fact may be at work in one.
    private var abandoned: [CacheFill] = []
    /// Keys that the tiers were asked for lately, and are not asked for again yet.
    private var asked = RecentKeys(for: 1_000_000_000)
    /// Keys of fills whose progress other loops could not tell this one, because its mailbox was full.
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

    /// Drops entries from this loop's index that are no longer stored.
    func sweep() {
        if index.isUsed { index.sweep(store) }
    }

    // MARK: - Fills

    /// The fill under `flight`, where a request that comes now may read it.
    func fill(_ flight: CacheKey) -> CacheFill? {
        guard let fill = fills[flight] else { return nil }
        if fill.takesReaders, !fill.isOutdated { return fill }
        // Otherwise each later request would find this fill again, until it has ended.
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

    // MARK: - Other loops

    /// The loop that is already fetching this; nil where this loop has claimed it now.
    func claim(_ flight: CacheKey, with siblings: [CacheKey] = []) -> LoopAddress? {
        guard let address, !loop.isDraining else { return nil }
        return shared.claim(flight, with: siblings, for: address)
    }

    func giveUp(_ flight: CacheKey) {
        if let address { shared.giveUp(flight, for: address) }
    }

    /// Another loop could not tell this one of a fill's progress: for a while this loop follows none for that key.
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
    /// - Parameter purgeNumber: number of purges when the entry was asked for.
    /// - Returns: whether it may be kept.
    @discardableResult
    func keep(
        _ entry: StoredResponse, _ cache: CacheRoute, since purgeNumber: UInt64, updating old: StoredResponse? = nil
    ) -> Bool {
        guard store.insert(entry, since: purgeNumber, updating: old) else { return false }
        // An entry that a purge has already made stale is kept in memory alone.
        guard let tiers = shared.tiers, !entry.isSoftened else { return true }
        tiers.keep(
            entry, receivedAt: loop.unixTime(entry.responseTime), isPrivate: cache.policy.isPrivate)
        // A purge that came in between did not find the entry in the tiers yet.
        if store.purges.judge(since: purgeNumber, { $0.selects(entry) }) != .untouched {
            tiers.purge(PurgeRequest(.key(entry.key)))
        }
        return true
    }

    /// Removes one stored answer. Unlike a purge, this does not affect fills in progress.
    func forget(_ key: CacheKey) {
        store.remove(key)
        shared.tiers?.purge(PurgeRequest(.key(key)))
    }

    /// Removes an answer stored under the target itself, from before its answers had `No-Vary-Search`: it would be
    /// found before the marker, and is older (RFC 9111 §4).
    func forgetOlder(than place: EntryPlace, at primary: CacheKey) {
        guard place.variance?.search != nil, place.key != primary, find(primary)?.isAnswer == true else { return }
        forget(primary)
    }

    /// Asks the tiers for the entry that a fill looks for.
    /// - Returns: whether the tiers will answer.
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
                // An entry that was read before a purge must not come back after it.
                let store = loopCache.store
                let isUsable = tiers.purgeCount == purgeCount && entry?.isCurrent(store.epochs) == true
                let kept = entry.flatMap { isUsable ? store.offer($0, since: purgeNumber) : nil }
                // Memory may have another entry under the same key by now.
                let entry = kept.flatMap { query.takes($0) ? $0 : nil }
                loopCache.askingTiers[serial]?.tiersAnswered(entry, place)
            }
        }
        return true
    }
}
