public import SluiceContract

/// How long a response is fresh and what may happen after that (RFC 9111 §4.2, RFC 5861).
public struct Freshness: Sendable, Equatable {
    /// Where the lifetime comes from.
    public enum Source: String, Sendable {
        /// The binding's `fresh:`.
        case policy
        case sMaxAge = "s-maxage"
        case maxAge = "max-age"
        case expires
        case heuristic
        /// No lifetime is stated, and there is nothing to guess one from.
        case none
    }

    /// Seconds.
    public var lifetime: Int
    public var source: Source
    /// Seconds after the lifetime (RFC 5861 §3, §4); 0 is not at all.
    public var staleWhileRevalidate: Int
    public var staleIfError: Int
    /// Never reused once stale (RFC 9111 §4.2.4).
    public var mustRevalidate: Bool
    /// Never reused without validation, however fresh (RFC 9111 §5.2.2.4).
    public var noCache: Bool

    /// The share of its age that a response without explicit lifetime stays fresh (RFC 9111 §4.2.2), and the most.
    private static let heuristicDivisor = 10
    private static let heuristicSecondsMax = 86_400

    init(
        lifetime: Int, source: Source, staleWhileRevalidate: Int, staleIfError: Int, mustRevalidate: Bool,
        noCache: Bool
    ) {
        self.lifetime = lifetime
        self.source = source
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.mustRevalidate = mustRevalidate
        self.noCache = noCache
    }

    public init(_ facts: CacheFacts, _ policy: CachePolicy) {
        let control = facts.control
        let isLasting = Self.isLasting(facts.status)
        let fresh = isLasting ? policy.fresh : nil
        if let fresh {
            (lifetime, source) = (fresh.cacheSeconds, .policy)
        } else if let seconds = control.sMaxAge, !policy.isPrivate {
            (lifetime, source) = (seconds, .sMaxAge)
        } else if let seconds = control.maxAge {
            (lifetime, source) = (seconds, .maxAge)
        } else if let expires = facts.expires {
            (lifetime, source) = (expires == .min ? 0 : max(0, expires - facts.date), .expires)
        } else if let modified = facts.lastModified, modified < facts.date, Self.isHeuristic(facts) {
            let guess = (facts.date - modified) / Self.heuristicDivisor
            (lifetime, source) = (min(guess, Self.heuristicSecondsMax), .heuristic)
        } else {
            (lifetime, source) = (0, .none)
        }
        let flags = control.flags
        // The binding's `fresh:` was written knowing what the upstream sends, so it counts.
        let isOverridden = fresh != nil
        noCache = !isOverridden && (flags.contains(.noCache) || facts.hasPragmaNoCache)
        mustRevalidate =
            flags.contains(.mustRevalidate) || flags.contains(.proxyRevalidate) && !policy.isPrivate
            || control.sMaxAge != nil && !policy.isPrivate && !isOverridden
        let (whileRevalidate, ifError) =
            isLasting ? (policy.staleWhileRevalidate, policy.staleIfError) : (nil, nil)
        staleWhileRevalidate = whileRevalidate?.cacheSeconds ?? control.staleWhileRevalidate ?? 0
        staleIfError = ifError?.cacheSeconds ?? control.staleIfError ?? 0
    }

    /// Whether the binding's times apply to a status: a representation, its location, or that there is none. Any other
    /// error is kept as long as its upstream says, or as `retry-after-error:` does.
    private static func isLasting(_ status: Int) -> Bool { status < 400 || status == 404 || status == 410 }

    /// Seconds for which a response of this age is still fresh.
    func secondsLeft(at age: Int) -> Int { max(0, lifetime - age) }

    /// Ends the lifetime of an answer of this age in `seconds` at the latest: something in it is stale then.
    mutating func limit(to seconds: Int, at age: Int) { lifetime = min(lifetime, age + seconds) }

    /// - Parameter seconds: nil does not limit it.
    func limited(to seconds: Int?, at age: Int) -> Freshness {
        guard let seconds else { return self }
        var limited = self
        limited.limit(to: seconds, at: age)
        return limited
    }

    /// Whether a lifetime was stated and not guessed.
    public var isExplicit: Bool { source != .heuristic && source != .none }

    /// Statuses whose responses may be guessed about (RFC 9110 §15.1), and any that says `public` (RFC 9111 §5.2.2.9).
    private static func isHeuristic(_ facts: CacheFacts) -> Bool {
        switch facts.status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: facts.control.flags.contains(.public)
        }
    }

    /// `corrected_initial_age` (RFC 9111 §4.2.3), seconds.
    /// - Parameters:
    ///   - responseDelay: from the request to the response, seconds.
    ///   - now: Unix seconds when the response arrived.
    public static func initialAge(_ facts: CacheFacts, responseDelay: Int, now: Int) -> Int {
        let apparent = max(0, now - facts.date)
        return max(apparent, facts.age + max(0, responseDelay))
    }
}

extension Duration {
    /// Whole seconds, at least 1 for what is longer than nothing.
    package var cacheSeconds: Int {
        let seconds = Int(clamping: components.seconds)
        return seconds == 0 && components.attoseconds > 0 ? 1 : max(0, min(seconds, CacheControl.secondsMax))
    }
}
