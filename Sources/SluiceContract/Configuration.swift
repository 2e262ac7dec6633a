/// Everything that a configuration file says, checked and with defaults filled in.
public struct Configuration: Hashable, Sendable {
    public var listen: [Listener] = [Listener(.tcp(host: "127.0.0.1", port: 8080))]
    public var upstreams: [Upstream] = []
    public var types: [TypeDefinition] = []
    public var bindings: [Binding] = []
    public var hosts: Hosts = .names([])
    /// Programs known by their API keys.
    public var clients: [KnownClient] = []
    /// What the gateway shows to upstreams, each under a name.
    public var credentials: [Credential] = []
    /// The folder where tokens are kept; nil is that of the service manager or the user.
    public var state: String?
    /// A file with the key that they are sealed with; nil leaves them to the permissions of their files.
    public var stateKey: KeyFile?
    /// For each client by itself: by name where it has one, else by user or address.
    public var clientRate: RateLimit?
    /// Event loops; nil means as many as cores that the process may run on.
    public var loops: Int?
    public var limits = Limits()
    public var cache = CacheSettings()
    /// How long a stopping daemon waits for what is in flight.
    public var drain: Duration = .seconds(30)
    public var log = LogSettings()
    public var envelope: Envelope = .problemDetails
    /// The Unix socket of `sluice cache`, by its path; nil is none.
    public var admin: String?
    /// Where metrics and health are told beside that; nil is nowhere.
    public var monitor: MonitorPlace?
    public var metrics = MetricsSettings()
    /// nil is off.
    public var inspect: InspectSettings?
    public var trace = TraceSettings()
    /// Set by the operator of the gateway, and not by a configuration file.
    public var fixtures = FixtureUse.off

    public init() {}
}

/// A place to accept clients.
public struct Listener: Hashable, Sendable {
    public var address: Address
    public var tls: ServerTLS?
    /// Permissions of a Unix socket.
    public var mode: Int = 0o660
    /// Whether HTTP/2 is spoken beside HTTP/1.1: by ALPN with TLS, by prior knowledge without.
    public var http2 = true
    /// The clients that may use it; nil is all that can connect.
    public var grants: Grants?
    public var purpose = Purpose.bindings

    public init(_ address: Address, tls: ServerTLS? = nil) {
        self.address = address
        self.tls = tls
    }

    /// What is answered there.
    public enum Purpose: Hashable, Sendable {
        case bindings
        /// The gateway itself, to its own user and to root.
        case administration
        /// Metrics and health, for the clients that ``MonitorPlace`` allows.
        case monitoring
    }

    public enum Address: Hashable, Sendable {
        /// `host` is a literal address; IPv6 without brackets.
        case tcp(host: String, port: Int)
        case unix(path: String)
    }

    /// What a TLS listener shows and asks for, as PEM files.
    public struct ServerTLS: Hashable, Sendable {
        /// At least one. The client's SNI chooses (RFC 6066 §3); the first serves names that none of them has.
        public var identities: [Identity]
        /// Authorities of client certificates; nil where clients show none.
        public var clientCA: String?
        public var clientCertificate = ClientCertificate.required

        /// What becomes of a client that shows no certificate, where there is a ``clientCA``.
        public enum ClientCertificate: String, CaseIterable, Hashable, Sendable {
            /// It is refused in the handshake.
            case required
            case optional
        }

        /// A certificate chain and its key.
        public struct Identity: Hashable, Sendable {
            public var certificate: String
            public var key: String

            public init(certificate: String, key: String) {
                self.certificate = certificate
                self.key = key
            }
        }

        public init(_ identities: [Identity], clientCA: String? = nil) {
            self.identities = identities
            self.clientCA = clientCA
        }

        /// Every file that is read, each once.
        public var files: [String] {
            var files = identities.flatMap { [$0.certificate, $0.key] }
            if let clientCA { files.append(clientCA) }
            var known: Set<String> = []
            return files.filter { known.insert($0).inserted }
        }
    }
}

extension Listener.Address: CustomStringConvertible {
    /// As the configuration writes it.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// Which `Host` values are served (DNS rebinding).
public enum Hosts: Hashable, Sendable {
    case any
    /// Beside localhost and the addresses listened on.
    case names([String])
}

/// Every limit with its default.
public struct Limits: Hashable, Sendable {
    /// Request line, bytes.
    public var requestLineBytes: Int = 16 << 10
    /// All fields of one head, bytes.
    public var headerBytes: Int = 32 << 10
    /// Fields of one head.
    public var headerCount: Int = 100
    /// The trailer section of a chunked body, bytes.
    public var trailerBytes: Int = 8 << 10
    /// Extensions of one chunk, bytes.
    public var chunkExtensionBytes: Int = 1 << 10
    /// Interim (1xx) answers of an upstream before its final one.
    public var interimCount: Int = 16
    /// A client's body, bytes.
    public var bodyBytes: Int = 1 << 30
    /// A body that has to be read whole, because parameters are taken from it, bytes.
    public var bodyParametersBytes: Int = 1 << 20
    /// Bytes waiting for one slow reader, on either side.
    public var bufferedBytes: Int = 256 << 10
    /// Bytes waiting for all slow readers of one event loop; the less is left of them, the fewer wait for each.
    public var bufferedTotalBytes: Int = 8 << 20
    /// Streams of one HTTP/2 connection that are open at a time.
    public var http2Streams: Int = 128
    /// Content that one HTTP/2 stream may send before some of it is taken, bytes.
    public var http2WindowBytes: Int = 64 << 10
    /// HTTP/2 streams that may end early, before their connection does; forgotten within 30 seconds.
    public var http2Resets: Int = 100
    /// HTTP/2 frames beyond those that requests and answers make necessary; forgotten within 30 seconds.
    public var http2ControlFrames: Int = 1000
    /// CONTINUATION frames of one HTTP/2 field section.
    public var http2Continuations: Int = 8
    /// Client connections of the whole process.
    public var connections: Int = 10_000
    /// Client connections of one address, or of one user of a Unix socket.
    public var connectionsPerClient: Int = 10_000
    /// File descriptors that clients may not use up: upstream connections, files and names need some.
    public var descriptorReserve: Int = 64
    /// Requests on one client connection.
    public var keepAliveRequests: Int = 1_000_000
    /// Clients whose rates are told apart; those beyond share one.
    public var rateClients: Int = 10_000
    /// Bytes per second below which a client's body, or a client's reading, is too slow; 0 is no minimum.
    public var rateBytesMin: Int = 100
    /// JSON nesting.
    public var jsonDepth: Int = 128
    /// One JSON string or number, bytes.
    public var jsonStringBytes: Int = 16 << 20
    /// Bytes of an object that are held until it is known which of several it is.
    public var jsonChoiceBytes: Int = 64 << 10
    /// Keys of one JSON object.
    public var jsonKeys: Int = 100_000
    /// One row of a text (`rows:`), bytes.
    public var rowBytes: Int = 1 << 20
    /// A checked document, bytes.
    public var jsonBytes: Int = 4 << 30
    /// Parts of one composed binding.
    public var parts: Int = 32
    /// Elements of a list of which each is asked for.
    public var partElements: Int = 1000
    /// Requests for parts of one composed answer, and for what those are made of.
    public var partRequests: Int = 10_000
    /// What the parts of one composed answer may hold together, bytes.
    public var partsBytes: Int = 16 << 20
    /// Answers on their way into the cache of one event loop without a waiting client; beyond them, clients wait.
    public var loading: Int = 1000
    /// Clients of one event loop that watch something.
    public var watchers: Int = 10_000
    /// Values that are watched on one event loop.
    public var watched: Int = 2000
    /// One value that is watched, bytes.
    public var watchedBytes: Int = 1 << 20
    /// All watched values of the process, with what is kept of their changes, bytes.
    public var watchedTotalBytes: Int = 64 << 20
    /// Changes of one value that are kept for clients that come back, bytes.
    public var watchHistoryBytes: Int = 256 << 10
    /// Codings of one body, one around the other (RFC 9110 §8.4).
    public var contentCodings: Int = 2
    /// A body whose coding is decoded here: bytes that may come out of it.
    public var decodedBytes: Int = 1 << 30
    /// The same: bytes that may come out for each byte that went in, beyond the first MiB.
    public var decodedRatio: Int = 200
    /// An upstream's error body read for its message, bytes.
    public var errorBodyBytes: Int = 64 << 10
    /// For a whole request head to arrive.
    public var headerTimeout: Duration = .seconds(10)
    /// Without any byte of a body, either direction.
    public var bodyTimeout: Duration = .seconds(30)
    /// Without any byte of an event stream, or of a tunnel in either direction.
    public var streamTimeout: Duration = .seconds(3600)
    /// An idle client connection is kept.
    public var keepAlive: Duration = .seconds(75)

    public init() {}
}

extension Limits {
    /// How long one byte may take at ``rateBytesMin``; 0 where there is no minimum.
    public var nanosecondsPerByte: UInt64 { rateBytesMin > 0 ? 1_000_000_000 / UInt64(rateBytesMin) : 0 }
}

/// `log:`.
public struct LogSettings: Hashable, Sendable {
    public var level: Level = .info
    public var format: Format = .auto
    /// One line per request; nil is off.
    public var access: AccessPlace?
    public var accessFormat: AccessFormat = .json
    /// The use of credentials by clients, and what became of each credential: nil is off; `-` is standard output; else
    /// a file that is appended to.
    public var audit: String?
    /// What of a query stands in the access log.
    public var query: Query = .masked

    public init() {}

    /// Where the access log goes.
    public enum AccessPlace: Hashable, Sendable {
        case output
        /// It is appended to.
        case file(String)
        /// The journal of systemd, at this socket.
        case journal(socket: String)

        /// Where the journal listens (systemd-journald.service(8)).
        public static let journal = AccessPlace.journal(socket: "/run/systemd/journal/socket")
    }

    public enum AccessFormat: String, Hashable, Sendable, CaseIterable {
        case json
        /// That of Apache's and nginx's logs.
        case combined
    }

    public enum Query: String, Hashable, Sendable, CaseIterable {
        /// Values of parameters that sound like credentials are left out.
        case masked
        case full, none
    }

    public enum Level: String, Hashable, Sendable, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// Text on a terminal, JSON lines otherwise.
        case auto
        case text, json
    }
}

/// The shape of an error answer.
public indirect enum Envelope: Hashable, Sendable {
    /// RFC 9457 `application/problem+json`.
    case problemDetails
    /// The user's own shape, `application/json`.
    case template(Template)

    /// JSON whose strings may hold `{kind}`, `{title}`, `{status}`, `{detail}`, `{source}`, `{code}`, `{upstream}`,
    /// `{retryable}`, `{faults}`, `{trace_id}`; a string that is one placeholder and nothing else takes the
    /// value's own JSON type.
    public indirect enum Template: Hashable, Sendable {
        case object([Member])
        case array([Template])
        case string(String)
        /// Number, bool or null, as JSON text.
        case literal(String)

        public struct Member: Hashable, Sendable {
            public var key: String
            public var value: Template

            public init(key: String, value: Template) {
                self.key = key
                self.value = value
            }
        }
    }
}
