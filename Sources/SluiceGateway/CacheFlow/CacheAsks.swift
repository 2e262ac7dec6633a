internal import SluiceHTTP

/// Which of the fields that matter to a cache a request has.
struct CacheAsks: OptionSet {
    let rawValue: UInt8

    static let directives = CacheAsks(rawValue: 1)
    static let conditions = CacheAsks(rawValue: 2)
    static let range = CacheAsks(rawValue: 4)
    static let authorization = CacheAsks(rawValue: 8)
    /// `Connection` names a field that the upstream will not see, and that the cache would take for seen.
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

    /// Whether a request passes the cache by. What the upstream says without a field that is not forwarded would be
    /// kept for those who send it. Where there is a value, the gateway is the origin of what is stored, and of its tag.
    func passBy(_ route: Route) -> Bool {
        contains(.nomination) || contains(.originConditions) && !route.isTyped
    }

    /// Whether the upstream knows by the request who asks, and may answer for that one alone (RFC 9111 §3.5 names
    /// `Authorization`; an API key says the same in another field).
    func hasCredentials(_ route: Route) -> Bool {
        contains(.key) || contains(.authorization) && route.passesAuthorization
    }
}
