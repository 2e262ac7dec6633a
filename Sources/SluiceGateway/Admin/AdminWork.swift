internal import SluiceCache
internal import SluiceContract
internal import SluiceJSON

/// What takes the admin socket more than one turn of the loop. A walk through the store goes one step in each turn,
/// under the lock of one shard and for a few hundred entries, so that a million of them keep nobody waiting.
final class AdminWork {
    private let gateway: Gateway
    /// Who asked; nil once its client has left. A purge is carried out to its end all the same.
    var exchange: Exchange?
    private var task: Task
    private var place = MemoryStore.Place()

    private enum Task {
        case list(CacheQuery, found: [JSONValue])
        case purge([PurgeRequest], purged: Int)
        /// Whose verdict comes as a letter.
        case reload
    }

    /// A reload.
    init(reloadFor exchange: Exchange) {
        gateway = exchange.gateway
        self.exchange = exchange
        task = .reload
    }

    /// A list, or one answer.
    init(_ query: CacheQuery, for exchange: Exchange) {
        gateway = exchange.gateway
        self.exchange = exchange
        place = query.place
        task = .list(query, found: [])
    }

    /// A purge, which holds from now on for what is on its way.
    init(_ requests: [PurgeRequest], for exchange: Exchange) {
        gateway = exchange.gateway
        self.exchange = exchange
        task = .purge(requests, purged: 0)
        gateway.desk.shared.announce(requests)
    }

    /// - Returns: whether there is more to do in another turn.
    func step() -> Bool {
        switch task {
        case .reload: return false
        case .list(let query, var found):
            guard let exchange else { return false }
            let hasMore = list(query, &found) && found.count < query.limit
            task = .list(query, found: found)
            if !hasMore { exchange.answerList(found, query, next: place, in: gateway.desk.store) }
            return hasMore
        case .purge(let requests, var purged):
            let hasMore = gateway.desk.store.purge(requests, &place, at: gateway.now, purged: &purged)
            task = .purge(requests, purged: purged)
            if !hasMore {
                exchange?.answerJSON(
                    .object([("purged", .number(purged)), ("soft", .bool(requests.allSatisfy(\.isSoft)))]))
            }
            return hasMore
        }
    }

    private func list(_ query: CacheQuery, _ found: inout [JSONValue]) -> Bool {
        let store = gateway.desk.store
        let requests = query.selections.map { PurgeRequest($0) }
        var entries: [StoredResponse] = []
        var hasMore = false
        if case .key(let key)? = query.selections.first, query.selections.count == 1 {
            if let entry = store.find(key) { entries = [entry] }
        } else {
            hasMore = store.walk(&place, most: query.limit - found.count) { entry in
                if requests.allSatisfy({ $0.selects(entry) }) { entries.append(entry) }
                return false
            }
        }
        for entry in entries where entry.isAnswer && entry.isCurrent(store.epochs) {
            let listing = CacheListing(entry, now: gateway.now)
            if let state = query.state, state != listing.state { continue }
            found.append(query.isDetailed ? listing.details : listing.summary)
        }
        return hasMore
    }
}

extension Gateway {
    /// Begins what takes more than one turn, or does it at once.
    func begin(_ work: AdminWork) {
        if work.step() { adminWorks.append(work) }
    }

    /// One step of everything that the admin socket is at.
    func resumeAdminWorks() {
        let works = adminWorks
        adminWorks = []
        for work in works { begin(work) }
    }
}
