internal import SluiceContract

/// `Cache-Status` (RFC 9211): what the cache did with a request, and why.
public struct CacheStatus: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        case hit
        case forwarded(Reuse.Reason)
    }

    public var outcome: Outcome
    /// Seconds of freshness left; negative once stale (RFC 9211 §2.6).
    public var ttl: Int?
    /// The upstream's status, where the client got another one (RFC 9211 §2.3).
    public var forwardStatus: Int?
    public var isStored = false
    /// Whether the request waited for another client's request (RFC 9211 §2.5).
    public var isCollapsed = false
    public var detail: String?

    public init(_ outcome: Outcome) {
        self.outcome = outcome
    }

    /// The cache's name in the field (RFC 9211 §2).
    public static var name: StaticString { "sluice" }

    /// The field's value.
    public var text: String {
        var text = "sluice"
        switch outcome {
        case .hit: text += "; hit"
        case .forwarded(let reason): text += "; fwd=\(reason.rawValue)"
        }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let ttl { text += "; ttl=\(ttl)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let detail { text += "; detail=\(detail)" }
        return text
    }
}
