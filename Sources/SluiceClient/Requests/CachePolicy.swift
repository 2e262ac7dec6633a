/// What the gateway's cache may do for a request (RFC 9111 §5.2.1).
public enum CachePolicy: Sendable, Hashable {
    /// What the binding says.
    case useProtocolCachePolicy
    /// Ask the upstream, whatever is stored.
    case reload
    /// Only what is stored, however old; a 504 (`not-stored`) where nothing is.
    case onlyStored
    /// What is stored however old, else the upstream.
    case preferStored
    /// Nothing that is older, in whole seconds: parts of one are cut off, so that less than a second is none.
    case youngerThan(Duration)
    /// Neither use nor store.
    case bypass

    /// The value of `Cache-Control`, if one is to be sent.
    var directive: String? {
        switch self {
        case .useProtocolCachePolicy: nil
        case .reload: "no-cache"
        case .onlyStored: "only-if-cached, max-stale"
        case .preferStored: "max-stale"
        case .youngerThan(let age): "max-age=\(max(age.components.seconds, 0))"
        case .bypass: "no-store"
        }
    }
}
