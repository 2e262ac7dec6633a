/// One local route bound to one upstream request.
public struct Binding: Hashable, Sendable {
    /// Upper-case method tokens; empty stands for `ANY`.
    public var methods: [String]
    public var path: PathTemplate
    /// Name of the upstream.
    public var upstream: String
    /// The upstream method where it differs (`to: fruit POST /search`).
    public var upstreamMethod: String?
    public var upstreamPath: PathTemplate
    /// What it is made of, where it has no upstream; ``upstream`` is ``Composition/upstreamName`` then.
    public var composition: Composition?

    public var parameters: [Parameter] = []
    public var unknownParameters: UnknownParameters = .reject
    /// What the client's body has to be.
    public var body: Body = .passThrough
    /// What an upstream of GraphQL is asked, with the parameters as variables.
    public var graphQL: GraphQLDocument?
    /// Where the wanted value stands in the upstream's JSON.
    public var parent: FieldPath?
    /// Keys that the outgoing body is wrapped in, outermost first; `parent:` sets it where it consists of keys.
    public var wrap: [String] = []
    /// Type of the value; nil passes the answer through untouched.
    public var value: TypeExpression?
    /// Types of particular statuses (`value: {200: Fruit, 303: Moved}`); `value` is for the other 2xx.
    public var valueByStatus: [Int: TypeExpression] = [:]
    /// How the answer holds the rows of the value where it is no JSON document.
    public var rows: RowPolicy?
    /// How all pages of a list become one value; nil asks for one page.
    public var pages: PagePolicy?
    /// Where JSON that goes out has URLs that lead to the gateway instead of around it.
    public var localURLs: [FieldPath] = []
    public var unknownKeys: UnknownKeys = .pass
    public var keys: KeyStyle = .verbatim
    /// JSON text answered where the upstream's value is absent, or fails and `serve` has `default`.
    public var defaultJSON: String?
    public var serve: [ServeRule] = [.fresh, .stale, .default, .error]
    /// How long a client waits, where `serve` has `loading`, before it is told that the answer is on its way.
    public var patience = Duration.milliseconds(300)
    /// Whether the upstream's bearer is sent.
    public var sendsBearer = true
    /// In the place of the upstream's.
    public var credential: CredentialChoice?
    public var keep: Keep?
    public var answer: Answer = .response
    /// What its success means for answers that are stored.
    public var then: AfterWrite?
    public var cache: CachePolicy?
    /// What is noticed in answers that are of their types; nil is nothing.
    public var drift: DriftPolicy?
    public var onDrift: DriftAnswer = .fail
    /// Bytes of a checked answer held until it is proven.
    public var holdBytes: Int = 1 << 20
    /// Stop reading the upstream once every wanted slice is proven.
    public var early = false
    /// How many faults of one answer are reported.
    public var reportCount: Int = 10
    public var error: ErrorPaths?
    public var errorByStatus: [Int: ErrorPaths] = [:]
    /// Errors that come with a status of success; nil takes the upstream's.
    public var reportedError: ReportedError?
    public var timeout: UpstreamTimeouts?
    public var follow: Redirects?
    /// nil tries a failed connection at another endpoint where there is one, and retries nothing else.
    public var retry: RetryPolicy?
    public var hedge: HedgePolicy?
    /// Bytes of the client's body; nil takes the limit of the gateway.
    public var bodyBytesMax: Int?
    /// Fields of requests that are set, renamed or dropped.
    public var headers: [HeaderSetting] = []
    /// The same of answers.
    public var answerHeaders = AnswerHeaders()
    /// The field that tells attempts of one request from other requests; nil sends none of its own.
    public var idempotencyKey: IdempotencyKey?
    /// What becomes of the upstream's `Set-Cookie`.
    public var setCookie = SetCookie.pass
    /// Whether a checked answer may go to the client in a content coding, and when; nil is never.
    public var compression: Compression?
    /// The protocol that a client may change to on this route; nil offers none (RFC 9110 §7.8).
    public var upgrade: Upgrade?
    /// Pages of other origins that may use it; nil is none.
    public var crossOrigin: CrossOriginPolicy?
    /// The clients that may use it; nil is all.
    public var grants: Grants?
    /// Of all its requests together.
    public var rate: RateLimit?
    public var concurrency: ConcurrencyLimit?
    /// What stands in for the upstream, where fixtures are in use (``Configuration/fixtures``).
    public var fixture: Fixture?
    /// Further ones, which requests choose by their names.
    public var fixtures: [NamedFixture] = []
    /// How clients are told of changes; nil is not at all.
    public var watch: WatchPolicy?

    public init(
        methods: [String], path: PathTemplate, upstream: String, upstreamMethod: String? = nil,
        upstreamPath: PathTemplate
    ) {
        self.methods = methods
        self.path = path
        self.upstream = upstream
        self.upstreamMethod = upstreamMethod
        self.upstreamPath = upstreamPath
    }

    /// Where the value stands in the whole of an answer: GraphQL has it below `data`.
    public var valuePath: FieldPath {
        let path = parent ?? FieldPath(components: [])
        return graphQL == nil ? path : FieldPath(components: [.key("data")] + path.components)
    }

    /// As the configuration writes its key: `GET /fruits/{id}`.
    public var name: String {
        (methods.isEmpty ? "ANY" : methods.joined(separator: "|")) + " " + path.description
    }

    public enum UnknownParameters: String, Hashable, Sendable, CaseIterable {
        case reject, pass, drop
    }

    /// Kinds of request body.
    public enum Body: Hashable, Sendable {
        /// Goes out as it comes.
        case passThrough
        /// A body is refused (a 400).
        case none
        /// JSON of this type, checked.
        case json(TypeExpression)
        /// `application/x-www-form-urlencoded` with these fields, checked.
        case form(ObjectType)
        /// `text/plain`; a charset given here is required of the client and sent upstream.
        case text(charset: String?)
        /// Any bytes of this media type (`application/octet-stream` where nil).
        case raw(mediaType: String?)
        /// `multipart/form-data`, passed through.
        case multipart
    }

    /// What may be answered, in this order.
    public enum ServeRule: String, Hashable, Sendable, CaseIterable {
        case fresh, stale, loading, `default`, error
    }

    /// What is taken from an answer and kept.
    public struct Keep: Hashable, Sendable {
        /// Path of the token that becomes the upstream's bearer.
        public var bearer: FieldPath
        /// Path of the time of its end: seconds from now on, or a date. nil is until the next one comes.
        public var expires: FieldPath?

        public init(bearer: FieldPath, expires: FieldPath? = nil) {
            self.bearer = bearer
            self.expires = expires
        }
    }

    /// Protocols that a connection may change to.
    public enum Upgrade: String, Hashable, Sendable, CaseIterable {
        /// RFC 6455: a tunnel once the upstream has agreed.
        case websocket
        /// Calls of gRPC, over HTTP/2 on both sides.
        case grpc
    }

    /// What becomes of cookies that an upstream sets.
    public enum SetCookie: String, Hashable, Sendable, CaseIterable {
        /// They reach the client; a stored answer has none.
        case pass
        case drop
        /// A stored answer keeps them, so that every client that gets the answer gets them.
        case store
    }

    /// Whether the upstream's `Set-Cookie` reaches the client.
    public var passesSetCookie: Bool { setCookie != .drop }

    /// Whether a stored answer keeps its `Set-Cookie`.
    public var storesSetCookie: Bool { setCookie == .store }

    /// What a client that sent a value gets back.
    public enum Answer: String, Hashable, Sendable, CaseIterable {
        /// The upstream's answer.
        case response
        /// The value that was sent, once the upstream has accepted it.
        case echo
    }
}
