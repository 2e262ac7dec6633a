import SluiceContract

/// `upstreams:`, by name.
enum UpstreamSection {
    static let section = Section(
        name: "upstream", summary: "An API that bindings point to",
        keys: [
            .required(
                "url", .oneOrMany(.text()),
                "http://host[:port][/base], https://… or unix:/path[:/base]; a list of them is one API at several "
                    + "endpoints"),
            .init("health", .section(HealthSection.section), "How endpoints are asked whether they are well"),
            .init("bearer", .section(BearerSection.section), "The token sent as Authorization: Bearer"),
            .init("rate", RateNotation.shape, "Rate of all requests to it, such as 100/s burst 20"),
            .init("concurrency", ConcurrencySection.shape, "Requests in flight, and the queue behind them"),
        ] + sharedKeys + BindingSettings.keys, bareKey: "url")

    /// What `defaults:` can say too.
    static let sharedKeys: [Section.Key] = [
        .init("timeout", .section(TimeoutSection.section), default: "{}", "How long its answers are waited for"),
        .init("error", .section(ErrorSection.section), default: "{}", "Where the API keeps its errors"),
        .init("tls", .section(ClientTLSSection.section), default: "{}", "Certificates towards an https upstream"),
        .init(
            "protocol", .choice(Upstream.HTTPVersionChoice.allCases.map(\.rawValue)),
            default: Upstream.HTTPVersionChoice.auto.rawValue,
            "auto takes HTTP/2 where TLS settles on it; h1 and h2 take nothing else; h2c is HTTP/2 without TLS"),
        .init("headers", HeadersSection.shape, default: "{}", "Fixed fields sent with every request"),
        .init("host", .text(), default: "upstream", "What Host says: upstream, client, or a name of your own"),
        .init(
            "forwarded", .choice(Upstream.ForwardedFields.allCases.map(\.rawValue)),
            default: Upstream.ForwardedFields.xForwarded.rawValue, "Which fields tell the API about the client"),
        .init(
            "follow", .choice(Redirects.allCases.map(\.rawValue)), default: Redirects.pass.rawValue,
            "What happens to a redirect"),
        .init(
            "keys", .choice(KeyStyle.allCases.map(\.rawValue)), default: KeyStyle.verbatim.rawValue,
            "camelCase renames declared keys between full_name there and fullName here"),
        .init(
            "accept-encoding", AcceptEncodingSection.shape, default: "[\(ContentCoding.list)]",
            "Codings that answers with a value may come in, or identity"),
        .init(
            "pause", .duration, default: Quantity.text(Upstream(name: "", origin: .unix(path: "")).pauseMax),
            "The longest time for which its own Retry-After or empty RateLimit is obeyed; 0 ignores them"),
        .init(
            "breaker", BreakerSection.shape, default: "failing endpoints rest where there are others",
            "When an endpoint that fails is left alone for a while"),
        .init(
            "retry-budget", .section(RetryBudgetSection.section), default: "{}",
            "How much retries and hedges may add to the load of the API"),
        .init("pool", .section(PoolSection.section), default: "{}", "Connections to the API"),
    ]

    /// An upstream with what its bindings inherit.
    struct Reading {
        var upstream: Upstream
        var settings: BindingSettings
        var place: SourceNode.Place
    }

    /// All of them, in the order of the file.
    struct Readings {
        let list: [Reading]
        private let places: [String: Int]

        init(_ list: [Reading]) {
            self.list = list
            places = Dictionary(zip(list.map(\.upstream.name), list.indices)) { first, _ in first }
        }

        subscript(name: String) -> Reading? { places[name].map { list[$0] } }
        func contains(_ name: String) -> Bool { places[name] != nil }
        /// For messages.
        var names: [String] { list.map(\.upstream.name) }
    }

    static func read(_ node: SourceNode?, _ desk: Desk, _ defaults: DefaultsSection.Defaults) -> [Reading] {
        guard let node else { return [] }
        var readings: [Reading] = []
        for (name, key, value) in desk.named(node, what: "upstreams by name") {
            guard Name.isUpstream(name) else {
                desk.findings.mistake(
                    at: key.place, "'\(name)' cannot name an upstream", expected: "letters, digits, '_', '-' and '.'")
                continue
            }
            var upstream = defaults.upstream
            upstream.name = name
            var settings = defaults.binding
            Fields.read(value, section, desk) { fields in
                if let url = fields.required("url") { EndpointList.read(url, desk, into: &upstream) }
                if let node = fields.node("health") { upstream.health = HealthSection.read(node, desk) }
                upstream.bearer = fields.node("bearer").flatMap { BearerSection.read($0, desk) }
                fields.set("rate", &upstream.rate) { RateNotation.read($0, desk) }
                fields.set("concurrency", &upstream.concurrency) { ConcurrencySection.read($0, desk) }
                readShared(fields, into: &upstream)
                settings.read(fields)
                check(upstream, fields)
            }
            readings.append(Reading(upstream: upstream, settings: settings, place: key.place))
        }
        return readings
    }

    static func readShared(_ fields: Fields, into upstream: inout Upstream) {
        let desk = fields.desk
        if let node = fields.node("timeout") { TimeoutSection.read(node, desk, into: &upstream.timeout) }
        if let node = fields.node("error") {
            ErrorSection.read(node, desk, into: &upstream.error, byStatus: &upstream.errorByStatus)
        }
        if let node = fields.node("tls") { ClientTLSSection.read(node, desk, into: &upstream.tls) }
        fields.set("protocol", &upstream.httpVersion) { desk.choice($0) }
        if let node = fields.node("headers") { HeadersSection.read(node, desk, into: &upstream.headers) }
        fields.set("host", &upstream.host) { host($0, desk) }
        fields.set("forwarded", &upstream.forwarded) { desk.choice($0) }
        fields.set("follow", &upstream.follow) { desk.choice($0) }
        fields.set("keys", &upstream.keys) { desk.choice($0) }
        fields.set("accept-encoding", &upstream.acceptedCodings) { AcceptEncodingSection.read($0, desk) }
        fields.set("pause", &upstream.pauseMax, desk.duration)
        let inherited = upstream.breaker
        fields.set("breaker", &upstream.breaker) { BreakerSection.read($0, desk, base: inherited) }
        if let node = fields.node("retry-budget") { RetryBudgetSection.read(node, desk, into: &upstream.retryBudget) }
        if let node = fields.node("pool") { PoolSection.read(node, desk, into: &upstream) }
    }

    private static func host(_ node: SourceNode, _ desk: Desk) -> Upstream.HostField? {
        guard let text = desk.text(node, what: "a host name") else { return nil }
        switch text {
        case "upstream": return .upstream
        case "client": return .client
        default:
            let host = HostPort.split(text)?.host ?? text
            guard HostPort.isName(host) || HostPort.isIPv4(host) || HostPort.isIPv6(host) else {
                desk.findings.mistake(
                    at: node.place, "'\(text)' cannot be a Host", expected: "upstream, client, or a name")
                return nil
            }
            return .fixed(text)
        }
    }

    private static func check(_ upstream: Upstream, _ fields: Fields) {
        if fields.has("health"), upstream.alternates.isEmpty, upstream.breaker?.refuses != true {
            fields.desk.findings.warning(
                at: fields.keyPlace("health"), "'health' has no effect on the only endpoint of an upstream",
                suggestion: .advice("add breaker: {} to refuse requests while it is not well"))
        }
        checkProtocol(upstream, fields)
        if case .tcp(_, _, tls: true) = upstream.origin { return }
        if fields.has("tls") {
            fields.desk.findings.mistake(
                at: fields.keyPlace("tls"), "'tls' has no meaning without TLS",
                expected: "a url that begins with https://")
        }
        for case .tcp(let host, _, tls: false) in upstream.endpoints
        where upstream.bearer != nil && host != "localhost" && !HostPort.isLoopback(host) {
            fields.desk.findings.warning(
                at: fields.keyPlace("url"), "the bearer goes to '\(host)' unencrypted",
                suggestion: .advice("use https:// where the API offers it"))
        }
    }

    /// HTTP/2 is agreed upon in the TLS handshake, or known without one (RFC 9113 §3.1).
    private static func checkProtocol(_ upstream: Upstream, _ fields: Fields) {
        guard fields.has("url"), fields.desk.findings.mistakes.isEmpty else { return }
        var isSecure = false
        if case .tcp(_, _, tls: true) = upstream.origin { isSecure = true }
        let place = fields.has("protocol") ? fields.keyPlace("protocol") : fields.keyPlace("url")
        switch upstream.httpVersion {
        case .h2 where !isSecure:
            fields.desk.findings.mistake(
                at: place, "'protocol: h2' is agreed upon in TLS, and this url has none",
                expected: "a url that begins with https://, or protocol: h2c")
        case .h2c where isSecure:
            fields.desk.findings.mistake(
                at: place, "'protocol: h2c' is HTTP/2 without TLS, and this url has TLS",
                expected: "protocol: h2, or a url that begins with http://")
        default: break
        }
    }
}
