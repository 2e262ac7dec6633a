/// The gateway as the client of an authorization server (RFC 6749).
public struct OAuth2Client: Hashable, Sendable {
    /// Where the server's metadata is found (RFC 8414); endpoints that are named here win over it.
    public var issuer: String?
    public var tokenURL: String?
    public var authorizeURL: String?
    public var deviceURL: String?
    public var revokeURL: String?
    public var clientID: String = ""
    public var clientSecret: TokenSource?
    /// A private key, PEM file, for assertions that are signed here.
    public var signingKey: KeyFile?
    /// What the server knows that key by (`kid`).
    public var keyID: String?
    public var authentication: Authentication?
    /// A private key, PEM file, that tokens are bound to (RFC 9449).
    public var proofKey: KeyFile?
    /// Tokens are bound to the certificate of ``tls`` (RFC 8705 §3), which the upstream sees as well.
    public var isBound = false
    public var scope: [String] = []
    public var audience: String?
    /// RFC 8707.
    public var resource: [String] = []
    public var grant: Grant = .authorizationCode
    /// The first refresh token, for ``Grant/refreshToken``.
    public var refreshToken: TokenSource?
    /// The subject of an assertion (RFC 7523 §3, `sub`); nil is the client itself.
    public var subject: String?
    /// The issuer of an assertion (RFC 7523 §3, `iss`); nil is the client itself.
    public var assertionIssuer: String?
    /// What is exchanged (RFC 8693 §2.1).
    public var subjectToken: TokenSource?
    public var subjectTokenType = "urn:ietf:params:oauth:token-type:access_token"
    /// Where the browser is sent back to on the loopback; 0 is any free port (RFC 8252 §7.3).
    public var redirectPort = 0
    public var redirectPath = "/callback"
    /// How long requests wait for a token that is on its way.
    public var wait: Duration = .seconds(10)
    /// How long the server may take for an answer.
    public var timeout: Duration = .seconds(15)
    /// Further parameters of requests for tokens, and of the address that a person opens.
    public var parameters: [NamedText] = []
    /// Certificates towards the server.
    public var tls = Upstream.ClientTLS()

    public init() {}

    /// How a token is asked for.
    public enum Grant: String, Hashable, Sendable, CaseIterable {
        /// A person agrees in a browser (RFC 6749 §4.1, with RFC 7636).
        case authorizationCode = "authorization-code"
        /// A person agrees on another device (RFC 8628).
        case deviceCode = "device-code"
        /// The client asks for itself (RFC 6749 §4.4).
        case clientCredentials = "client-credentials"
        /// A refresh token is there from elsewhere (RFC 6749 §6).
        case refreshToken = "refresh-token"
        /// Another token is exchanged (RFC 8693).
        case tokenExchange = "token-exchange"
        /// An assertion is signed here (RFC 7523 §2.1).
        case jwtBearer = "jwt-bearer"

        /// Whether a person has to agree.
        public var needsLogin: Bool { self == .authorizationCode || self == .deviceCode }
    }

    /// How the client authenticates at the token endpoint.
    public enum Authentication: String, Hashable, Sendable, CaseIterable {
        /// RFC 6749 §2.3.1.
        case basic, body
        /// RFC 7523 §2.2.
        case privateKeyJWT = "private-key-jwt"
        /// RFC 8705 §2: by the certificate of the connection.
        case tls
        /// A public client: its name alone.
        case none
    }

    /// What applies where the configuration says nothing.
    public var effectiveAuthentication: Authentication {
        authentication
            ?? (clientSecret != nil ? .basic : grant != .jwtBearer && signingKey != nil ? .privateKeyJWT : .none)
    }
}

/// A text under a name: a parameter, a field.
public struct NamedText: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the value is left out of messages and listings: its name sounds like a credential, or is that of an
    /// assertion (RFC 7521 §4.1, §4.2). A `requested_token_type` is none (RFC 8693 §2.1).
    public var isSensitive: Bool {
        let lower = name.lowercased()
        if lower.hasSuffix("_type") { return false }
        return lower.hasSuffix("assertion") || SensitiveName.matches(field: name)
    }
}
