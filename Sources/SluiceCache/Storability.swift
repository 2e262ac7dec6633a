public import SluiceContract

/// Whether a response may be stored (RFC 9111 §3), and if not, why.
public enum Storability: Equatable, Sendable {
    case store
    case refuse(Reason)

    /// Why a response is not stored: the words of `Cache-Status: …; detail=` (RFC 9211 §2.8).
    public enum Reason: String, Sendable, CaseIterable {
        case method, noStore = "no-store", requestNoStore = "request-no-store", isPrivate = "private"
        /// The request carried credentials and nothing says that others may see the answer (RFC 9111 §3.5).
        case authorization
        case unknownStatus = "status-not-understood", partial, status
        case varyStar = "vary-star"
        /// A page of a list varies by other fields than the first (RFC 9111 §4.1).
        case pageVaries = "page-varies"
        /// No lifetime, and no validator for a conditional request.
        case noFreshness = "no-freshness"
        case setCookie = "set-cookie"
        case tooLarge = "too-large"
        /// The connection ended before the answer was complete (RFC 9111 §3.3).
        case incomplete
        /// The answer was not of its type.
        case failed
        case trailers
    }

    /// - Parameters:
    ///   - request: directives of the request.
    ///   - hasAuthorization: whether the client's own credentials went upstream.
    ///   - keepsSetCookie: whether the binding stores `Set-Cookie` (`set-cookie: store`).
    public static func decide(
        _ facts: CacheFacts, _ freshness: Freshness, request: CacheControl, hasAuthorization: Bool,
        keepsSetCookie: Bool, _ policy: CachePolicy
    ) -> Storability {
        let flags = facts.control.flags
        if request.flags.contains(.noStore) { return .refuse(.requestNoStore) }
        if flags.contains(.mustUnderstand) {
            // The directive overrides no-store for caches that understand the status (RFC 9111 §5.2.2.3).
            if !isUnderstood(facts.status) { return .refuse(.unknownStatus) }
        } else if flags.contains(.noStore) {
            return .refuse(.noStore)
        }
        if facts.status == 206 || facts.status == 304 { return .refuse(.partial) }
        if facts.status < 200 { return .refuse(.status) }
        if flags.contains(.private), !policy.isPrivate { return .refuse(.isPrivate) }
        if hasAuthorization, !policy.isPrivate, !allowsAuthorized(facts.control) {
            return .refuse(.authorization)
        }
        if facts.variesOnAnything { return .refuse(.varyStar) }
        let retries =
            facts.status >= 400 && speaksOfResource(facts.status) && policy.retryAfterError != nil
            && !freshness.isExplicit
        if freshness.lifetime == 0, !facts.hasValidator, !retries { return .refuse(.noFreshness) }
        if freshness.source == .none, !isCacheable(facts.status), !flags.contains(.public), !retries {
            return .refuse(.status)
        }
        if facts.hasSetCookie, !freshness.isExplicit, !keepsSetCookie { return .refuse(.setCookie) }
        return .store
    }

    /// Whether a response to a request with `Authorization` may be given to others (RFC 9111 §3.5).
    public static func allowsAuthorized(_ control: CacheControl) -> Bool {
        !control.flags.isDisjoint(with: [.public, .mustRevalidate]) || control.sMaxAge != nil
    }

    /// Whether an error concerns the resource or its server, and not the way this client asked, which may differ from
    /// other clients' (RFC 9110 §15.5).
    public static func speaksOfResource(_ status: Int) -> Bool {
        switch status {
        case 400, 406, 411...413, 415...417, 421, 422, 425, 426, 428, 431: false
        default: true
        }
    }

    /// Statuses whose caching behaviour is known here (RFC 9110 §15).
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...204, 300, 301, 302, 303, 307, 308, 400...410, 413...415, 421...422, 426, 428, 431, 451: true
        case 500...505, 511: true
        default: false
        }
    }

    /// Heuristically cacheable (RFC 9110 §15.1).
    private static func isCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
