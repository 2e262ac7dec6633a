public import SluiceContract

/// Whether a stored response answers a request (RFC 9111 §4), and if not, why the upstream is asked.
public enum Reuse: Equatable, Sendable {
    /// As it is.
    case fresh
    /// Stale, and the client or the binding takes it so (RFC 9111 §4.2.4).
    case stale
    /// Stale, while a new response is fetched (RFC 5861 §3).
    case staleWhileRevalidate
    /// The upstream is asked.
    case forward(Reason)

    /// Why the upstream is asked: the words of `Cache-Status: …; fwd=` (RFC 9211 §2.2).
    public enum Reason: String, Sendable, CaseIterable {
        case bypass, method, uriMiss = "uri-miss", varyMiss = "vary-miss", miss, request, stale, partial
    }

    /// Age and freshness of a stored response.
    public struct Stored: Sendable, Equatable {
        /// Seconds.
        public var age: Int
        public var freshness: Freshness

        public init(age: Int, freshness: Freshness) {
            self.age = age
            self.freshness = freshness
        }

        /// Seconds past the lifetime; negative while fresh.
        public var staleness: Int { age - freshness.lifetime }
    }

    /// - Parameters:
    ///   - request: directives of the request (RFC 9111 §5.2.1).
    ///   - serve: what the binding allows, in its order.
    public static func decide(
        _ stored: Stored, request: CacheControl, serve: [Binding.ServeRule]
    ) -> Reuse {
        ReuseRule.find(stored, request: request, serve: serve).reuse
    }

    /// Whether a stale response may be answered because the upstream failed (RFC 5861 §4).
    public static func mayServeOnError(
        _ stored: Stored, request: CacheControl, serve: [Binding.ServeRule]
    ) -> Bool {
        guard serve.contains(.stale), !stored.freshness.mustRevalidate, !stored.freshness.noCache,
            !request.flags.contains(.noCache)
        else { return false }
        let window = max(stored.freshness.staleIfError, request.staleIfError ?? 0)
        return stored.staleness < 0 || window > 0 && stored.staleness <= window
    }
}
