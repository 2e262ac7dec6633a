internal import SluiceCache

extension ReuseRule {
    /// The rule with its figures, in a sentence.
    func text(_ time: Reuse.Stored, _ entry: StoredResponse, _ request: CacheControl) -> String {
        let lifetime = time.freshness.lifetime
        let past =
            entry.isSoftened
            ? "A purge has made it stale, \(time.staleness) s ago"
            : "It is \(time.staleness) s past its lifetime of \(lifetime) s"
        switch self {
        case .requestNoCache: return "The request says no-cache: the upstream is asked whatever is stored."
        case .requestMaxAge:
            return "The request takes an age of \(request.maxAge ?? 0) s at most; what is stored is \(time.age) s old."
        case .storedNoCache: return "The upstream said no-cache: it is stored, and asked for again each time."
        case .requestMinFresh:
            return "The request wants it fresh for \(request.minFresh ?? 0) s more; it is for \(-time.staleness) s."
        case .fresh: return "It is \(time.age) s old and fresh until \(lifetime) s, by \(entry.freshness.source.words)."
        case .freshNotServed: return "It is fresh, but 'serve:' has no 'fresh'."
        case .mustRevalidate: return "\(past), and the upstream said must-revalidate or s-maxage."
        case .staleNotServed: return "\(past), and 'serve:' has no 'stale'."
        case .requestMaxStale: return "\(past), which the request takes (max-stale)."
        case .staleWhileRevalidate:
            return "\(past), within the \(time.freshness.staleWhileRevalidate) s in which it is answered while a new "
                + "one is fetched."
        case .staleFirst: return "\(past); 'serve:' has 'stale' before 'fresh': it is answered, and a new one fetched."
        case .stale: return "\(past)."
        }
    }
}

extension Freshness.Source {
    fileprivate var words: String {
        switch self {
        case .policy: "'fresh:' of the binding"
        case .sMaxAge, .maxAge, .expires: "'\(rawValue)' of the upstream"
        case .heuristic: "a tenth of its age at Last-Modified"
        case .none: "nothing"
        }
    }
}
