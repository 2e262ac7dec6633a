internal import SluiceCache
internal import SluiceHTTP

/// What one loop knows of the cache: its way into the shared store, and what it is fetching.
final class CacheDesk {
    let shared: SharedCache
    let store: MemoryStore
    let index = LoopIndex()
    /// Under way, by what is asked for.
    var fillings: [CacheKey: Filling] = [:]
    /// Of these, and of those that nobody finds any more, the ones that another loop asks for, by their number.
    var followers: [UInt64: Filling] = [:]
    private var serial: UInt64 = 0

    init(_ shared: SharedCache) {
        self.shared = shared
        store = shared.store
    }

    func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }

    func find(_ key: CacheKey) -> StoredResponse? { index.find(key, in: store) }

    var notes: CacheNotes { shared.notes }
}
