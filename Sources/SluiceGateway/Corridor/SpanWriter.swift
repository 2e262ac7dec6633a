internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// Makes the spans of an exchange and its attempts, by OpenTelemetry's conventions for HTTP.
struct SpanWriter {
    private let trace: RequestTrace
    private let state: String

    /// - Parameter state: nil where the client's `tracestate` is malformed.
    init(_ trace: RequestTrace, state: TraceState?) {
        self.trace = trace
        self.state = trace.passesState ? state?.text(upTo: TraceSpan.stateMax) ?? "" : ""
    }

    // MARK: - The request

    func span(of exchange: Exchange, _ record: ExchangeRecord) -> TraceSpan {
        let request = exchange.request
        let method = Self.method(request.head)
        let path = exchange.route.map { "\($0.binding.path)" }
        var attributes = SpanAttributes()
        Self.addRequest(request, method, &attributes)
        attributes.add("http.route", path)
        attributes.add("http.response.status_code", exchange.answer.status == 0 ? nil : exchange.answer.status)
        attributes.add("sluice.binding", exchange.route?.binding.name)
        attributes.add("sluice.cache.outcome", Self.cacheOutcome(exchange))
        if exchange.cacheWalk?.status.isCollapsed == true { attributes.add("sluice.cache.collapsed", true) }
        attributes.add("sluice.problem", exchange.problem?.kind.rawValue)
        let isError = Self.isError(exchange)
        if isError { attributes.add("error.type", exchange.problem?.kind.rawValue ?? "\(exchange.answer.status)") }
        return TraceSpan(
            trace: trace.id, id: trace.span, parent: trace.parent, isParentRemote: trace.parent != nil,
            flags: trace.flags.rawValue, state: state, name: path.map { "\(method.known) \($0)" } ?? method.known,
            kind: .server, startedAt: record.startedAt, endedAt: exchange.loop.now, attributes: attributes.all,
            events: record.events.map(Self.event), status: isError ? .error : .unset)
    }

    /// A client's mistake is no error of a server span (HTTP spans, "Status"); nor is a problem that a default
    /// replaces.
    private static func isError(_ exchange: Exchange) -> Bool {
        guard exchange.answer.status < 500, let problem = exchange.problem else { return exchange.answer.status >= 500 }
        guard let route = exchange.route, route.defaultBody != nil else { return problem.status >= 500 }
        return problem.status >= 500 && !route.servesDefault(for: problem, method: exchange.request.head.method)
    }

    private static func addRequest(
        _ request: BoundRequest, _ method: (known: String, original: String?), _ attributes: inout SpanAttributes
    ) {
        attributes.add("http.request.method", method.known == "HTTP" ? "_OTHER" : method.known)
        attributes.add("http.request.method_original", method.original)
        attributes.add("url.path", String(decoding: request.head.path, as: UTF8.self))
        let query = [UInt8(ascii: "?")] + request.head.query
        attributes.add("url.query", String(query.withUnsafeBytes { QueryMask.text($0) }.dropFirst()))
        attributes.add("url.scheme", request.client?.isTLS == true ? "https" : "http")
        let authority = HostField(request.head.authority)
        attributes.add("server.address", authority.map { String(decoding: $0.host, as: UTF8.self) })
        attributes.add("server.port", authority?.port)
        attributes.add("client.address", request.client.map { String(decoding: $0.address, as: UTF8.self) })
        attributes.add("network.protocol.version", version(request.head.version))
        attributes.add(
            "user_agent.original",
            request.head.fields.firstIndex(of: .userAgent).map {
                String(decoding: request.head.fields.value($0), as: UTF8.self)
            })
    }

    /// The method, which the span's name begins with; an unregistered one is called HTTP there.
    private static func method(_ head: borrowing RequestHead) -> (known: String, original: String?) {
        if head.method != .other { return (head.method.name.description, nil) }
        return ("HTTP", String(decoding: head.methodName, as: UTF8.self))
    }

    private static func version(_ version: HTTPVersion) -> String {
        switch version {
        case .http10: "1.0"
        case .http11: "1.1"
        case .http2: "2"
        }
    }

    private static func cacheOutcome(_ exchange: Exchange) -> String? {
        exchange.answer.form == .stored ? "hit" : exchange.cacheWalk?.status.outcome.word
    }

    private static func event(_ event: RecordedEvent) -> TraceSpan.Event {
        var attributes = SpanAttributes()
        let name: StaticString
        switch event.kind {
        case .retry(let cause, let delay):
            name = "sluice.retry"
            attributes.add("sluice.retry.cause", "\(cause)")
            attributes.add("sluice.retry.delay_ms", Int(delay / 1_000_000))
        case .hedge: name = "sluice.hedge"
        case .cache(let outcome):
            name = "sluice.cache"
            attributes.add("sluice.cache.outcome", outcome)
        case .typeFault(let path, let expected, let found):
            name = "sluice.type_fault"
            attributes.add("sluice.type_fault.path", path)
            attributes.add("sluice.type_fault.expected", expected)
            attributes.add("sluice.type_fault.found", found)
        }
        return TraceSpan.Event(name: name, at: event.at, attributes: attributes.all)
    }

    // MARK: - An attempt

    /// - Parameter number: the number of attempts before this one.
    /// - Returns: nil while the attempt is running.
    func span(of attempt: AttemptRecord, number: Int) -> TraceSpan? {
        guard let endedAt = attempt.endedAt else { return nil }
        var attributes = SpanAttributes()
        attributes.add("http.request.method", attempt.method)
        attributes.add("url.full", attempt.site.hasPrefix("unix:") ? nil : attempt.site + attempt.target)
        let (address, port) = Self.server(attempt.site)
        attributes.add("server.address", address)
        attributes.add("server.port", port)
        attributes.add("network.protocol.version", attempt.answeredAt == nil ? nil : attempt.isStream ? "2" : "1.1")
        attributes.add("http.response.status_code", attempt.status == 0 ? nil : attempt.status)
        attributes.add("http.request.resend_count", number == 0 ? nil : number)
        attributes.add("sluice.upstream", attempt.upstream)
        attributes.add("sluice.attempt.cause", attempt.cause.rawValue)
        attributes.add("sluice.connection", attempt.connection?.rawValue)
        attributes.add("sluice.attempt.outcome", attempt.end?.rawValue)
        let error = Self.error(attempt)
        attributes.add("error.type", error)
        var events: [TraceSpan.Event] = []
        if let at = attempt.departedAt { events.append(.init(name: "sluice.request_sent", at: at, attributes: [])) }
        if let at = attempt.answeredAt { events.append(.init(name: "sluice.first_byte", at: at, attributes: [])) }
        return TraceSpan(
            trace: trace.id, id: attempt.span, parent: trace.span, isParentRemote: false, flags: trace.flags.rawValue,
            state: state, name: attempt.method, kind: .client, startedAt: attempt.startedAt, endedAt: endedAt,
            attributes: attributes.all, events: events, status: error == nil ? .unset : .error)
    }

    /// For a client span, a 4xx answer is an error as well (HTTP spans, "Status").
    private static func error(_ attempt: AttemptRecord) -> String? {
        switch attempt.end {
        case .connect, .lost, .timeout: attempt.end?.rawValue
        case .answered: attempt.status >= 400 ? "\(attempt.status)" : nil
        case .abandoned, nil: nil
        }
    }

    /// Host and port of `https://host:port`, or the path of `unix:/path`.
    private static func server(_ site: String) -> (String, Int?) {
        if site.hasPrefix("unix:") { return (String(site.dropFirst(5)), nil) }
        guard let url = EndpointURL(site) else { return (site, nil) }
        return (url.host, url.port)
    }
}

extension CacheStatus.Outcome {
    /// `hit`, or why the request is forwarded.
    var word: String {
        switch self {
        case .hit: "hit"
        case .forwarded(let reason): reason.rawValue
        }
    }
}
