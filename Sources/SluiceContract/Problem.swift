/// The one error model: everything that can go wrong, whoever's fault it was, is a `Problem` until `normalise` writes
/// it in the configured envelope (RFC 9457 by default).
public struct Problem: Hashable, Sendable, Error {
    public var kind: Kind
    public var source: Source
    /// HTTP status code of the answer.
    public var status: Int
    /// One or two plain sentences for the person who reads it; never a credential, never another client's data.
    public var detail: String
    /// One entry per fault, for parameters and types that broke.
    public var faults: [Fault] = []
    /// The upstream's own code for its error, read through the `error: {code: …}` path.
    public var upstreamCode: String?
    /// The upstream's name in the configuration.
    public var upstream: String?
    /// Whether the same request may succeed later.
    public var isRetryable: Bool = false
    /// Seconds for `Retry-After`.
    public var retryAfterSeconds: Int?
    /// Fields that belong to the status, such as `WWW-Authenticate` of a 401 (RFC 9110 §15.5.2).
    public var fields: [HeaderSetting] = []
    /// Methods for `Allow` on a 405 of our own.
    public var allow: [String] = []
    /// The part of a composed binding that has failed, by its name; of a part that is composed itself, its part behind
    /// a dot.
    public var part: String?
    /// Parts of a composed binding that have changed something before it failed; nothing is undone.
    public var done: [String] = []

    public init(_ kind: Kind, source: Source? = nil, status: Int? = nil, detail: String) {
        self.kind = kind
        self.source = source ?? kind.source
        self.status = status ?? kind.status
        self.detail = detail
        self.isRetryable = kind.isRetryable
        if kind == .overloaded { retryAfterSeconds = 1 }
    }

    /// Who caused it.
    public enum Source: String, Hashable, Sendable, CaseIterable {
        case client, gateway, upstream, network
    }

    /// One thing that was not as declared.
    public struct Fault: Hashable, Sendable {
        /// Parameter name, or JSON path (`$.values[3].size`).
        public var name: String
        /// Where: `path`, `query`, `header`, `cookie`, `body`, or `response`.
        public var location: String
        public var expected: String
        /// Kind and text of what was there, cut to 64 bytes.
        public var found: String
        /// Byte offset in the document, where the fault is in one.
        public var offset: Int?
        /// A nearest known name, or what to do.
        public var hint: String?

        public init(
            name: String, location: String, expected: String, found: String, offset: Int? = nil, hint: String? = nil
        ) {
            self.name = name
            self.location = location
            self.expected = expected
            self.found = found
            self.offset = offset
            self.hint = hint
        }
    }
}
