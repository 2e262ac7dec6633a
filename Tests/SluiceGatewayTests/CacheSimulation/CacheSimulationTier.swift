import SluiceCache
import SluiceContract
import Synchronization

@testable import SluiceGateway

/// A tier of a cache simulation: it does one thing after the other, late, reads damaged records, and goes away.
final class CacheSimulationTier: CacheTier {
    let place: TierPlace
    private let epochs: Epochs
    private let state = Mutex(State())
    private static let secret: (UInt64, UInt64) = (5, 6)

    typealias Reply = @Sendable (StoredResponse?) -> Void

    private enum Order {
        case find(TierQuery, Reply)
        case keep(StoredResponse)
        case purge(PurgeRequest)
    }

    private struct Record {
        var bytes: [UInt8]
        var entry: StoredResponse
        var isStale = false
    }

    private struct State {
        var records: [CacheKey: Record] = [:]
        var orders: [Order] = []
        /// Read, and not told yet.
        var replies: [(reply: Reply, entry: StoredResponse?)] = []
        var isAway = false
        var found = 0
    }

    init(_ place: TierPlace, _ epochs: Epochs) {
        (self.place, self.epochs) = (place, epochs)
    }

    var isResting: Bool { state.withLock { $0.isAway } }
    var found: Int { state.withLock { $0.found } }

    func find(_ query: TierQuery, _ reply: @escaping Reply) { state.withLock { $0.orders.append(.find(query, reply)) } }
    func keep(_ entry: StoredResponse, receivedAt: Int) { state.withLock { $0.orders.append(.keep(entry)) } }
    func purge(_ request: PurgeRequest) { state.withLock { $0.orders.append(.purge(request)) } }
    func invalidated(_ slot: UInt32) {}
    func slots(of label: EntryLabel) -> [UInt32] { [] }
    func configure(_ settings: CacheSettings) {}
    func close() {}

    /// Goes away, with or without what it has kept; or comes back. Who waits has no answer, and what it was to keep is
    /// lost. What it was to forget is the first thing that it is told when it is back.
    func vanish(_ isAway: Bool, losing isFlushed: Bool) {
        state.withLock { state in
            state.isAway = isAway
            if isFlushed { state.records = [:] }
            guard isAway else { return }
            state.orders = state.orders.filter { order in
                switch order {
                case .find(_, let reply):
                    state.replies.append((reply, nil))
                    return false
                case .keep: return false
                case .purge: return true
                }
            }
        }
    }

    /// Does what it was told first, if there is anything.
    /// - Parameter damage: which byte of a record is read wrongly.
    func work(damage: Int?) {
        state.withLock { state in
            guard !state.isAway, !state.orders.isEmpty else { return }
            switch state.orders.removeFirst() {
            case .keep(let entry):
                guard entry.isCurrent(epochs) || entry.isDead else { return }
                let bytes = TierRecord.bytes(of: entry, receivedAt: 1_000_000, marks: [], secret: Self.secret)
                state.records[entry.key] = Record(bytes: bytes, entry: entry)
            case .purge(let request):
                for (key, record) in state.records where request.selects(record.entry) {
                    if request.isSoft { state.records[key]?.isStale = true } else { state.records[key] = nil }
                }
            case .find(let query, let reply):
                let records = state.records
                let record = query.keys.compactMap { records[$0] }.first
                let entry = record.flatMap { read($0, query, damage: damage) }
                if entry != nil { state.found += 1 }
                state.replies.append((reply, entry))
            }
        }
    }

    private func read(_ record: Record, _ query: TierQuery, damage: Int?) -> StoredResponse? {
        var bytes = record.bytes
        if let damage { bytes[damage % bytes.count] ^= 0x20 }
        // Its clock is that of the simulation.
        let age = record.entry.age(query.now) - record.entry.initialAge
        if let newest = query.newerThan, query.unixSeconds - record.entry.age(query.now) <= newest { return nil }
        var query = query
        query.unixSeconds = 1_000_000 + age
        return bytes.withUnsafeBytes { raw in
            guard let found = TierRecord(raw, secret: Self.secret), query.keys.contains(found.key) else { return nil }
            return found.response(raw, query, dependencies: record.entry.dependencies, isStale: record.isStale)
        }
    }

    /// Tells who asked first what was found.
    func tell() {
        let first = state.withLock { $0.replies.isEmpty ? nil : $0.replies.removeFirst() }
        first?.reply(first?.entry)
    }

    /// Whether everything is done.
    var isIdle: Bool { state.withLock { ($0.orders.isEmpty || $0.isAway) && $0.replies.isEmpty } }
}
