internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What responses say of being stored that one answer is made of, beside the one whose head it has: it is no fresher
/// than any of them, and for no more people (RFC 9111 §3, §4.1, §4.2).
struct JoinedControl {
    private var flags = CacheControl.Flags()
    /// From the head of the answer until the first of them is stale; nil where none says so.
    private var secondsLeft: Int?
    /// Whether all of them may be reused for others although a credential was shown (RFC 9111 §3.5).
    private var isForOthers = true

    private static let passed: CacheControl.Flags = [.noStore, .private, .mustRevalidate, .proxyRevalidate]
    private static let kept: CacheControl.Flags = [.noTransform, .public]

    /// - Parameters:
    ///   - elapsed: since the head of the answer, seconds.
    ///   - holds: it is good for as long as need be, where it says nothing of that.
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

    /// One of them may not be stored, whatever for.
    mutating func forbid() { flags.insert(.noStore) }

    /// Says in the fields of the answer what they say.
    /// - Parameters:
    ///   - age: of the response that they are of, when it came, seconds; nil for what they say of that now.
    ///   - isAuthorized: credentials of the client have gone upstream.
    ///   - keepsValidators: whether what can be guessed of its lifetime stays in it.
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
        // Of a field that is not stored, the rest of the answer is not told apart any more.
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
    /// As they are written in a response.
    fileprivate var directives: [String] {
        let names: [(CacheControl.Flags, String)] = [
            (.noStore, "no-store"), (.private, "private"), (.public, "public"), (.noCache, "no-cache"),
            (.mustRevalidate, "must-revalidate"), (.proxyRevalidate, "proxy-revalidate"),
            (.noTransform, "no-transform"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
