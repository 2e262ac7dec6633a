public import SluiceContract
internal import SluiceSigning

/// A request to an authorization server, to be sent by a transport.
public struct ServerRequest: Hashable, Sendable {
    public var url: EndpointURL
    public var method: String
    /// `Authorization` and other fields, without the content type.
    public var fields: [HeaderSetting] = []
    /// A form; nil where there is none.
    public var form: [UInt8]?
    /// Texts that must not appear in logs or messages.
    public var secrets: [[UInt8]] = []
    public var timeout: Duration
    public var tls: Upstream.ClientTLS

    init(_ url: EndpointURL, method: String, _ client: OAuth2Client) {
        self.url = url
        self.method = method
        timeout = client.timeout
        tls = client.tls
    }

    /// Adds texts to ``secrets``: as they are, and in the form encoding that RFC 6749 §2.3.1 demands. Their Base64 has
    /// to be added as another text.
    mutating func hide(_ texts: [String]) {
        for text in texts {
            let (plain, encoded) = (Array(text.utf8), FormBody.encoded(text))
            secrets += plain == encoded ? [plain] : [plain, encoded]
        }
    }
}

/// Secrets for a request that are not in the configuration itself.
public struct ClientSecrets: Sendable {
    public var secret: String?
    /// PEM.
    public var key: [UInt8]?
    public var refreshToken: String?
    public var subjectToken: String?
    /// The key that tokens are bound to, as PEM.
    public var proofKey: [UInt8]?
    /// Why a secret could not be read, by its key in the configuration.
    public var faults: [String: String] = [:]

    public init(
        secret: String? = nil, key: [UInt8]? = nil, refreshToken: String? = nil, subjectToken: String? = nil,
        proofKey: [UInt8]? = nil
    ) {
        self.secret = secret
        self.key = key
        self.refreshToken = refreshToken
        self.subjectToken = subjectToken
        self.proofKey = proofKey
    }

    func lack(_ key: String) -> RequestFault {
        RequestFault("'\(key)' could not be read" + (faults[key].map { ": \($0)" } ?? ""))
    }
}

/// Why a request cannot be made, in words that may be shown.
public struct RequestFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}

extension OAuth2Client {
    /// Makes the request for tokens.
    /// - Parameters:
    ///   - moment: the time for assertions and proofs that are signed here.
    ///   - nonce: the nonce that the server demands in proofs.
    public func tokenRequest(
        _ question: TokenQuestion, at url: EndpointURL, _ secrets: ClientSecrets, _ moment: Moment,
        nonce: String? = nil
    ) throws(RequestFault) -> ServerRequest {
        var form = FormBody()
        var request = ServerRequest(url, method: "POST", self)
        var hidden = [secrets.secret].compactMap(\.self)
        func refresh(_ token: String) {
            form.add("grant_type", "refresh_token")
            form.add("refresh_token", token)
            hidden.append(token)
        }
        switch question {
        case .refresh(let token): refresh(token)
        case .configuredRefresh:
            guard let token = secrets.refreshToken else { throw secrets.lack("refresh-token") }
            refresh(token)
            form.add("scope", scopeText)
        case .code(let code, let verifier, let redirect):
            form.add("grant_type", "authorization_code")
            form.add("code", code)
            form.add("redirect_uri", redirect)
            form.add("code_verifier", verifier)
            hidden += [code, verifier]
        case .device(let code):
            form.add("grant_type", "urn:ietf:params:oauth:grant-type:device_code")
            form.add("device_code", code)
            hidden.append(code)
        case .own: try addOwn(to: &form, &hidden, secrets, url, moment)
        }
        form.add("audience", question == .own ? audience : nil)
        for resource in resource { form.add("resource", resource) }
        try authenticate(&request, &form, secrets, url, moment)
        if proofKey != nil { try prove(&request, secrets, moment, nonce) }
        for parameter in parameters { form.add(parameter.name, parameter.value) }
        request.form = form.bytes
        request.hide(hidden + sensitiveParameters)
        return request
    }

    /// Values of `params:` that a server may echo, such as the password of a user.
    private var sensitiveParameters: [String] {
        parameters.filter { $0.isSensitive && !$0.value.isEmpty }.map(\.value)
    }

    var scopeText: String? { scope.isEmpty ? nil : scope.joined(separator: " ") }

    private func addOwn(
        to form: inout FormBody, _ hidden: inout [String], _ secrets: ClientSecrets, _ url: EndpointURL,
        _ moment: Moment
    ) throws(RequestFault) {
        switch grant {
        case .clientCredentials: form.add("grant_type", "client_credentials")
        case .tokenExchange:
            guard let token = secrets.subjectToken else { throw secrets.lack("subject-token") }
            form.add("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
            form.add("subject_token", token)
            form.add("subject_token_type", subjectTokenType)
            hidden.append(token)
        case .jwtBearer:
            let assertion = try assertion(
                secrets, url, moment, issuer: assertionIssuer, subject: subject, audience: audience)
            form.add("grant_type", ClientAssertion.grantType)
            form.add("assertion", assertion)
            hidden.append(assertion)
        case .authorizationCode, .deviceCode, .refreshToken: break
        }
        form.add("scope", scopeText)
    }

    /// Authenticates the client.
    func authenticate(
        _ request: inout ServerRequest, _ form: inout FormBody, _ secrets: ClientSecrets, _ url: EndpointURL,
        _ moment: Moment
    ) throws(RequestFault) {
        func secret() throws(RequestFault) -> String {
            guard let secret = secrets.secret else { throw secrets.lack("client-secret") }
            return secret
        }
        switch effectiveAuthentication {
        case .none, .tls: form.add("client_id", clientID)
        case .basic:
            // RFC 6749 §2.3.1: identifier and secret are form-encoded first.
            let pair = FormBody.encoded(clientID) + [UInt8(ascii: ":")] + FormBody.encoded(try secret())
            let shown = Base64.text(pair)
            request.fields.append(HeaderSetting(name: "Authorization", value: "Basic " + shown))
            request.hide([shown])
        case .body:
            form.add("client_id", clientID)
            form.add("client_secret", try secret())
        case .privateKeyJWT:
            form.add("client_id", clientID)
            form.add("client_assertion_type", ClientAssertion.assertionType)
            // The audience is the server, whatever the token is for (RFC 7523 §3, 3.).
            let assertion = try assertion(secrets, url, moment, issuer: nil, subject: nil, audience: nil)
            form.add("client_assertion", assertion)
            request.hide([assertion])
        }
    }

    /// Adds a proof of possession of the key to which the token will be bound (RFC 9449 §5).
    private func prove(
        _ request: inout ServerRequest, _ secrets: ClientSecrets, _ moment: Moment, _ nonce: String?
    ) throws(RequestFault) {
        guard let pem = secrets.proofKey else { throw secrets.lack("dpop-key") }
        let proof = DPoPProof(
            method: request.method, uri: request.url.site + request.url.target, at: moment.unix, nonce: nonce)
        do throws(SigningKeyError) {
            let key = try SigningKey(pem: SecretBytes(pem))
            request.fields.append(HeaderSetting(name: "DPoP", value: proof.signed(by: key)))
        } catch {
            throw RequestFault("'dpop-key' cannot be used: \(error.description)")
        }
    }

    /// RFC 7523 §3.
    private func assertion(
        _ secrets: ClientSecrets, _ url: EndpointURL, _ moment: Moment, issuer: String?, subject: String?,
        audience: String?
    ) throws(RequestFault) -> String {
        guard let key = secrets.key else { throw secrets.lack("key") }
        return try Assertion(
            issuer: issuer ?? clientID, subject: subject ?? clientID, audience: audience ?? url.site + url.target,
            keyID: keyID
        ).signed(by: key, at: moment)
    }

    // MARK: - Sign-in

    /// The URL that a person opens in a browser (RFC 6749 §4.1.1, RFC 7636 §4.3).
    public func authorizationURL(
        _ endpoint: EndpointURL, challenge: String, state: String, redirect: String
    ) -> String {
        var query = FormBody()
        query.add("response_type", "code")
        query.add("client_id", clientID)
        query.add("redirect_uri", redirect)
        query.add("scope", scopeText)
        query.add("state", state)
        query.add("code_challenge", challenge)
        query.add("code_challenge_method", "S256")
        query.add("audience", audience)
        for resource in resource { query.add("resource", resource) }
        for parameter in parameters { query.add(parameter.name, parameter.value) }
        let text = String(decoding: query.bytes, as: UTF8.self)
        return endpoint.site + endpoint.target + (endpoint.target.contains("?") ? "&" : "?") + text
    }

    /// Makes the request for a device code (RFC 8628 §3.1).
    public func deviceRequest(
        at url: EndpointURL, _ secrets: ClientSecrets, _ moment: Moment
    ) throws(RequestFault) -> ServerRequest {
        var form = FormBody()
        var request = ServerRequest(url, method: "POST", self)
        try authenticate(&request, &form, secrets, url, moment)
        if effectiveAuthentication == .basic { form.add("client_id", clientID) }
        form.add("scope", scopeText)
        form.add("audience", audience)
        for parameter in parameters { form.add(parameter.name, parameter.value) }
        request.form = form.bytes
        request.hide([secrets.secret].compactMap(\.self) + sensitiveParameters)
        return request
    }

    /// Makes the request that revokes a token (RFC 7009 §2.1).
    public func revocation(
        of token: String, hint: String, at url: EndpointURL, _ secrets: ClientSecrets, _ moment: Moment
    ) throws(RequestFault) -> ServerRequest {
        var form = FormBody()
        var request = ServerRequest(url, method: "POST", self)
        form.add("token", token)
        form.add("token_type_hint", hint)
        try authenticate(&request, &form, secrets, url, moment)
        request.form = form.bytes
        request.hide([secrets.secret, token].compactMap(\.self))
        return request
    }

    /// The requests for the server's metadata: at the path of OAuth (RFC 8414 §3.1), and at that of OpenID Connect.
    public func metadataRequests() -> [ServerRequest] {
        guard let issuer, let url = EndpointURL(issuer) else { return [] }
        // RFC 8414 §3.1: a slash at the end is left out.
        let path = url.target.hasSuffix("/") ? String(url.target.dropLast()) : url.target
        var inserted = url
        inserted.target = "/.well-known/oauth-authorization-server" + path
        var appended = url
        appended.target = path.split(separator: "?")[safe: 0].map(String.init) ?? ""
        appended.target += "/.well-known/openid-configuration"
        return [inserted, appended].map { ServerRequest($0, method: "GET", self) }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
