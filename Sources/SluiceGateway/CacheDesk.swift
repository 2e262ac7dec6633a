internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What one loop knows of the cache: its way into the shared store, what it is fetching, and what it need not ask for.
final class CacheDesk {
    let shared: SharedCache
    let store: MemoryStore
    let index = LoopIndex()
    let tally = CacheTally()
    /// Under way, by what is asked for.
    var fillings: [CacheKey: Filling] = [:]
    /// Errors that are answered again without asking (`retry-after-error:`).
    private var problems: [CacheKey: (problem: Problem, until: UInt64)] = [:]
    /// Answers that turned out not to be storable: nobody waits for another's.
    private var uncacheable: [CacheKey: UInt64] = [:]

    /// What the tiers have been asked for lately: until then they are not asked again.
    private var asked: [CacheKey: UInt64] = [:]

    /// Errors and marks kept at most: past that, all are forgotten.
    private static let notesMax = 4096
    private static let uncacheableNanoseconds: UInt64 = 10_000_000_000
    private static let askedNanoseconds: UInt64 = 1_000_000_000

    private var serial: UInt64 = 0
    /// Purges that the notes know of.
    private var purgesSeen: UInt64

    init(_ shared: SharedCache) {
        self.shared = shared
        store = shared.store
        purgesSeen = shared.store.purges.number
        shared.add(tally)
    }

    func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }

    func find(_ key: CacheKey) -> StoredResponse? { index.find(key, in: store) }

    func problem(_ key: CacheKey, now: UInt64) -> Problem? {
        if purgesSeen != store.purges.number { forgetNotes() }
        guard let known = problems[key] else { return nil }
        if known.until > now { return known.problem }
        problems[key] = nil
        return nil
    }

    /// Who purges wants the upstream to be asked.
    private func forgetNotes() {
        purgesSeen = store.purges.number
        problems = [:]
        uncacheable = [:]
    }

    /// The answer that is on its way under `flight`, where whoever comes now may have it.
    func filling(_ flight: CacheKey) -> Filling? {
        guard let filling = fillings[flight], filling.takesReaders else { return nil }
        if !filling.isOutdated { return filling }
        // A follower is found by its letters under this key; until it ends, who comes asks alone.
        if filling.leader == nil { filling.land() }
        return nil
    }

    func keep(_ problem: Problem, _ key: CacheKey, until: UInt64) {
        if problems.count >= Self.notesMax { problems = [:] }
        problems[key] = (problem, until)
    }

    func isUncacheable(_ key: CacheKey, now: UInt64) -> Bool {
        guard let until = uncacheable[key] else { return false }
        if until > now { return true }
        uncacheable[key] = nil
        return false
    }

    func markUncacheable(_ key: CacheKey, now: UInt64) {
        if uncacheable.count >= Self.notesMax { uncacheable = [:] }
        uncacheable[key] = now &+ Self.uncacheableNanoseconds
    }

    func mayAskTiers(_ key: CacheKey, now: UInt64) -> Bool {
        guard let until = asked[key] else { return true }
        if until > now { return false }
        asked[key] = nil
        return true
    }

    func markAsked(_ key: CacheKey, now: UInt64) {
        if asked.count >= Self.notesMax { asked = [:] }
        asked[key] = now &+ Self.askedNanoseconds
    }
}
