public import SluiceContract

/// What an authorization server is asked for.
public enum TokenQuestion: Hashable, Sendable {
    /// RFC 6749 §6.
    case refresh(String)
    /// The grant of the configuration, which needs no person.
    case own
    /// The first refresh token is the page's.
    case configuredRefresh
    /// RFC 6749 §4.1.3, RFC 7636 §4.5.
    case code(String, verifier: String, redirect: String)
    /// RFC 8628 §3.4.
    case device(String)

    /// What can be asked without a person; nil where nothing can.
    public init?(_ client: OAuth2Client, _ record: TokenRecord?) {
        if let token = record?.refreshToken {
            self = .refresh(token)
            return
        }
        switch client.grant {
        case .authorizationCode, .deviceCode: return nil
        case .refreshToken: self = .configuredRefresh
        case .clientCredentials, .tokenExchange, .jwtBearer: self = .own
        }
    }

    /// Whether it is made of what a sign-in or an earlier answer brought, and not of the page alone.
    var isOfSignIn: Bool {
        switch self {
        case .refresh, .code, .device: true
        case .own, .configuredRefresh: false
        }
    }

    /// Whether it may be asked once: the answer has the successor of what it shows.
    var isForOneUse: Bool { self != .own }

    /// Whether the answer begins a new sign-in.
    var beginsFamily: Bool {
        switch self {
        case .code, .device: true
        case .refresh, .own, .configuredRefresh: false
        }
    }
}

extension OAuth2Client {
    /// How long a request for tokens waits for its answer. Requests that wait for a token give up before that, but the
    /// answer may contain the only refresh token that is left.
    public var patience: Duration { timeout * 4 + .seconds(10) }
}
