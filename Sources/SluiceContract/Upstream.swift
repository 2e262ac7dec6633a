/// An API that bindings point to.
public struct Upstream: Hashable, Sendable {
    public var name: String
    public var origin: Origin
    /// Further endpoints of the same scheme, which serve the same.
    public var alternates: [Origin] = []
    /// Path in front of every binding's, without a trailing slash; may be empty.
    public var basePath: String
    public var bearer: TokenSource?
    /// Which of ``Configuration/credentials`` its requests show; nil where it has none, or ``bearer``.
    public var credential: CredentialChoice?
    public var timeout = UpstreamTimeouts()
    public var error = ErrorPaths()
    public var errorByStatus: [Int: ErrorPaths] = [:]
    /// Errors that it reports with a status of success.
    public var reportedError = ReportedError()
    public var tls = ClientTLS()
    /// The version of HTTP that it is spoken to in.
    public var httpVersion = HTTPVersionChoice.auto
    /// Fixed fields sent with every request.
    public var headers: [HeaderSetting] = []
    public var host: HostField = .upstream
    public var forwarded: ForwardedFields = .xForwarded
    public var follow: Redirects = .pass
    public var keys: KeyStyle = .verbatim
    /// The codings that its answers may come in where they are read here; none is `identity`.
    public var acceptedCodings: [ContentCoding] = ContentCoding.allCases
    /// Idle connections kept per event loop.
    public var idleConnectionsMax: Int = 256
    /// How long an idle connection is kept.
    public var idle: Duration = .seconds(60)
    /// An HTTP/2 connection on which nothing has been heard for so long is asked whether it still is one (PING).
    public var ping: Duration = .seconds(30)
    /// How long the answer to that may take.
    public var pingTimeout: Duration = .seconds(10)
    /// How long a request may wait for others on a busy HTTP/2 connection, to leave in one write; 0 is not at all.
    public var gather: Duration = .milliseconds(1)
    /// Connections per event loop, busy ones included.
    public var connectionsMax: Int = 256
    /// Requests waiting for a connection, per event loop.
    public var queueMax: Int = 1024
    /// Of all requests to it together.
    public var rate: RateLimit?
    public var concurrency: ConcurrencyLimit?
    /// The longest time that its own `Retry-After` or an empty `RateLimit` quota is obeyed; 0 ignores them.
    public var pauseMax: Duration = .seconds(60)
    /// nil rests failing endpoints only where there are others, and refuses nothing.
    public var breaker: BreakerPolicy?
    public var health: HealthPolicy?
    public var retryBudget = RetryBudgetPolicy()

    public init(name: String, origin: Origin, basePath: String = "") {
        self.name = name
        self.origin = origin
        self.basePath = basePath
    }

    /// All origins, in the order of the configuration.
    public var endpoints: [Origin] { [origin] + alternates }

    /// How many endpoints one upstream may have.
    public static let endpointsMax = 64

    /// Where connections go.
    public enum Origin: Hashable, Sendable {
        case tcp(host: String, port: Int, tls: Bool)
        /// A Unix socket (`unix:/run/x.sock`); plain HTTP.
        case unix(path: String)
    }

    /// `protocol:`.
    public enum HTTPVersionChoice: String, Hashable, Sendable, CaseIterable {
        /// What the TLS handshake settles on (RFC 7301), HTTP/2 preferred; HTTP/1.1 without TLS.
        case auto
        /// HTTP/1.1 alone.
        case h1
        /// HTTP/2 over TLS alone.
        case h2
        /// HTTP/2 without TLS, by prior knowledge (RFC 9113 §3.3).
        case h2c
    }

    /// What `Host` says.
    public enum HostField: Hashable, Sendable {
        /// The upstream's own name.
        case upstream
        /// What the client sent.
        case client
        case fixed(String)
    }

    /// Which fields tell the upstream about the client.
    public enum ForwardedFields: String, Hashable, Sendable, CaseIterable {
        /// `X-Forwarded-For`, `-Proto`, `-Host`.
        case xForwarded = "x-forwarded"
        /// RFC 7239 `Forwarded`.
        case rfc7239 = "forwarded"
        case both
        /// None; what the client sent of them is dropped.
        case none
        /// What the client sent passes as it came.
        case pass
    }

    /// Certificates towards an upstream.
    public struct ClientTLS: Hashable, Sendable {
        /// Extra trusted authorities, a PEM file.
        public var ca: String?
        /// Client certificate chain and key, PEM files.
        public var certificate: String?
        public var key: String?
        /// The name verified and sent as SNI where it is not the URL's host.
        public var serverName: String?
        /// Off only for experiments: anyone on the way can then read the token.
        public var verify = true

        public init() {}
    }
}

/// Where a bearer token comes from.
public enum TokenSource: Hashable, Sendable {
    case value(String)
    case env(String)
    /// Re-read when it changes; a relative name is looked up under `$CREDENTIALS_DIRECTORY`, else beside the
    /// configuration. Already resolved to a full path here.
    case file(String)
}

/// Limits on waiting for an upstream.
public struct UpstreamTimeouts: Hashable, Sendable {
    public var connect: Duration = .seconds(2)
    public var firstByte: Duration = .seconds(15)
    public var total: Duration = .seconds(60)
    /// Silence in an answer or a body that passes through, or in a tunnel; nil takes the limits of the gateway.
    public var idle: Duration?

    public init() {}
}

/// What happens to a 3xx answer.
public enum Redirects: String, Hashable, Sendable, CaseIterable {
    /// The client gets it.
    case pass
    /// Followed where scheme, host and port stay the same, at most five times.
    case sameOrigin = "same-origin"
}
