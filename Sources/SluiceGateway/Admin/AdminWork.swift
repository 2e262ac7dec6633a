internal import SluiceCache
internal import SluiceContract
internal import SluiceJSON

/// Work of the admin socket that takes more than one turn of the loop. A walk through the store takes one step in each
/// turn, under the lock of one shard and for a few hundred entries, so that a million entries hold up no request.
final class AdminWork: PendingWork {
    private let socket: AdminSocket
    private let loopCache: LoopCache
    /// The exchange that asked; nil once its client has left. A purge is carried out to its end all the same.
    private var exchange: Exchange?
    private var task: Task
    private var place: MemoryStore.Place

    private enum Task {
        case list(CacheQuery, found: [JSONValue])
        case purge([PurgeRequest], purged: Int)
        /// Carried out by the owner: a reload, or a step of a sign-in.
        case outside
    }

    private init(_ task: Task, from place: MemoryStore.Place, for exchange: Exchange, _ socket: AdminSocket) {
        self.task = task
        self.place = place
        self.exchange = exchange
        self.socket = socket
        loopCache = socket.loopCache
        super.init()
        exchange.pendingWork = self
    }

    /// Work that the owner carries out.
    convenience init(outsideFor exchange: Exchange, _ socket: AdminSocket) {
        self.init(.outside, from: .init(), for: exchange, socket)
    }

    /// A list, or one answer.
    convenience init(_ query: CacheQuery, for exchange: Exchange, _ socket: AdminSocket) {
        self.init(.list(query, found: []), from: query.place, for: exchange, socket)
    }

    /// A purge, which applies from now on to answers being fetched, too.
    convenience init(_ requests: [PurgeRequest], for exchange: Exchange, _ socket: AdminSocket) {
        self.init(.purge(requests, purged: 0), from: .init(), for: exchange, socket)
        loopCache.shared.announce(requests)
    }

    /// - Returns: whether there is more to do in another turn.
    func step() -> Bool {
        switch task {
        case .outside: return false
        case .list(let query, var found):
            if exchange == nil { return false }
            let hasMore = list(query, &found) && found.count < query.limit
            task = .list(query, found: found)
            if !hasMore { answerList(found, query, next: place) }
            return hasMore
        case .purge(let requests, var purged):
            let hasMore = loopCache.store.purge(requests, &place, at: loopCache.loop.now, purged: &purged)
            task = .purge(requests, purged: purged)
            if hasMore { return true }
            if purged == 0, let problem = noBinding(requests.map(\.selection)) {
                fail(problem)
            } else {
                answer(
                    .object([("purged", .number(purged)), ("soft", .bool(requests.allSatisfy(\.isSoft)))]))
            }
            return false
        }
    }

    private func list(_ query: CacheQuery, _ found: inout [JSONValue]) -> Bool {
        let store = loopCache.store
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
            let listing = CacheListing(entry, now: loopCache.loop.now)
            if let state = query.state, state != listing.state { continue }
            found.append(query.isDetailed ? listing.details : listing.summary)
        }
        return hasMore
    }

    func answer(_ value: JSONValue, status: Int = 200) { exchange?.answerJSON(value, status: status) }

    func fail(_ problem: Problem) { exchange?.fail(problem) }

    override func clientLeft() { exchange = nil }

    /// The problem of an unknown binding name, where that is why nothing was found. With tiers there is none: they may
    /// hold what memory does not.
    private func noBinding(_ selections: [PurgeRequest.Selection]) -> Problem? {
        guard case .binding(let name)? = selections.first, socket.placesBehindMemory.isEmpty else { return nil }
        return socket.noBinding(name)
    }

    private func answerList(_ found: [JSONValue], _ query: CacheQuery, next: MemoryStore.Place) {
        if query.isDetailed, found.isEmpty {
            exchange?.fail(
                Problem(
                    .notStored, status: 404,
                    detail: socket.placesBehindMemory.isEmpty
                        ? "Nothing is stored under that; 'sluice cache list' shows what is."
                        : "Nothing of that is in memory; what other tiers have is shown once it has been asked for."
                ))
            return
        }
        if found.isEmpty, query.place == MemoryStore.Place(), let problem = noBinding(query.selections) {
            exchange?.fail(problem)
            return
        }
        var members: [(String, JSONValue)] = [("entries", .array(found))]
        members.append(("behind_memory", .array(socket.placesBehindMemory.map { .string($0) })))
        if !query.isDetailed {
            let isFull = found.count >= query.limit
            members.append(("next", isFull ? .string(next.text) : .null))
        }
        answer(.object(members))
    }
}
