internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Why a request would hit or miss now (`GET /cache/explain`). All decisions are the corridor's.
struct CacheExplanation {
    private let exchange: Exchange
    private let route: Route
    private let question: CacheQuestion
    private var members: [(String, JSONValue)] = []

    init(_ question: CacheQuestion, _ exchange: Exchange, _ route: Route) {
        (self.question, self.exchange, self.route) = (question, exchange, route)
        add("request", "\(question.method) \(question.target.withUnsafeBytes { QueryMask.text($0) })")
        add("binding", route.binding.name)
        add("upstream", route.binding.upstream)
        if let parts = route.binding.composition?.parts {
            members.append(
                (
                    "parts",
                    .array(parts.map { .object([("name", .string($0.name)), ("from", .string($0.description))]) })
                ))
        }
        add("upstream_target", QueryMask.text(exchange.request.target.bytes))
        explain()
    }

    var json: JSONValue { .object(members) }

    private mutating func explain() {
        guard let cache = route.cache else {
            return conclude("pass", "no-policy", "The binding has no 'cache:'; nothing is stored.")
        }
        if [.get, .head].contains(exchange.request.upstreamMethod) { return weigh(cache) }
        status(CacheStatus(.forwarded(.method)))
        conclude("miss", "method", "Only answers to GET are stored; this method goes upstream.")
    }

    private mutating func weigh(_ cache: CacheRoute) {
        let asks = CacheAsks(exchange.request.head.fields)
        let control = CacheControl(asking: exchange.request.head.fields)
        if asks.passBy(route) {
            status(CacheStatus(.forwarded(.bypass)))
            return conclude(
                "pass", "bypass", "The upstream decides on a field of the request; nothing stored is looked at.")
        }
        let lookup = exchange.loopCache.lookUp(exchange.request, route, cache)
        let flight = exchange.request.flightKey(lookup, asks)
        add("key", lookup.key.text)
        members.append(("key_parts", .object(keyParts(cache, lookup))))
        members.append(("policy", policy(cache)))
        members.append(("stored", lookup.entry.map { CacheListing($0, now: exchange.loop.now).summary } ?? .null))
        let isUnderWay = exchange.loopCache.fills[flight] != nil || exchange.loopCache.shared.isUnderWay(flight)
        members.append(("under_way", .bool(isUnderWay)))
        guard let entry = lookup.entry else {
            return miss(lookup, lookup.missReason, lookup.missReason.rawValue, detail(lookup), control, isUnderWay)
        }
        let time = entry.time(exchange.loop.now)
        let rule = ReuseRule.find(time, request: control, serve: cache.serve)
        let detail = rule.text(time, entry, control)
        switch rule.reuse {
        case .fresh, .stale, .staleWhileRevalidate:
            var answer = CacheStatus(.hit)
            answer.ttl = -time.staleness
            if rule.reuse == .staleWhileRevalidate { answer.detail = "stale-while-revalidate" }
            status(answer)
            conclude("hit", rule.rawValue, detail)
        case .forward(let reason):
            let asked = entry.hasValidator ? " It is asked with the validators of what is stored." : ""
            miss(lookup, reason, rule.rawValue, detail + asked, control, isUnderWay)
        }
    }

    /// A miss: the upstream would be asked by this request, is already being asked by another, or is not asked at all.
    private mutating func miss(
        _ lookup: CacheLookup, _ reason: Reuse.Reason, _ rule: String, _ detail: String, _ control: CacheControl,
        _ isUnderWay: Bool
    ) {
        var answer = CacheStatus(.forwarded(reason))
        let flight = exchange.request.flightKey(lookup, CacheAsks(exchange.request.head.fields))
        let asksTiers = exchange.loopCache.mayAskTiers(lookup, flight, control)
        let isLocal = control.flags.contains(.onlyIfCached)
        if isLocal, !asksTiers {
            status(answer)
            return conclude("refused", "only-if-cached", detail + " The request wants no upstream asked: a 504.")
        }
        if let cache = route.cache,
            let problem = exchange.loopCache.keptProblem(for: exchange.request, route, cache, lookup)
        {
            return weigh(problem, lookup.entry, cache, control, detail)
        }
        if asksTiers, isLocal || !isUnderWay {
            status(answer)
            let last = isLocal ? "a 504, because the request wants no upstream asked" : "the upstream is asked"
            return conclude("miss", rule, "\(detail) \(places) may have it; where not, \(last).")
        }
        answer.isCollapsed = isUnderWay
        status(answer)
        let company = isUnderWay ? " A request for it is under way; this one would wait for it." : ""
        conclude("miss", rule, detail + company)
    }

    /// The last error is kept: it would be answered again, or a stale answer instead.
    private mutating func weigh(
        _ problem: Problem, _ entry: StoredResponse?, _ cache: CacheRoute, _ control: CacheControl, _ detail: String
    ) {
        var answer = CacheStatus(.hit)
        let now = exchange.loop.now
        if let entry, problem.yieldsToStale, exchange.request.takesStale(entry, control, cache, at: now) {
            answer.ttl = -entry.time(now).staleness
            answer.detail = "stale-if-error"
            status(answer)
            return conclude(
                "hit", "stale-if-error",
                "\(detail) The last error, \(problem.status), is kept, and this answer is given in its place.")
        }
        answer.detail = "retry-after-error"
        status(answer)
        conclude("refused", "retry-after-error", "\(detail) The last error, \(problem.status), is answered again.")
    }
}

extension CacheExplanation {
    /// The tiers, as `Cache-Status` names them.
    private var places: String {
        (exchange.loopCache.shared.tiers?.places ?? []).map(\.rawValue).joined(separator: " or ")
    }

    private func detail(_ lookup: CacheLookup) -> String {
        lookup.key == lookup.primary
            ? "Nothing is stored under this key."
            : "Answers are stored for other values of the fields that select among them."
    }

    /// What selects the answer, in words: the key itself is a hash.
    private func keyParts(_ cache: CacheRoute, _ lookup: CacheLookup) -> [(String, JSONValue)] {
        var parts: [(String, JSONValue)] = []
        if let positions = cache.keyParameters {
            parts.append(("parameters", .array(positions.map { .string(route.parameters[$0].name) })))
        } else {
            parts.append(("target", .string(QueryMask.text(exchange.request.target.bytes))))
        }
        let credential = exchange.request.credential(route)
        parts.append(("bearer", .bool(credential?.reader.current != nil)))
        let marker = exchange.loopCache.find(lookup.primary)?.variance
        let fields = cache.varyNames + (marker?.fields ?? [])
        parts.append(("vary", .array(fields.map { .string(Self.text($0)) })))
        let told = ForwardedClient(exchange.request, cache.forwarded(isNamed: exchange.request.clientName != nil))
        let host = told.host ?? (cache.variesOnHost ? exchange.request.head.authority : nil)
        parts.append(("host", host.map { .string(Self.text($0)) } ?? .null))
        let isSecure = told.isSecure ?? (cache.variesOnScheme ? exchange.request.client?.isTLS == true : nil)
        parts.append(("scheme", isSecure.map { .string($0 ? "https" : "http") } ?? .null))
        let hasClient = cache.policy.isPrivate || told.hasAddress
        parts.append(("client", hasClient ? .string(question.client) : .null))
        return parts
    }

    /// In seconds; null means that the upstream decides.
    private func policy(_ cache: CacheRoute) -> JSONValue {
        func seconds(_ duration: Duration?) -> JSONValue {
            duration.map { .number(Int(clamping: $0.components.seconds)) } ?? .null
        }
        let policy = cache.policy
        return .object([
            ("fresh", seconds(policy.fresh)), ("stale_while_revalidate", seconds(policy.staleWhileRevalidate)),
            ("stale_if_error", seconds(policy.staleIfError)),
            ("retry_after_error", seconds(policy.retryAfterError)),
            ("serve", .array(cache.serve.map { .string($0.rawValue) })),
            ("tags", .array(policy.tags.map { .string($0) })),
        ])
    }

    fileprivate mutating func add(_ name: String, _ value: String) { members.append((name, .string(value))) }

    fileprivate mutating func status(_ status: CacheStatus) { add("cache_status", status.text) }

    fileprivate mutating func conclude(_ outcome: String, _ rule: String, _ reason: String) {
        add("outcome", outcome)
        add("rule", rule)
        add("reason", reason)
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension AdminSocket {
    func explain(_ question: CacheQuestion) throws(Problem) -> JSONValue {
        let origins = question.origins(of: corridor.generation.table.ownOrigins)
        // Where the question names none: one that the cache knows something of.
        let known = origins.count > 1 ? origins.first { knows(question, at: $0) } : nil
        guard let origin = known ?? origins.first else {
            throw AdminQuery.wrong("field", expected: "a Host: no listener has a name", found: "none")
        }
        return try imagine(question, at: origin) { exchange, route throws(Problem) in
            CacheExplanation(question, exchange, route).json
        }
    }
}
