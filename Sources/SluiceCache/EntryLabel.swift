/// Names of a stored response, for lists and purges; no caching decision depends on them.
public struct EntryLabel: Sendable {
    /// Shared by all entries of a binding: one object for all of them.
    public final class Source: Sendable {
        /// As the configuration writes it: `GET /fruits/{id}`.
        public let binding: String
        /// `tags:` of the binding's `cache:`.
        public let tags: [String]

        public init(binding: String, tags: [String]) {
            self.binding = binding
            self.tags = tags
        }
    }

    /// nil for an entry that is not an answer (a note of what selects among answers).
    public var source: Source?
    /// The local target of the request that the response was stored for, with its query.
    public var target: [UInt8]
    /// `Cache-Groups` (RFC 9875).
    public var groups: [[UInt8]]

    public init(_ source: Source? = nil, target: [UInt8] = [], groups: [[UInt8]] = []) {
        self.source = source
        self.target = target
        self.groups = groups
    }
}
