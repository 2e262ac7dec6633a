public import SluiceContract

/// What an authorization server is asked for tokens with.
public enum TokenQuestion: Hashable, Sendable {
    /// RFC 6749 §6.
    case refresh(String)
    /// The grant of the configuration, which needs no person.
    case own
    /// The first refresh token comes from the configuration.
    case configuredRefresh
    /// RFC 6749 §4.1.3, RFC 7636 §4.5.
    case code(String, verifier: String, redirect: String)
    /// RFC 8628 §3.4.
    case device(String)

    /// The request that can be made without a person; nil where there is none.
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

    /// Whether the request needs the result of a sign-in or of an earlier answer, and not only the configuration.
    var isOfSignIn: Bool {
        switch self {
        case .refresh, .code, .device: true
        case .own, .configuredRefresh: false
        }
    }

    /// Whether the request may be made only once: the answer may replace the code or refresh token that it used.
    var isForOneUse: Bool { self != .own }

    /// Whether the request uses up what only a person can bring back, so that its answer must be stored.
    /// - Parameters:
    ///   - record: the one that is stored.
    ///   - given: the digest of the configured refresh token.
    public func needsRoom(_ client: OAuth2Client, after record: TokenRecord?, given: String?) -> Bool {
        guard isForOneUse, TokenQuestion(client, nil) != .own else { return false }
        // The server has taken this token before, and takes it again.
        guard let reusable = record?.reusable else { return true }
        return switch self {
        case .refresh(let token): TokenRecord.digest(of: token) != reusable
        case .configuredRefresh: given != reusable
        case .own, .code, .device: true
        }
    }

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
