internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The admin socket of one loop: requests that the gateway answers itself, in the same corridor as all others.
final class AdminSocket: Administration {
    let corridor: Corridor
    let loopCache: LoopCache
    /// Called for a requested reload; the owner then calls ``reloadEnded(_:)``. Verdicts come in the order of the
    /// requests, because the owner carries out one reload after the other.
    var reloader: (() -> Void)?
    /// The keeper of the credentials.
    var credentialBoard: (any CredentialBoard)?
    /// Documents that the daemon makes about itself.
    let documents = DocumentDesk()
    /// Carries out a step of a sign-in; the owner then calls ``signInEnded(_:_:)`` with the same number.
    var signer: ((SignInRequest, Int) -> Void)?
    /// Steps that have no answer yet.
    var signIns: [Int: AdminWork] = [:]
    var signInCount = 0
    /// Work in progress.
    private var works: [AdminWork] = []
    /// Scrapes in progress.
    private(set) var scrapes: [MetricsWork] = []
    /// A page takes memory until its client has it.
    static let scrapesMax = 8
    /// Clients that follow finished requests, and how their loop is told of new ones.
    var follows: [FollowWork] = []
    var followWake: (@Sendable () -> Void)?
    /// Reloads that have no verdict yet.
    private var reloads: [AdminWork] = []

    init(_ corridor: Corridor) {
        self.corridor = corridor
        loopCache = corridor.loopCache
    }

    func administer(_ exchange: Exchange) throws(Problem) {
        guard let client = exchange.request.client, let access = client.admin else {
            preconditionFailure("no admin socket")
        }
        let owner: UInt32
        switch access {
        case .monitoring: return try monitorAlone(exchange)
        case .administration(let user): owner = user
        }
        guard access.admits(client.credentials) else {
            let who = client.credentials.map { "User \($0.user)" } ?? "Somebody unknown"
            throw Problem(
                .forbidden,
                detail: "\(who) may not administer this gateway; user \(owner), which it runs as, and root may.")
        }
        if try monitor(exchange) { return }
        if try view(exchange) { return }
        if let signIn = try SignInRequest(exchange.request.head, by: client.credentials?.user) {
            return try begin(signIn, for: exchange)
        }
        switch try AdminRequest(exchange.request.head) {
        case .list(let query): begin(AdminWork(query, for: exchange, self))
        case .purge(let purge): begin(AdminWork(requests(for: purge), for: exchange, self))
        case .explain(let question): exchange.answerJSON(try explain(question))
        case .credentials: exchange.answerJSON(credentialList)
        case .renew(let name):
            guard credentialBoard?.renew(name) == true else {
                throw AdminQuery.wrong("name", expected: "a credential that can be renewed", found: "'\(name)'")
            }
            exchange.answerJSON(.object([("renewing", .string(name))]))
        case .stats: exchange.answerJSON(cacheStatistics)
        case .exchanges: exchange.answerJSON(exchangeList)
        case .exchange(let number): exchange.answerJSON(try details(ofExchange: number))
        case .follow(let filter): try follow(filter, for: exchange)
        case .reload:
            guard let reloader else { throw Problem(.unknownRoute, detail: "This gateway cannot be reloaded.") }
            reloads.append(AdminWork(outsideFor: exchange, self))
            reloader()
        }
    }

    /// A target is purged by the label of stored answers, and by the keys that a request for it would find: the answer
    /// may have been stored under another spelling of the target.
    private func requests(for purge: PurgeRequest) -> [PurgeRequest] {
        guard case .target(let target) = purge.selection else { return [purge] }
        let keys = storedKeys(CacheQuestion(method: "GET", target: target))
        return [purge] + keys.map { PurgeRequest(.key($0), isSoft: purge.isSoft) }
    }

    /// Why nothing is found for a binding: there is none of this name. A binding removed by a reload may still have
    /// stored answers.
    func noBinding(_ name: String) -> Problem? {
        let names = corridor.generation.table.routes.map(\.binding.name)
        if names.contains(name) { return nil }
        let near = Nearest.name(to: name, among: names).map { "did you mean '\($0)'?" }
        return Problem(
            .unknownRoute, detail: "There is no binding '\(name)'; \(near ?? "'sluice routes' lists what there is.")")
    }

    func reloadEnded(_ verdict: ReloadVerdict) {
        guard !reloads.isEmpty else { return }
        reloads.removeFirst().answer(verdict.report, status: verdict.isAccepted ? 200 : 409)
    }

    /// `GET /credentials`.
    private var credentialList: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        func number(_ value: Int?) -> JSONValue { value.map { .number($0) } ?? .null }
        let list = (credentialBoard?.reports ?? []).map { report in
            JSONValue.object([
                ("name", .string(report.name)), ("kind", .string(report.kind)),
                ("state", .string(report.state.rawValue)), ("obtained_at", number(report.obtainedAt)),
                ("expires_at", number(report.expiresAt)), ("scope", text(report.scope)),
                ("last_error", text(report.lastFailure)), ("last_used_at", number(report.lastUse?.at)),
                ("last_binding", text(report.lastUse?.binding)), ("last_client", text(report.lastUse?.client)),
            ])
        }
        return .object([("credentials", .array(list))])
    }

    // MARK: - More than one turn

    var hasWork: Bool { !works.isEmpty || !scrapes.isEmpty }

    /// Begins work that may take more than one turn.
    private func begin(_ work: AdminWork) {
        if work.step() { works.append(work) }
    }

    func begin(_ scrape: MetricsWork) {
        if scrape.step() { scrapes.append(scrape) }
    }

    /// Takes one step of all work in progress.
    func resume() {
        let scrapes = scrapes
        self.scrapes = []
        for scrape in scrapes { begin(scrape) }
        let works = works
        self.works = []
        for work in works { begin(work) }
    }

    // MARK: - Figures

    /// The tiers that may hold answers which memory lacks, and which no list shows: `disk`, `shared`.
    var placesBehindMemory: [String] {
        (loopCache.shared.tiers?.places ?? []).map { $0.rawValue.lowercased() }
    }

    /// `GET /cache/stats`.
    var cacheStatistics: JSONValue {
        let usage = loopCache.store.usage
        let counts = loopCache.shared.counts
        return .object([
            ("entries", .number(usage.entries)), ("bytes", .number(usage.bytes)),
            ("bytes_max", .number(usage.bytesMax)), ("hits", .number(counts.hits)),
            ("misses", .number(counts.misses)), ("collapsed", .number(counts.collapsed)),
            ("stored", .number(counts.stored)), ("validated", .number(counts.validated)),
            ("evictions", .number(usage.evictions)), ("purges", .number(Int(clamping: loopCache.store.purges.number))),
        ])
    }
}

extension Exchange {
    func answerJSON(_ value: JSONValue, status: Int = 200) {
        var fields = HeaderBlock()
        fields.append(.contentType, "application/json")
        loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        fields.append(.cacheControl, "no-store")
        let bytes = Array((value.text + "\n").utf8)
        answer(status: status, reason: .empty, fields: fields, framing: .length(bytes.count))
        bytes.withUnsafeBytes { answerBody($0, lifetime: .call) }
        answerEnd()
    }
}
