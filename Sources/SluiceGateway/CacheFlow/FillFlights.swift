internal import SluiceCache

/// The keys by which later requests find a fill, on its own loop and, where its loop has claimed them, on others.
struct FillFlights {
    private var keys: [CacheKey]

    /// - Parameter key: nil where no other request may join the fill.
    init(_ key: CacheKey?) {
        keys = key.map { [$0] } ?? []
    }

    var isEmpty: Bool { keys.isEmpty }

    /// From now on requests find the fill.
    func begin(for fill: CacheFill) {
        for key in keys { fill.loopCache.fills[key] = fill }
    }

    /// Adds another key, unless a fill has it already, on this loop or another.
    mutating func add(_ key: CacheKey, for fill: CacheFill) {
        let loopCache = fill.loopCache
        guard !keys.isEmpty, !keys.contains(key), loopCache.fills[key] == nil else { return }
        if let own = loopCache.address, loopCache.shared.claim(key, for: own) != nil { return }
        keys.append(key)
        loopCache.fills[key] = fill
    }

    /// From now on requests do not find the fill any more.
    mutating func end(for fill: CacheFill) {
        let loopCache = fill.loopCache
        for key in keys where loopCache.fills[key] === fill {
            loopCache.fills[key] = nil
            loopCache.giveUp(key)
        }
        keys = []
    }

    /// For a while, requests with these keys wait for no other's answer.
    func markUncacheable(in loopCache: LoopCache) {
        for key in keys { loopCache.notes.markUncacheable(key, now: loopCache.loop.now) }
    }

    /// For a while, the tiers are not asked for these keys.
    func noteAsked(in loopCache: LoopCache) {
        for key in keys { loopCache.noteAsked(key) }
    }
}
