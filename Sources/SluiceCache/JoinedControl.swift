internal import SluiceContract
public import SluiceHTTP

/// Joins the caching directives of several responses that one answer is made of: the answer is no fresher than any of
/// them, and shared no more widely (RFC 9111 §3, §4.1, §4.2).
public struct JoinedControl: Sendable {
    public private(set) var flags = CacheControl.Flags()
    /// Seconds from the head of the answer until the first of the responses is stale; nil where none limits it.
    public private(set) var secondsLeft: Int?
    /// Whether all of them may be reused for other clients although a credential was sent (RFC 9111 §3.5).
    private var isForOthers = true

    private static let passed: CacheControl.Flags = [.noStore, .private, .mustRevalidate, .proxyRevalidate]
    private static let kept: CacheControl.Flags = [.noTransform, .public]

    public init() {}

    /// Adds what has been read of a response.
    /// - Parameters:
    ///   - flags: directives that hold for the whole answer.
    ///   - seconds: from the head of the answer until the response is stale; nil where it does not limit the answer.
    public mutating func add(_ flags: CacheControl.Flags, isForOthers: Bool, secondsLeft seconds: Int?) {
        self.flags.formUnion(flags)
        if !isForOthers { self.isForOthers = false }
        if let seconds { secondsLeft = min(secondsLeft ?? .max, seconds) }
    }

    /// - Parameters:
    ///   - elapsed: seconds since the head of the answer.
    ///   - holds: the response counts as always fresh where it has no freshness information.
    public mutating func add(
        _ status: Int, _ fields: borrowing HeaderBlock, after elapsed: Int, holds: Bool, now: Int
    ) {
        let facts = CacheFacts(status: status, fields, now: now)
        let freshness = Freshness(facts, CachePolicy())
        var flags = facts.control.flags.intersection(Self.passed)
        if freshness.noCache { flags.insert(.noCache) }
        if freshness.mustRevalidate { flags.insert(.mustRevalidate) }
        var seconds: Int?
        if freshness.source != .none || !holds {
            seconds = elapsed + freshness.secondsLeft(at: Freshness.initialAge(facts, responseDelay: 0, now: now))
        }
        add(flags, isForOthers: Storability.allowsAuthorized(facts.control), secondsLeft: seconds)
    }

    /// One of the responses may not be stored at all.
    public mutating func forbid() { flags.insert(.noStore) }

    /// Whether the answer is only for the client whose credentials were sent (RFC 9111 §3.5).
    /// - Parameter isAuthorized: credentials of the client were sent to the upstream.
    public func isOwn(isAuthorized: Bool) -> Bool { isAuthorized && !isForOthers }

    /// Restricts the caching directives of the fields of one more response accordingly: that which gives the answer its
    /// head.
    /// - Parameters:
    ///   - age: seconds, the age of the response with these fields when it came; nil computes it as of now.
    ///   - isAuthorized: credentials of the client were sent to the upstream.
    ///   - keepsValidators: whether the fields keep what a heuristic lifetime is computed from.
    public func restrict(
        _ fields: inout HeaderBlock, of status: Int, age: Int? = nil, isAuthorized: Bool, keepsValidators: Bool,
        now: Int
    ) {
        let facts = CacheFacts(status: status, fields, now: now)
        let own = Freshness(facts, CachePolicy())
        var joined = own
        if let secondsLeft {
            joined.limit(to: secondsLeft, at: age ?? Freshness.initialAge(facts, responseDelay: 0, now: now))
        }
        let control = facts.control
        let isOwn = isOwn(isAuthorized: isAuthorized)
        let isGuessed = own.source == .heuristic && !keepsValidators
        if joined == own, flags.isSubset(of: control.flags), !isOwn, !isGuessed { return }
        var all = CacheControl()
        all.flags = control.flags.intersection(Self.passed.union(Self.kept)).union(flags)
        // A directive for single fields is widened to the whole answer.
        if control.flags.contains(.privateFields) || isOwn { all.flags.insert(.private) }
        if control.flags.contains(.noCacheFields) || own.noCache { all.flags.insert(.noCache) }
        if own.mustRevalidate { all.flags.insert(.mustRevalidate) }
        if all.flags.contains(.private) { all.flags.remove(.public) }
        if own.source != .none || secondsLeft != nil { all.maxAge = joined.lifetime }
        fields.removeAll { id, name in
            id == .cacheControl || id == .expires || id == .pragma || TargetedCacheControl.isTarget(name)
        }
        fields.append(.cacheControl, text: all.text)
    }
}
