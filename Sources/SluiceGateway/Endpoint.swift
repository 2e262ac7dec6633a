public import SluiceContract

/// One of an upstream's endpoints as one event loop lives with it: its connections and how it is doing.
public final class Endpoint {
    /// Of its upstream.
    public let settings: Upstream
    public let origin: Upstream.Origin
    /// `host[:port]` for the `Host` field (RFC 9110 §7.2).
    let authority: [UInt8]
    var pool: ConnectionPool<UpstreamLink, Fetch>
    var breaker: CircuitBreaker
    /// An answer has asked for no request before this time (`Retry-After`, RFC 9110 §10.2.3).
    var restsUntil: UInt64 = 0
    var healthCheck: HealthCheck?

    init(_ settings: Upstream, _ origin: Upstream.Origin, _ rules: CircuitBreaker.Rules) {
        self.settings = settings
        self.origin = origin
        authority = Self.authority(of: origin)
        pool = ConnectionPool(
            idleMax: settings.idleConnectionsMax, connectionsMax: settings.connectionsMax, queueMax: settings.queueMax)
        breaker = CircuitBreaker(rules)
    }

    /// Requests that are under way or wait.
    var load: Int { pool.count - pool.idle.count + pool.waitingCount }

    func isWell(at now: UInt64) -> Bool { breaker.isWell && now >= restsUntil }

    private static func authority(of origin: Upstream.Origin) -> [UInt8] {
        switch origin {
        case .unix: return Array("localhost".utf8)
        case .tcp(let host, let port, let tls):
            let name = host.contains(":") ? "[\(host)]" : host
            return Array((port == (tls ? 443 : 80) ? name : "\(name):\(port)").utf8)
        }
    }
}
