internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A request to the admin socket.
///
///     GET /cache           what is stored, by binding, tag, target, group or key
///     DELETE /cache        a purge, hard or soft
///     GET /cache/entry     one stored answer, or all of one target, with fields and the beginning of the body
///     GET /cache/explain   why a request would hit or miss
///     GET /cache/stats     counts
///     POST /reload         the configuration, read again
///     GET /credentials     credentials and their state
///     POST /credentials/refresh    one of them, renewed now
///     GET /exchanges       the last exchanges (`inspect:`), and /exchanges/ID one of them
///     GET /requests        finished requests as they happen, one line each, until the client leaves
///
/// Sign-ins are a ``SignInRequest``. Metrics and health are in `AdminSocket+Metrics.swift`, the other views in
/// `AdminSocket+Views.swift`.
enum AdminRequest {
    case list(CacheQuery)
    case purge(PurgeRequest)
    case explain(CacheQuestion)
    case stats
    case reload
    case credentials
    case renew(String)
    case follow(RequestFilter)
    case exchanges
    case exchange(Int)

    private static let selectors = ["binding", "tag", "target", "group", "key"]
    private static let paths = [
        "/cache", "/cache/entry", "/cache/explain", "/cache/stats", "/reload", "/credentials", "/credentials/refresh",
        "/requests", "/exchanges",
    ]
    private static let listMax = 1000
    private static let listUsual = 100
    /// Answers of one target that are shown whole.
    private static let entryMax = 20

    /// - Throws: what is wrong with it.
    init(_ request: borrowing RequestHead) throws(Problem) {
        var path = String(decoding: request.path, as: UTF8.self)
        let number = Self.exchangeNumber(path)
        if number != nil { path = Self.exchangesPath }
        guard Self.paths.contains(path) else {
            let known = Self.paths + SignInRequest.paths + AdminSocket.monitorPaths + AdminSocket.viewPaths
            let near = Nearest.name(to: path, among: known).map { "; did you mean '\($0)'?" } ?? "."
            throw Problem(
                .unknownRoute,
                detail:
                    "The admin socket answers \(known.joined(separator: ", ")), not '\(path.prefix(100))'\(near)")
        }
        switch (path, request.method) {
        case ("/cache", .get), ("/cache", .head): self = .list(try Self.list(request.query))
        case ("/cache", .delete): self = .purge(try Self.purge(request.query))
        case ("/cache/entry", .get), ("/cache/entry", .head): self = .list(try Self.entry(request.query))
        case ("/cache/explain", .get), ("/cache/explain", .head):
            let query = try AdminQuery(request.query, of: path, names: CacheQuestion.names)
            self = .explain(try CacheQuestion(query, fields: request.fields))
        case ("/cache/stats", .get), ("/cache/stats", .head):
            _ = try AdminQuery(request.query, of: path, names: [])
            self = .stats
        case ("/reload", .post):
            _ = try AdminQuery(request.query, of: path, names: [])
            self = .reload
        case ("/credentials", .get), ("/credentials", .head):
            _ = try AdminQuery(request.query, of: path, names: [])
            self = .credentials
        case ("/credentials/refresh", .post):
            guard let name = try AdminQuery(request.query, of: path, names: ["name"]).value("name") else {
                throw AdminQuery.wrong("name", expected: "the name of a credential", found: "none")
            }
            self = .renew(name)
        case (Self.exchangesPath, .get), (Self.exchangesPath, .head):
            _ = try AdminQuery(request.query, of: path, names: [])
            self = number.map { .exchange($0) } ?? .exchanges
        case ("/requests", .get), ("/requests", .head): self = .follow(try RequestFilter(request.query))
        default:
            var problem = Problem(
                .methodNotAllowed,
                detail: "\(String(decoding: request.methodName, as: UTF8.self)) is nothing that '\(path)' knows.")
            problem.allow = Self.methods(path)
            throw problem
        }
    }

    private static let exchangesPath = "/exchanges"

    /// `/exchanges/12`.
    private static func exchangeNumber(_ path: String) -> Int? {
        guard path.hasPrefix(exchangesPath + "/") else { return nil }
        let digits = path.dropFirst(exchangesPath.utf8.count + 1)
        return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
    }

    private static func methods(_ path: String) -> [String] {
        switch path {
        case "/cache": ["GET", "HEAD", "DELETE"]
        case "/reload", "/credentials/refresh": ["POST"]
        default: ["GET", "HEAD"]
        }
    }

    private static func list(_ text: UnsafeRawBufferPointer) throws(Problem) -> CacheQuery {
        let query = try AdminQuery(text, of: "/cache", names: selectors + ["state", "limit", "after"])
        var wanted = CacheQuery(
            selections: try selections(query), limit: try query.number("limit", in: 1...listMax, default: listUsual))
        if let text = try query.value("state") {
            guard let state = CacheQuery.State(rawValue: text) else {
                throw AdminQuery.wrong("state", expected: "fresh or stale", found: "'\(text)'")
            }
            wanted.state = state
        }
        if let text = try query.value("after") {
            guard let place = MemoryStore.Place(text) else {
                throw AdminQuery.wrong("after", expected: "'next' of an earlier list", found: "'\(text)'")
            }
            wanted.place = place
        }
        return wanted
    }

    private static func entry(_ text: UnsafeRawBufferPointer) throws(Problem) -> CacheQuery {
        let query = try AdminQuery(text, of: "/cache/entry", names: ["key", "target"])
        let selections = try selections(query)
        guard selections.count == 1 else {
            throw AdminQuery.wrong("key", expected: "either 'key' or 'target'", found: "\(selections.count) of them")
        }
        return CacheQuery(selections: selections, limit: entryMax, isDetailed: true)
    }

    private static func purge(_ text: UnsafeRawBufferPointer) throws(Problem) -> PurgeRequest {
        let query = try AdminQuery(text, of: "/cache", names: selectors + ["all", "soft"])
        var selections = try selections(query)
        if try query.flag("all") { selections.append(.everything) }
        // Exactly one is required, so that a mistake does not purge everything.
        guard selections.count == 1 else {
            throw AdminQuery.wrong(
                "all", expected: "one of all, \(selectors.joined(separator: ", ")): what is to be purged",
                found: selections.isEmpty ? "none" : "\(selections.count) of them")
        }
        return PurgeRequest(selections[0], isSoft: try query.flag("soft"))
    }

    private static func selections(_ query: AdminQuery) throws(Problem) -> [PurgeRequest.Selection] {
        var selections: [PurgeRequest.Selection] = []
        if let name = try query.value("binding") { selections.append(.binding(name)) }
        if let name = try query.value("tag") { selections.append(.tag(name)) }
        if let target = try query.value("target") { selections.append(.target(Array(target.utf8))) }
        if let name = try query.value("group") { selections.append(.group(Array(name.utf8))) }
        if let text = try query.value("key") {
            guard let key = CacheKey(text) else {
                throw AdminQuery.wrong(
                    "key", expected: "32 hexadecimal digits, as a list shows them", found: "'\(text)'")
            }
            selections.append(.key(key))
        }
        return selections
    }
}

/// Which stored answers are to be listed.
struct CacheQuery {
    /// An answer is listed where all of them select it.
    var selections: [PurgeRequest.Selection]
    var state: State?
    var limit: Int
    var place = MemoryStore.Place()
    /// With fields and the beginning of the body.
    var isDetailed = false

    enum State: String {
        case fresh, stale
    }
}
