public import SluiceContract

/// The rule that decides whether a stored response answers a request: the first that applies (RFC 9111 §4).
public enum ReuseRule: String, Sendable, CaseIterable {
    /// RFC 9111 §5.2.1.4.
    case requestNoCache = "request-no-cache"
    /// RFC 9111 §5.2.1.1.
    case requestMaxAge = "request-max-age"
    /// RFC 9111 §5.2.2.4.
    case storedNoCache = "no-cache"
    /// RFC 9111 §5.2.1.3.
    case requestMinFresh = "request-min-fresh"
    /// RFC 9111 §4.2.
    case fresh
    /// `serve:` has no `fresh`.
    case freshNotServed = "serve-without-fresh"
    /// RFC 9111 §5.2.2.2.
    case mustRevalidate = "must-revalidate"
    /// `serve:` has no `stale`.
    case staleNotServed = "serve-without-stale"
    /// RFC 9111 §5.2.1.2.
    case requestMaxStale = "request-max-stale"
    /// RFC 5861 §3.
    case staleWhileRevalidate = "stale-while-revalidate"
    /// `serve:` has `stale` before `fresh`: any stored response is served, and refreshed in the background.
    case staleFirst = "serve-stale-first"
    case stale

    public static func find(
        _ stored: Reuse.Stored, request: CacheControl, serve: [Binding.ServeRule]
    ) -> ReuseRule {
        let freshness = stored.freshness
        if request.flags.contains(.noCache) { return .requestNoCache }
        if let most = request.maxAge, stored.age > most || most == 0 {
            // max-stale takes back what max-age asks (RFC 9111 §5.2.1.2).
            guard let stale = request.maxStale, stored.age - most <= stale else { return .requestMaxAge }
        }
        if freshness.noCache { return .storedNoCache }
        if let least = request.minFresh, -stored.staleness < least { return .requestMinFresh }
        if stored.staleness < 0 { return serve.contains(.fresh) ? .fresh : .freshNotServed }
        if freshness.mustRevalidate { return .mustRevalidate }
        guard let stale = serve.firstIndex(of: .stale) else { return .staleNotServed }
        if let most = request.maxStale, stored.staleness <= most { return .requestMaxStale }
        if stored.staleness < freshness.staleWhileRevalidate { return .staleWhileRevalidate }
        if let fresh = serve.firstIndex(of: .fresh), stale < fresh { return .staleFirst }
        return .stale
    }

    /// The resulting decision.
    public var reuse: Reuse {
        switch self {
        case .requestNoCache, .requestMaxAge, .requestMinFresh: .forward(.request)
        case .storedNoCache, .mustRevalidate, .staleNotServed, .stale: .forward(.stale)
        case .fresh: .fresh
        case .freshNotServed: .forward(.bypass)
        case .requestMaxStale: .stale
        case .staleWhileRevalidate, .staleFirst: .staleWhileRevalidate
        }
    }
}
