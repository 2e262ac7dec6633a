internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// Joins the caching directives of several responses that one answer is made of, beside the response that gives its
/// head: the answer is no fresher than any of them, and shared no more widely (RFC 9111 §3, §4.1, §4.2).
struct JoinedControl {
    private var flags = CacheControl.Flags()
    /// Seconds from the head of the answer until the first of the responses is stale; nil where none limits it.
    private var secondsLeft: Int?
    /// Whether all of them may be reused for other clients although a credential was sent (RFC 9111 §3.5).
    private var isForOthers = true

    private static let passed: CacheControl.Flags = [.noStore, .private, .mustRevalidate, .proxyRevalidate]
    private static let kept: CacheControl.Flags = [.noTransform, .public]

    /// - Parameters:
    ///   - elapsed: seconds since the head of the answer.
    ///   - holds: the response counts as always fresh where it has no freshness information.
    mutating func add(_ status: Int, _ fields: borrowing HeaderBlock, after elapsed: Int, holds: Bool, now: Int) {
        let facts = CacheFacts(status: status, fields, now: now)
        let freshness = Freshness(facts, CachePolicy())
        flags.formUnion(facts.control.flags.intersection(Self.passed))
        if freshness.noCache { flags.insert(.noCache) }
        if freshness.mustRevalidate { flags.insert(.mustRevalidate) }
        if !Storability.allowsAuthorized(facts) { isForOthers = false }
        if freshness.source == .none, holds { return }
        let age = Freshness.initialAge(facts, responseDelay: 0, now: now)
        secondsLeft = min(secondsLeft ?? .max, elapsed + max(0, freshness.lifetime - age))
    }

    /// One of the responses may not be stored at all.
    mutating func forbid() { flags.insert(.noStore) }

    /// Restricts the caching directives of the answer's fields accordingly.
    /// - Parameters:
    ///   - age: seconds, the age of the response with these fields when it came; nil computes it as of now.
    ///   - isAuthorized: credentials of the client were sent to the upstream.
    ///   - keepsValidators: whether the fields keep what a heuristic lifetime is computed from.
    func restrict(
        _ fields: inout HeaderBlock, of status: Int, age: Int? = nil, isAuthorized: Bool, keepsValidators: Bool,
        now: Int
    ) {
        let facts = CacheFacts(status: status, fields, now: now)
        let freshness = Freshness(facts, CachePolicy())
        let control = facts.control
        let isOwn = isAuthorized && !isForOthers
        let age = age ?? Freshness.initialAge(facts, responseDelay: 0, now: now)
        let lifetime = min(freshness.lifetime, secondsLeft.map { age + $0 } ?? .max)
        let isGuessed = freshness.source == .heuristic && !keepsValidators
        if lifetime == freshness.lifetime, flags.isSubset(of: control.flags), !isOwn, !isGuessed { return }
        var all = control.flags.intersection(Self.passed.union(Self.kept)).union(flags)
        // A directive for single fields is widened to the whole answer.
        if control.flags.contains(.privateFields) || isOwn { all.insert(.private) }
        if control.flags.contains(.noCacheFields) || freshness.noCache { all.insert(.noCache) }
        if freshness.mustRevalidate { all.insert(.mustRevalidate) }
        if all.contains(.private) { all.remove(.public) }
        var directives = all.directives
        if freshness.source != .none || secondsLeft != nil { directives.append("max-age=\(lifetime)") }
        fields.removeAll { id, name in
            id == .cacheControl || id == .expires || id == .pragma || TargetedCacheControl.isTarget(name)
        }
        fields.append(.cacheControl, text: directives.joined(separator: ", "))
    }
}

extension CacheControl.Flags {
    /// The directives as they are written in a response.
    fileprivate var directives: [String] {
        let names: [(CacheControl.Flags, String)] = [
            (.noStore, "no-store"), (.private, "private"), (.public, "public"), (.noCache, "no-cache"),
            (.mustRevalidate, "must-revalidate"), (.proxyRevalidate, "proxy-revalidate"),
            (.noTransform, "no-transform"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
