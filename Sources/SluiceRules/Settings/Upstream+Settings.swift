public import SluiceContract

/// What an upstream takes from `defaults:` and says itself. Its URL, its token and its own limits are not inherited.
extension Upstream: Layered {
    public static let usual = Upstream(name: "", origin: .unix(path: ""))

    public static let settings: [Setting<Upstream>] = [
        .part("timeout", \.timeout, "How long its answers are waited for"),
        .part("error", \.errors, "Where the API keeps its errors"),
        .part("tls", \.tls, "Certificates towards an https upstream"),
        .choice(
            "protocol", \.httpVersion,
            "auto takes HTTP/2 where TLS settles on it; h1 and h2 take nothing else; h2c is HTTP/2 without TLS"),
        .part("headers", \.headers, "Fields of requests: set, renamed or dropped"),
        .part("host", \.host, default: "upstream", "What Host says: upstream, client, or a name of your own"),
        .choice("forwarded", \.forwarded, "Which fields tell the API about the client"),
        .choice("follow", \.follow, "What happens to a redirect"),
        .choice(
            "keys", \.keys,
            "camelCase renames declared keys between full_name there and fullName here; a type may write either form"),
        .part(
            "accept-encoding", \.acceptedCodings, default: "[\(ContentCoding.list)]",
            "Codings that answers with a value may come in, or identity"),
        .duration(
            "pause", \.pauseMax,
            "The longest time for which its own Retry-After or empty RateLimit is obeyed; 0 ignores them"),
        .part(
            "breaker", \.breaker, default: "failing endpoints rest where there are others",
            "When an endpoint that fails is left alone for a while"),
        .part(
            "retry-budget", \.retryBudget, "How much retries and hedges may add to the load of the API"),
        .part("pool", \.pool, "Connections to the API"),
    ]

    public func check(_ layer: Layer<Upstream>, _ scope: Scope) {
        if layer.tells("accept-encoding") { CodingRule.check(acceptedCodings, scope / "accept-encoding") }
        if layer.says("tls") { tls.checkVerification(of: "upstream", scope / "tls") }
    }

    /// `error:`.
    public var errors: ErrorSettings {
        get { ErrorSettings(all: error, byStatus: errorByStatus, reported: reportedError) }
        set { (error, errorByStatus, reportedError) = (newValue.all, newValue.byStatus, newValue.reported) }
    }

    /// `pool:`.
    public var pool: Pool {
        get {
            Pool(
                idle: idle, idleConnectionsMax: idleConnectionsMax, connectionsMax: connectionsMax, queueMax: queueMax,
                ping: ping, pingTimeout: pingTimeout, gather: gather)
        }
        set {
            (idle, idleConnectionsMax, connectionsMax) = (
                newValue.idle, newValue.idleConnectionsMax, newValue.connectionsMax
            )
            (queueMax, ping, pingTimeout, gather) = (
                newValue.queueMax, newValue.ping, newValue.pingTimeout, newValue.gather
            )
        }
    }

    /// Its connections; all numbers are per event loop.
    public struct Pool: Hashable, Sendable {
        public var idle: Duration
        public var idleConnectionsMax: Int
        public var connectionsMax: Int
        public var queueMax: Int
        public var ping: Duration
        public var pingTimeout: Duration
        public var gather: Duration
    }
}

extension Upstream.Pool: Layered {
    public static let usual = Upstream.usual.pool

    public static let settings: [Setting<Upstream.Pool>] = [
        .duration(
            "idle", \.idle, "How long an idle connection is kept; less where the API says so (Keep-Alive: timeout=5)"),
        .count("idle-max", \.idleConnectionsMax, in: 0...100_000, "Idle connections kept"),
        .count(
            "connections", \.connectionsMax, in: 1...100_000,
            "Connections, busy ones included; one of HTTP/2 carries many requests"),
        .count("queue", \.queueMax, in: 0...1_000_000, "Requests that wait for a connection"),
        .wait("ping", \.ping, "Silence on an HTTP/2 connection after which a PING asks whether the peer is there"),
        .wait(
            "ping-timeout", \.pingTimeout,
            "How long the answer to that may take before the connection is given up"),
        .duration(
            "gather", \.gather,
            "How long a request may wait for others on a busy HTTP/2 connection, to leave in one write"),
    ]

    public mutating func complete(_ layer: Layer<Upstream.Pool>) {
        if !layer.says("idle-max") { idleConnectionsMax = min(idleConnectionsMax, connectionsMax) }
    }

    public func check(_ layer: Layer<Upstream.Pool>, _ scope: Scope) {
        if idleConnectionsMax > connectionsMax {
            (scope / "idle-max").mistake(
                "more idle connections than connections", expected: "at most \(connectionsMax)")
        }
    }
}

extension UpstreamTimeouts: Layered {
    public static let usual = UpstreamTimeouts()

    public static let settings: [Setting<UpstreamTimeouts>] = [
        .wait("connect", \.connect, "For a connection, TLS included"),
        .wait("first-byte", \.firstByte, "From the request's end to the answer's first byte"),
        .wait("total", \.total, "For the whole exchange"),
        .wait(
            "idle", \.idle, default: "limits.body-timeout; limits.stream-timeout for event streams and tunnels",
            "Silence in an answer or a body that passes through, or in a tunnel"),
    ]

    /// A shorter whole shortens the parts that are said elsewhere.
    public mutating func complete(_ layer: Layer<UpstreamTimeouts>) {
        if !layer.says("connect") { connect = min(connect, total) }
        if !layer.says("first-byte") { firstByte = min(firstByte, total) }
    }

    public func check(_ layer: Layer<UpstreamTimeouts>, _ scope: Scope) {
        for (key, part) in [("connect", connect), ("first-byte", firstByte)] where part > total {
            (scope / key).mistake(
                "'\(key)' is longer than the whole exchange may take", expected: "at most \(Quantity.text(total))")
        }
    }
}
