/// `cache:` of a binding; nil fields leave the decision to the upstream's fields.
public struct CachePolicy: Hashable, Sendable {
    public var fresh: Duration?
    public var staleWhileRevalidate: Duration?
    public var staleIfError: Duration?
    public var retryAfterError: Duration?
    /// Request fields that select among stored answers, beside the upstream's `Vary`.
    public var vary: [String] = []
    /// Parameters that make the key; nil means all.
    public var key: [String]?
    /// Whether each client has its own entries.
    public var isPrivate = false
    /// Names for purging.
    public var tags: [String] = []

    public init() {}

    /// Whether `vary:` names a field that tells the client's address: then answers are kept apart by it.
    public var variesOnAddress: Bool {
        vary.contains { ["forwarded", "x-forwarded-for", "x-real-ip"].contains($0.lowercased()) }
    }
}
