public import SluiceContract
internal import SluiceJSON

/// What an authorization server says of itself (RFC 8414 §2), as far as it is used here.
public struct ServerMetadata: Hashable, Sendable {
    public var tokenURL: EndpointURL
    public var authorizeURL: EndpointURL?
    public var deviceURL: EndpointURL?
    public var revokeURL: EndpointURL?
    /// Whether the answer of the authorization endpoint names the server (RFC 9207 §3).
    public var namesIssuer = false

    /// What the page says, where that is enough.
    public init?(_ client: OAuth2Client) {
        guard let token = client.tokenURL.flatMap(EndpointURL.init) else { return nil }
        tokenURL = token
        authorizeURL = client.authorizeURL.flatMap(EndpointURL.init)
        deviceURL = client.deviceURL.flatMap(EndpointURL.init)
        revokeURL = client.revokeURL.flatMap(EndpointURL.init)
    }

    /// Whether nothing else has to be asked for.
    public func isEnough(for client: OAuth2Client) -> Bool {
        switch client.grant {
        case _ where client.issuer == nil: true
        case .authorizationCode: authorizeURL != nil
        case .deviceCode: deviceURL != nil
        default: true
        }
    }

    private static let members = JSONMembers(
        "issuer", "token_endpoint", "authorization_endpoint", "device_authorization_endpoint", "revocation_endpoint",
        "authorization_response_iss_parameter_supported")

    /// - Throws: what is wrong with the document, in words.
    public init(json: [UInt8], for client: OAuth2Client) throws(RequestFault) {
        let members = Self.members.texts(in: json)
        // RFC 8414 §3.3: a document of another issuer is an attack, or a mistake.
        guard let issuer = client.issuer, let named = members["issuer"], Self.isSameIssuer(named, issuer) else {
            throw RequestFault("its metadata name another issuer, '\((members["issuer"] ?? "none").prefix(100))'")
        }
        func url(_ key: String, _ own: String?) -> EndpointURL? { (own ?? members[key]).flatMap(EndpointURL.init) }
        guard let token = url("token_endpoint", client.tokenURL) else {
            throw RequestFault("its metadata have no token_endpoint")
        }
        tokenURL = token
        authorizeURL = url("authorization_endpoint", client.authorizeURL)
        deviceURL = url("device_authorization_endpoint", client.deviceURL)
        revokeURL = url("revocation_endpoint", client.revokeURL)
        namesIssuer = members["authorization_response_iss_parameter_supported"] == "true"
        let isSecure = EndpointURL(issuer)?.isSecure == true
        for endpoint in [token, authorizeURL, deviceURL, revokeURL] where isSecure && endpoint?.isSecure == false {
            throw RequestFault("its metadata name an endpoint without TLS, '\(endpoint?.site ?? "")'")
        }
    }

    /// A trailing slash is written or not.
    public static func isSameIssuer(_ one: String, _ other: String) -> Bool {
        func trimmed(_ text: String) -> Substring { text.hasSuffix("/") ? text.dropLast() : text[...] }
        return trimmed(one) == trimmed(other)
    }
}
