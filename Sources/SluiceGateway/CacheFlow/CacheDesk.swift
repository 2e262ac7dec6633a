internal import SluiceCache
internal import SluiceHTTP

/// What one loop knows of the cache: its way into the shared store, and what it is fetching.
final class CacheDesk {
    let shared: SharedCache
    let store: MemoryStore
    let index = LoopIndex()
    let tally = CacheTally()
    /// Under way, by what is asked for.
    var fillings: [CacheKey: Filling] = [:]
    /// Of these, and of those that nobody finds any more, the ones that another loop asks for, by their number.
    var followers: [UInt64: Filling] = [:]
    /// Of those that nobody finds any more, the ones that other loops still wait for, by their number.
    var landed: [UInt64: Filling] = [:]
    /// What the tiers have been asked for lately: until then they are not asked again.
    private var asked: [CacheKey: UInt64] = [:]
    /// Marks kept at most: past that, all are forgotten.
    private static let askedMax = 4096
    private static let askedNanoseconds: UInt64 = 1_000_000_000

    /// Those that wait for the tiers, by their number; some of them nobody finds any more.
    var asking: [UInt64: Filling] = [:]
    private var serial: UInt64 = 0

    init(_ shared: SharedCache) {
        self.shared = shared
        store = shared.store
        shared.add(tally)
    }

    func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }

    func find(_ key: CacheKey) -> StoredResponse? { index.find(key, in: store) }

    var notes: CacheNotes { shared.notes }

    /// The answer that is on its way under `flight`, where whoever comes now may have it.
    func filling(_ flight: CacheKey) -> Filling? {
        guard let filling = fillings[flight] else { return nil }
        if filling.takesReaders, !filling.isOutdated { return filling }
        // Else whoever asks is sent here again and again, until it has ended.
        filling.land()
        return nil
    }

    func mayAskTiers(_ key: CacheKey, now: UInt64) -> Bool {
        guard let until = asked[key] else { return true }
        if until > now { return false }
        asked[key] = nil
        return true
    }

    func markAsked(_ key: CacheKey, now: UInt64) {
        if asked.count >= Self.askedMax { asked = [:] }
        asked[key] = now &+ Self.askedNanoseconds
    }
}
