public import SluiceContract

/// `oauth2:`: tokens of an authorization server.
extension OAuth2Client: DeclaredCredential {
    public static let word = "oauth2"
    public static let isFlat = false
    public static let summary = "Tokens of an authorization server, which the gateway renews"
    public static let usual = OAuth2Client()

    public static let settings: [Setting<OAuth2Client>] = [
        .text(
            "issuer", \.issuer, of: "an https URL",
            "The authorization server, whose metadata name its endpoints; or name those yourself"),
        .text("token-url", \.tokenURL, of: "an https URL", "Where tokens are handed out"),
        .text("authorize-url", \.authorizeURL, of: "an https URL", "What a person opens in a browser to agree"),
        .text("device-url", \.deviceURL, of: "an https URL", "Where a code for another device is handed out"),
        .text("revoke-url", \.revokeURL, of: "an https URL", "Where tokens are given back at 'sluice logout'"),
        .required("client-id", \.clientID, of: "a name", "What the server knows this client by"),
        .part("client-secret", \.clientSecret, "The secret that came with it"),
        .part("key", \.signingKey, "PEM file of a private key that signs assertions; closed to other users"),
        .text("key-id", \.keyID, of: "a name", "What the server knows that key by"),
        .choice(
            "authentication", \.authentication, default: "basic with a secret, private-key-jwt with a key, or none",
            "How the client proves who it is"),
        .part(
            "dpop-key", \.proofKey, "PEM file of a private key that tokens are bound to (DPoP); closed to other users"),
        .flag("bound", \.isBound, "Whether tokens are bound to the certificate of 'tls', which upstreams see as well"),
        .texts("scope", \.scope, of: "a scope", "What the token may be used for"),
        .text("audience", \.audience, of: "a name", "Whom the token is for, where the server asks for it"),
        .texts("resource", \.resource, of: "a URL", "Whom the token is for (RFC 8707)"),
        .choice("grant", \.grant, "How a token is asked for"),
        .part("refresh-token", \.refreshToken, "The first refresh token, with 'grant: refresh-token'"),
        .text("subject", \.subject, of: "a name", "Whom an assertion speaks for; client-id where nothing is said"),
        .text(
            "assertion-issuer", \.assertionIssuer, of: "a name",
            "Who signs an assertion; client-id where nothing is said"),
        .part("subject-token", \.subjectToken, "What is exchanged, with 'grant: token-exchange'"),
        .text("subject-token-type", \.subjectTokenType, of: "a URN", "What kind of token is exchanged"),
        .count(
            "redirect-port", \.redirectPort, in: 0...65_535,
            "The port of this machine that the browser is sent back to; 0 is any free one"),
        .text("redirect-path", \.redirectPath, of: "a path", "The path that the browser is sent back to"),
        .wait(
            "wait", \.wait, in: .milliseconds(100)...(.seconds(120)), "How long requests wait for a token on its way"),
        .wait("timeout", \.timeout, in: .milliseconds(100)...(.seconds(300)), "How long the server may take to answer"),
        .part("params", \.parameters, "Further parameters of what the server is asked"),
        .part("tls", \.tls, "Certificates towards the server"),
    ]

    public var presentation: CredentialPresentation { proofKey == nil ? .bearer : .signed(DPoPSignature()) }
    public var source: CredentialSource { .tokens(self) }

    public func check(_ layer: Layer<OAuth2Client>, _ scope: Scope) {
        checkURLs(layer, scope)
        if layer.tells("client-id"), clientID.isEmpty {
            (scope / "client-id").mistake("the client has no name", at: .value, expected: "what the server knows it by")
        }
        for (key, source) in [
            ("client-secret", clientSecret), ("refresh-token", refreshToken), ("subject-token", subjectToken),
        ] where layer.tells(key) { source?.check(scope / key) }
        checkGrant(layer, scope)
        checkAuthentication(layer, scope)
        if layer.says("redirect-path"), !redirectPath.hasPrefix("/") || redirectPath.contains("?") {
            (scope / "redirect-path").mistake(
                "'\(redirectPath)' is no path", at: .value, expected: "a path such as /callback")
        }
        for word in layer.says("scope") ? self.scope : [] where word.utf8.contains(where: { !Self.isScope($0) }) {
            (scope / "scope").mistake(
                "'\(word)' cannot be a scope", at: .value, expected: "words without quotes and blanks")
        }
    }

    /// RFC 6749 §3.3, and the blank between them: some write all in one text.
    private static func isScope(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x21 || (0x23...0x5B).contains(byte) || (0x5D...0x7E).contains(byte)
    }

    private func checkURLs(_ layer: Layer<OAuth2Client>, _ scope: Scope) {
        for (key, url) in [
            ("issuer", issuer), ("token-url", tokenURL), ("authorize-url", authorizeURL), ("device-url", deviceURL),
            ("revoke-url", revokeURL),
        ] {
            guard layer.says(key), let url else { continue }
            let scope = scope / key
            guard let endpoint = EndpointURL(url) else {
                scope.mistake(
                    "\(URLText.fault(url))", at: .value,
                    expected: "a URL such as https://accounts.example/token")
                continue
            }
            // RFC 6749 §3.1, §3.2: what goes there is a secret.
            if !endpoint.isSecure, !HostPort.isLoopback(endpoint.host), endpoint.host != "localhost" {
                scope.mistake(
                    "secrets would go to '\(endpoint.host)' unencrypted", at: .value,
                    expected: "a URL that begins with https://")
            }
        }
    }

    private func checkGrant(_ layer: Layer<OAuth2Client>, _ scope: Scope) {
        func need(_ key: String, _ isThere: Bool, _ why: String, expected: String? = nil) {
            if !isThere, !layer.says(key) { scope.mistake("\(why)", expected: expected ?? "'\(key):'") }
        }
        if issuer == nil {
            need("token-url", tokenURL != nil, "there is neither a token endpoint nor an 'issuer:' that names it")
        }
        // What a grant that could not be read needs is not known.
        if layer.says("grant"), !layer.tells("grant") { return }
        switch grant {
        // Who has not said that a person signs in may not want one.
        case .authorizationCode where issuer == nil && !layer.says("grant"):
            need(
                "authorize-url", authorizeURL != nil,
                "without 'grant:' a person signs in, and neither 'authorize-url:' nor 'issuer:' says where",
                expected: "one of them, or 'grant: client-credentials' where no person signs in")
        case .authorizationCode where issuer == nil:
            need(
                "authorize-url", authorizeURL != nil,
                "there is neither an authorization endpoint nor an 'issuer:' that names it")
        case .deviceCode where issuer == nil:
            need(
                "device-url", deviceURL != nil,
                "there is neither a device authorization endpoint nor an 'issuer:' that names it")
        case .refreshToken:
            need("refresh-token", refreshToken != nil, "'grant: refresh-token' has none to begin with")
        case .tokenExchange:
            need("subject-token", subjectToken != nil, "'grant: token-exchange' has nothing to exchange")
        case .jwtBearer:
            need("key", signingKey != nil, "'grant: jwt-bearer' has no key to sign with")
        case .clientCredentials where effectiveAuthentication == .none:
            scope.mistake(
                "'grant: client-credentials' has nothing to prove who the client is",
                expected: "'client-secret:', 'key:', or 'authentication: tls' with 'tls:'")
        default: break
        }
    }

    private func checkAuthentication(_ layer: Layer<OAuth2Client>, _ scope: Scope) {
        if isBound, tls.certificate == nil {
            (scope / "bound").mistake(
                "there is no certificate to bind tokens to", expected: "'tls:' with 'certificate:' and 'key:'")
        }
        switch authentication {
        case .basic where clientSecret == nil, .body where clientSecret == nil:
            if layer.says("client-secret") { return }
            (scope / "authentication").mistake("there is no secret to show", expected: "'client-secret:'")
        case .privateKeyJWT where signingKey == nil && !layer.says("key"):
            (scope / "authentication").mistake("there is no key to sign with", expected: "'key:'")
        case .tls where tls.certificate == nil:
            (scope / "authentication").mistake(
                "there is no certificate to show", expected: "'tls:' with 'certificate:' and 'key:'")
        default: break
        }
    }
}
