internal import SluiceContract
public import SluiceHTTP

/// Joins the caching directives of several responses that one answer is made of: the answer is no fresher than any of
/// them, and shared no more widely (RFC 9111 §3, §4.1, §4.2). Moments are in seconds, counted from any zero that is the
/// same for all.
public struct JoinedControl: Sendable {
    public private(set) var flags = CacheControl.Flags()
    /// The moment when the first of the responses becomes stale in shared caches; nil where none limits it.
    private var end: Int?
    /// The same in private caches, for which `s-maxage` and `proxy-revalidate` are not meant (RFC 9111 §5.2.2.10).
    private var privateEnd: Int?
    /// Whether all of them may be reused for other clients although a credential was sent (RFC 9111 §3.5).
    private var isForOthers = true

    private static let passed: CacheControl.Flags = [.noStore, .private, .mustRevalidate, .proxyRevalidate]
    private static let kept: CacheControl.Flags = [.noTransform, .public]

    public init() {}

    /// Adds what has been read of a response.
    /// - Parameters:
    ///   - flags: directives that hold for the whole answer.
    ///   - end: the moment when the response becomes stale in shared caches, and in private ones; nil where it does not
    ///     limit the answer.
    public mutating func add(
        _ flags: CacheControl.Flags, isForOthers: Bool, end: (shared: Int?, private: Int?)
    ) {
        self.flags.formUnion(flags)
        if !isForOthers { self.isForOthers = false }
        self.end = Self.least(self.end, end.shared)
        privateEnd = Self.least(privateEnd, end.private)
    }

    private static func least(_ one: Int?, _ other: Int?) -> Int? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Writes lifetimes that are the same for all caches as `max-age`; other ones as that of private caches, and
    /// `s-maxage`.
    public static func write(shared: Int?, private own: Int?, into control: inout CacheControl) {
        control.maxAge = own
        if shared != own { control.sMaxAge = shared }
    }

    /// How long the first of the responses is fresh from this moment on.
    public func lifetimes(at moment: Int) -> (shared: Int?, private: Int?) {
        (end.map { max(0, $0 - moment) }, privateEnd.map { max(0, $0 - moment) })
    }

    /// - Parameters:
    ///   - moment: when the response came.
    ///   - holds: the response counts as always fresh where it has no freshness information.
    public mutating func add(
        _ status: Int, _ fields: borrowing HeaderBlock, at moment: Int, holds: Bool, now: Int
    ) {
        for (index, facts) in CacheFacts.readings(status: status, fields, now: now).enumerated() {
            let age = Freshness.initialAge(facts, responseDelay: 0, now: now)
            add(facts, isOurs: index == 0, age: age, at: moment, holds: holds)
        }
    }

    /// - Parameters:
    ///   - isOurs: these are the facts for this cache. Those for others limit what shared caches do only where they
    ///     state a lifetime.
    ///   - age: seconds, of the response when it came.
    private mutating func add(_ facts: CacheFacts, isOurs: Bool, age: Int, at moment: Int, holds: Bool) {
        let freshness = Freshness(facts, CachePolicy())
        var flags = facts.control.flags.intersection(Self.passed)
        if freshness.noCache { flags.insert(.noCache) }
        if freshness.mustRevalidate { flags.insert(.mustRevalidate) }
        func end(_ freshness: Freshness) -> Int? {
            freshness.source == .none && holds ? nil : moment + freshness.secondsLeft(at: age)
        }
        let shared = isOurs || freshness.isExplicit ? end(freshness) : nil
        add(
            flags, isForOthers: !isOurs || Storability.allowsAuthorized(facts.control),
            end: (shared, end(Freshness(facts, Self.privately))))
    }

    /// The policy of a private cache.
    private static let privately: CachePolicy = {
        var policy = CachePolicy()
        policy.isPrivate = true
        return policy
    }()

    /// One of the responses may not be stored at all.
    public mutating func forbid() { flags.insert(.noStore) }

    /// Whether the answer is only for the client whose credentials were sent (RFC 9111 §3.5).
    /// - Parameter isAuthorized: credentials of the client were sent to the upstream.
    public func isOwn(isAuthorized: Bool) -> Bool { isAuthorized && !isForOthers }

    /// Restricts the caching directives of the fields of one more response accordingly: that which gives the answer its
    /// head.
    /// - Parameters:
    ///   - age: seconds, the age of the response with these fields when it came; nil computes it as of now.
    ///   - moment: when it came.
    ///   - isAuthorized: credentials of the client were sent to the upstream.
    ///   - keepsValidators: whether the fields keep what a heuristic lifetime is computed from.
    public func restrict(
        _ fields: inout HeaderBlock, of status: Int, age: Int? = nil, at moment: Int = 0, isAuthorized: Bool,
        keepsValidators: Bool, now: Int
    ) {
        let readings = CacheFacts.readings(status: status, fields, now: now)
        let facts = readings[0]
        let age = age ?? Freshness.initialAge(facts, responseDelay: 0, now: now)
        let isOwn = isOwn(isAuthorized: isAuthorized)
        let left = lifetimes(at: moment)
        if !isOwn, readings.allSatisfy({ says($0, at: age, left, keepsValidators: keepsValidators) }) { return }
        // One field takes the place of all: what any cache is asked for holds for all of them.
        var joined = self
        for other in readings.dropFirst() { joined.add(other, isOurs: false, age: age, at: moment, holds: false) }
        let control = joined.restricted(
            facts, at: age, joined.lifetimes(at: moment),
            isOwn: isOwn || isAuthorized && !Storability.allowsAuthorized(facts.control))
        fields.removeAll { id, name in
            id == .cacheControl || id == .expires || id == .pragma || TargetedCacheControl.isTarget(name)
        }
        fields.append(.cacheControl, text: control.text)
    }

    /// Whether a head with these facts says all that has to be said.
    /// - Parameter left: the lifetimes of the others.
    private func says(
        _ facts: CacheFacts, at age: Int, _ left: (shared: Int?, private: Int?), keepsValidators: Bool
    ) -> Bool {
        let own = Freshness(facts, CachePolicy())
        let ownPrivate = Freshness(facts, Self.privately)
        return flags.isSubset(of: facts.control.flags) && (own.source != .heuristic || keepsValidators)
            && own.limited(to: left.shared, at: age) == own
            && ownPrivate.limited(to: left.private, at: age) == ownPrivate
    }

    private func restricted(
        _ facts: CacheFacts, at age: Int, _ left: (shared: Int?, private: Int?), isOwn: Bool
    ) -> CacheControl {
        let own = Freshness(facts, CachePolicy())
        let ownPrivate = Freshness(facts, Self.privately)
        let control = facts.control
        var all = CacheControl()
        all.flags = control.flags.intersection(Self.passed.union(Self.kept)).union(flags)
        // A directive for single fields is widened to the whole answer.
        if control.flags.contains(.privateFields) || isOwn { all.flags.insert(.private) }
        if control.flags.contains(.noCacheFields) || own.noCache { all.flags.insert(.noCache) }
        if own.mustRevalidate { all.flags.insert(.mustRevalidate) }
        if all.flags.contains(.private) { all.flags.remove(.public) }
        func lifetime(_ own: Freshness, _ left: Int?) -> Int? {
            own.source == .none && left == nil ? nil : own.limited(to: left, at: age).lifetime
        }
        Self.write(shared: lifetime(own, left.shared), private: lifetime(ownPrivate, left.private), into: &all)
        return all
    }
}
