internal import SluiceHTTP

/// The fields of a request that matter to a cache.
struct CacheAsks: OptionSet {
    let rawValue: UInt8

    static let directives = CacheAsks(rawValue: 1)
    static let conditions = CacheAsks(rawValue: 2)
    static let range = CacheAsks(rawValue: 4)
    static let authorization = CacheAsks(rawValue: 8)
    /// `Connection` nominates a field: it is not forwarded, while the cache would assume that the upstream saw it.
    static let nomination = CacheAsks(rawValue: 16)
    /// A key of the client's own, which goes upstream.
    static let key = CacheAsks(rawValue: 32)

    /// Conditions that only the origin decides (RFC 9111 §4.3.2).
    static let originConditions = CacheAsks(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ fields: borrowing HeaderBlock) {
        var asks = CacheAsks()
        for index in 0..<fields.count {
            switch fields[index].id {
            case .cacheControl, .pragma: asks.insert(.directives)
            case .ifMatch, .ifUnmodifiedSince: asks.formUnion([.conditions, .originConditions])
            case .ifNoneMatch, .ifModifiedSince: asks.insert(.conditions)
            case .range: asks.insert(.range)
            case .connection: if fields.nominatesOthers(index) { asks.insert(.nomination) }
            // The key of a client (`clients:`) is marked: it goes no further.
            case .authorization: if !fields.isMarked(index) { asks.insert(.authorization) }
            case .xAPIKey: if !fields.isMarked(index) { asks.insert(.key) }
            default: break
            }
        }
        self = asks
    }

    /// Whether a request bypasses the cache. The answer to a request whose nominated field was not forwarded would be
    /// stored for requests that have the field. On a typed route the gateway is itself the origin of the stored value
    /// and its entity tag, and decides these conditions.
    func passBy(_ route: Route) -> Bool {
        contains(.nomination) || contains(.originConditions) && !route.isTyped
    }

    /// Whether the request tells the upstream who the client is, so that the answer may be for that client alone
    /// (RFC 9111 §3.5 names `Authorization`; an API key says the same in another field).
    func hasCredentials(_ route: Route) -> Bool {
        contains(.key) || contains(.authorization) && route.passesAuthorization
    }
}
