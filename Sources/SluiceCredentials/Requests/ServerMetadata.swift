public import SluiceContract
internal import SluiceJSON

/// The metadata of an authorization server (RFC 8414 §2), as far as they are used here.
public struct ServerMetadata: Hashable, Sendable {
    public var tokenURL: EndpointURL
    public var authorizeURL: EndpointURL?
    public var deviceURL: EndpointURL?
    public var revokeURL: EndpointURL?
    /// Whether the answer of the authorization endpoint names the server (RFC 9207 §3).
    public var namesIssuer = false

    /// The endpoints of the configuration, if the token endpoint is among them.
    public init?(_ client: OAuth2Client) {
        guard let token = client.tokenURL.flatMap(EndpointURL.init) else { return nil }
        tokenURL = token
        authorizeURL = client.authorizeURL.flatMap(EndpointURL.init)
        deviceURL = client.deviceURL.flatMap(EndpointURL.init)
        revokeURL = client.revokeURL.flatMap(EndpointURL.init)
    }

    /// Whether the server's metadata need not be requested.
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

    private static let aliases = JSONMembers(
        "token_endpoint", "device_authorization_endpoint", "revocation_endpoint", of: "mtls_endpoint_aliases")

    /// - Throws: what is wrong with the document, in words.
    public init(json: [UInt8], for client: OAuth2Client) throws(RequestFault) {
        var members = Self.members.texts(in: json)
        // RFC 8705 §5: the endpoints for clients with certificates may be different.
        if client.effectiveAuthentication == .tls || client.isBound {
            members.merge(Self.aliases.texts(in: json)) { $1 }
        }
        // RFC 8414 §3.3: a document with another issuer is an attack, or a mistake.
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

    /// Whether two issuers are the same, apart from a slash at the end.
    public static func isSameIssuer(_ one: String, _ other: String) -> Bool {
        func trimmed(_ text: String) -> Substring { text.hasSuffix("/") ? text.dropLast() : text[...] }
        return trimmed(one) == trimmed(other)
    }
}
