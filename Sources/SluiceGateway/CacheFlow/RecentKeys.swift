internal import SluiceCache

/// Keys that were noted lately; each is remembered for the same time.
struct RecentKeys {
    private var until: [CacheKey: UInt64] = [:]
    private let nanoseconds: UInt64
    /// Keys known at most: past that, all are forgotten.
    private static let most = 4096

    init(for nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    mutating func insert(_ key: CacheKey, now: UInt64) {
        if until.count >= Self.most { until = [:] }
        until[key] = now &+ nanoseconds
    }

    /// Whether it has been inserted within the time.
    mutating func contains(_ key: CacheKey, now: UInt64) -> Bool {
        guard let end = until[key] else { return false }
        if end > now { return true }
        until[key] = nil
        return false
    }
}
