/// The one error model: everything that can go wrong, whichever side caused it, is a `Problem` until `normalise` writes
/// it in the configured envelope (RFC 9457 by default).
///
/// One word of memory: every stage of a request returns an optional one, and it is mostly nil.
public struct Problem: Hashable, Sendable, Error {
    private var boxed: Boxed

    private var content: Content {
        get {
            switch boxed {
            case .content(let content): content
            }
        }
        set { boxed = .content(newValue) }
    }

    public var kind: Kind {
        get { content.kind }
        set { content.kind = newValue }
    }
    public var source: Source {
        get { content.source }
        set { content.source = newValue }
    }
    /// HTTP status code of the answer.
    public var status: Int {
        get { content.status }
        set { content.status = newValue }
    }
    /// One or two plain sentences for the person who reads it; never a credential, never another client's data.
    public var detail: String {
        get { content.detail }
        set { content.detail = newValue }
    }
    /// One entry per fault, for parameters and types that broke.
    public var faults: [Fault] {
        get { content.faults }
        set { content.faults = newValue }
    }
    /// The upstream's own code for its error, read through the `error: {code: …}` path.
    public var upstreamCode: String? {
        get { content.upstreamCode }
        set { content.upstreamCode = newValue }
    }
    /// The upstream's name in the configuration.
    public var upstream: String? {
        get { content.upstream }
        set { content.upstream = newValue }
    }
    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        get { content.isRetryable }
        set { content.isRetryable = newValue }
    }
    /// Seconds for `Retry-After`.
    public var retryAfterSeconds: Int? {
        get { content.retryAfterSeconds }
        set { content.retryAfterSeconds = newValue }
    }
    /// Fields that belong to the status, such as `WWW-Authenticate` of a 401 (RFC 9110 §15.5.2).
    public var fields: [HeaderSetting] {
        get { content.fields }
        set { content.fields = newValue }
    }
    /// Methods for `Allow` on a 405 of our own.
    public var allow: [String] {
        get { content.allow }
        set { content.allow = newValue }
    }
    /// The part of a composed binding that has failed, by its name; of a part that is composed itself, its part behind
    /// a dot.
    public var part: String? {
        get { content.part }
        set { content.part = newValue }
    }
    /// Parts of a composed binding that have changed something before it failed; nothing is undone.
    public var done: [String] {
        get { content.done }
        set { content.done = newValue }
    }

    public init(_ kind: Kind, source: Source? = nil, status: Int? = nil, detail: String) {
        boxed = .content(
            Content(
                kind: kind, source: source ?? kind.source, status: status ?? kind.status, detail: detail,
                isRetryable: kind.isRetryable, retryAfterSeconds: kind == .overloaded ? 1 : nil))
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
        /// The name without what is data: keys of dictionaries are `[*]`. Nil where it is the name.
        public var place: String?
        public var reason: Reason

        /// What is the matter, for programs: the texts are for people.
        public enum Reason: Hashable, Sendable {
            /// Something is not as expected.
            case value
            /// There is nothing where something is expected.
            case missing
            /// An object has a key that its type does not name.
            case undeclaredKey
        }

        public init(
            name: String, location: String, expected: String, found: String, offset: Int? = nil, hint: String? = nil,
            place: String? = nil, reason: Reason = .value
        ) {
            self.name = name
            self.location = location
            self.expected = expected
            self.found = found
            self.offset = offset
            self.hint = hint
            self.place = place
            self.reason = reason
        }
    }

    private indirect enum Boxed: Hashable {
        case content(Content)
    }

    private struct Content: Hashable {
        var kind: Kind
        var source: Source
        var status: Int
        var detail: String
        var faults: [Fault] = []
        var upstreamCode: String?
        var upstream: String?
        var isRetryable: Bool
        var retryAfterSeconds: Int?
        var fields: [HeaderSetting] = []
        var allow: [String] = []
        var part: String?
        var done: [String] = []
    }
}
