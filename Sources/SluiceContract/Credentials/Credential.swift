/// A credential that the gateway owns and shows to upstreams in the place of its clients.
public struct Credential: Hashable, Sendable {
    public var name: String
    public var kind: any CredentialKind

    public init(name: String, kind: any CredentialKind) {
        self.name = name
        self.kind = kind
    }

    public static func == (one: Credential, other: Credential) -> Bool {
        one.name == other.name && AnyHashable(one.kind) == AnyHashable(other.kind)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(AnyHashable(kind))
    }
}

/// What kind of credential it is, with everything that the configuration says of it: one type for each kind.
public protocol CredentialKind: Hashable, Sendable {
    /// The key of the page that names the kind: `oauth2`.
    static var word: String { get }
    /// How a request shows it.
    var presentation: CredentialPresentation { get }
    /// Where what it shows comes from.
    var source: CredentialSource { get }
}

/// How a request shows a credential.
public enum CredentialPresentation: Hashable, Sendable {
    /// In a field, behind a prefix such as `Bearer `.
    case field(name: String, prefix: String)
    /// As a parameter of the query, percent-encoded.
    case query(name: String)
    /// In no place: it signs each request, in fields that are made anew for every attempt.
    case signature(AnyRequestSignature)

    /// How requests are signed, where they are.
    public var signature: (any RequestSignature)? {
        if case .signature(let any) = self { any.signature } else { nil }
    }

    public static func signed(_ signature: some RequestSignature) -> CredentialPresentation {
        .signature(AnyRequestSignature(signature))
    }

    /// `Authorization: Bearer …` (RFC 6750 §2.1).
    public static let bearer = CredentialPresentation.field(name: "Authorization", prefix: "Bearer ")
}

/// Where the secret of a credential comes from, and what keeps it good.
public enum CredentialSource: Hashable, Sendable {
    /// It is there from the beginning; a file is read anew when it changes.
    case secret(TokenSource)
    /// A user's name and a password, for `Basic` (RFC 7617).
    case password(user: String, TokenSource)
    /// Several that belong together, in the order in which a ``RequestSignature`` knows them.
    case secrets([TokenSource])
    /// A program prints it.
    case program(TokenProgram)
    /// An authorization server hands it out, and renews it.
    case tokens(OAuth2Client)
    /// An answer brings it (`keep:`).
    case answer

    /// How long requests wait for it while it is on its way.
    public var wait: Duration {
        switch self {
        case .tokens(let client): client.wait
        case .program(let program): program.timeout
        case .secret, .password, .secrets, .answer: .zero
        }
    }

    /// Whether a request that was refused for it (401) may find a better one.
    public var isRenewable: Bool {
        switch self {
        case .program, .tokens: true
        case .secret, .password, .secrets, .answer: false
        }
    }
}

/// Which credential an upstream or a binding is given.
public enum CredentialChoice: Hashable, Sendable {
    case none
    case named(String)
    /// By client.
    case byClient([Entry], otherwise: Given)

    /// One client and its credential.
    public struct Entry: Hashable, Sendable {
        public var client: Asker
        public var given: Given

        public init(_ client: Asker, _ given: Given) {
            self.client = client
            self.given = given
        }
    }

    /// The client of a request.
    public enum Asker: Hashable, Sendable {
        /// A name under `clients:`.
        case client(String)
        /// A user at the other end of a Unix socket.
        case user(UInt32)
    }

    /// What a client gets.
    public enum Given: Hashable, Sendable {
        case none
        case named(String)
        /// Its requests are not for it.
        case refused
    }

    /// Every credential that it may come to, each once.
    public var names: [String] {
        switch self {
        case .none: []
        case .named(let name): [name]
        case .byClient(let entries, let otherwise):
            (entries.map(\.given) + [otherwise]).reduce(into: []) { names, given in
                if case .named(let name) = given, !names.contains(name) { names.append(name) }
            }
        }
    }
}
