public import SluiceContract
internal import SluiceJSON
internal import SluiceSigning

/// The record of one credential's tokens, on disk and in memory. Tokens are stored as ``SecretText``, and returned as
/// short-lived copies.
public struct TokenRecord: Hashable, Sendable {
    /// Grows by one with every change, so that the later of two records is known.
    public var serial = 1
    /// Chosen anew at each sign-in; stays the same when tokens are renewed.
    public var family: UInt64
    /// The server that issued the tokens, and the client: no other server ever sees them.
    public var server: String
    public var clientID: String
    public var accessToken: String? {
        get { keptAccessToken?.text }
        set { keptAccessToken = newValue.map(SecretText.init) }
    }
    /// Seconds since 1970; nil where the server does not say.
    public var expiresAt: Int?
    /// Seconds since 1970.
    public var obtainedAt: Int = 0
    public var refreshToken: String? {
        get { keptRefreshToken?.text }
        set { keptRefreshToken = newValue.map(SecretText.init) }
    }
    /// The refresh token before the present one, kept until the present one has been used: the server may not have
    /// noted the exchange.
    public var previousRefreshToken: String? {
        get { keptPreviousToken?.text }
        set { keptPreviousToken = newValue.map(SecretText.init) }
    }
    public var scope: String?
    /// The scope, audience and subject that the configuration asked for, with grants other than a sign-in or a refresh
    /// token (``OAuth2Client/askedDigest``).
    public var asked: String?
    /// Why a new sign-in is needed; nil while none is.
    public var signedOut: String?
    /// Digests (``digest(of:)``) of configured refresh tokens that have been replaced by a successor; they are not sent
    /// again.
    public var spent: [String] = []
    /// The digest of a refresh token that the server has taken without giving another one for it, so that it takes it
    /// again: if the next answer is lost, the sign-in is not.
    public var reusable: String?

    private var keptAccessToken: SecretText?
    private var keptRefreshToken: SecretText?
    private var keptPreviousToken: SecretText?

    public init(family: UInt64, server: String, clientID: String) {
        self.family = family
        self.server = server
        self.clientID = clientID
    }

    /// Whether the record was made for this client and server, and for what the configuration asks for now.
    public func belongs(to client: OAuth2Client) -> Bool {
        !isForeign(to: client) && (asked == nil || client.askedDigest == nil || asked == client.askedDigest)
    }

    /// Whether the record was made for another client or server: another configuration has a credential of this name.
    public func isForeign(to client: OAuth2Client) -> Bool {
        server != client.serverName || clientID != client.clientID
    }

    /// Whether losing the record would lose a sign-in, which its owner cannot get back without a person.
    var isSignIn: Bool { refreshToken != nil && signedOut == nil }

    /// A hash that stands for a refresh token, and does not reveal it.
    public static func digest(of refreshToken: String) -> String {
        Base64.text(HashFunction.sha256.digest(of: Array(refreshToken.utf8)))
    }

    /// Whose record it is, for people.
    var owner: String { "client '\(clientID)' at \(server.split(separator: " ").first ?? "a server")" }
}

extension OAuth2Client {
    /// The server that records are stored for, together with the key that tokens are bound to: without that key they
    /// are useless.
    public var serverName: String {
        [issuer, tokenURL, proofKey.map { "dpop:" + $0.path }].compactMap(\.self).joined(separator: " ")
    }

    /// A digest of what is asked for in the client's own name: another subject or scope means another token. nil where
    /// a person agrees: their consent stays valid, whatever the configuration says later.
    var askedDigest: String? {
        var parts = [grant.rawValue]
        switch grant {
        case .authorizationCode, .deviceCode: return nil
        // The server has exchanged the configured token for others; only these are left of it.
        case .refreshToken: parts.append("\(refreshToken.map { "\($0)" } ?? "")")
        case .clientCredentials, .tokenExchange, .jwtBearer:
            parts += [audience, subject, assertionIssuer, subjectToken.map { "\($0)" }, subjectTokenType].map {
                $0 ?? ""
            }
            parts += [scope, resource, parameters.map { "\($0.name)=\($0.value)" }].map { $0.joined(separator: " ") }
        }
        return Base64.text(HashFunction.sha256.digest(of: Array(parts.joined(separator: "\n").utf8)))
    }
}

// MARK: - As JSON

extension TokenRecord {
    static let version = 1
    /// Integers that JSON readers represent exactly (RFC 8259 §6). More renewals than that do not happen.
    private static let serials = 1..<1 << 53
    /// Some 35,000 years: anything beyond is not a time.
    private static let times = 0...1 << 40

    /// The serial number of the next record.
    var nextSerial: Int { min(serial + 1, Self.serials.upperBound - 1) }

    public var json: [UInt8] {
        var members = ["\"version\":\(Self.version)", "\"serial\":\(serial)", "\"obtained_at\":\(obtainedAt)"]
        if let expiresAt { members.append("\"expires_at\":\(expiresAt)") }
        let texts: [(String, String?)] = [
            ("family", String(family, radix: 16)), ("server", server), ("client_id", clientID),
            ("access_token", accessToken), ("refresh_token", refreshToken),
            ("previous_refresh_token", previousRefreshToken), ("scope", scope), ("asked", asked),
            ("reusable", reusable), ("signed_out", signedOut),
            ("spent", spent.isEmpty ? nil : spent.joined(separator: " ")),
        ]
        for (name, text) in texts {
            if let text { members.append("\"\(name)\":\(JSONText.quote(text))") }
        }
        return Array("{\(members.joined(separator: ","))}\n".utf8)
    }

    private static let members = JSONMembers(
        "version", "serial", "family", "server", "client_id", "obtained_at", "expires_at", "access_token",
        "refresh_token", "previous_refresh_token", "scope",
        "asked", "signed_out", "spent", "reusable")

    /// - Returns: nil where the JSON is no valid record.
    public init?(json: [UInt8]) {
        let members = Self.members.texts(in: json)
        guard members["version"] == String(Self.version),
            let serial = members["serial"].flatMap({ Int($0) }), Self.serials.contains(serial),
            let family = members["family"].flatMap({ UInt64($0, radix: 16) }), let server = members["server"],
            let clientID = members["client_id"],
            let obtainedAt = members["obtained_at"].flatMap({ Int($0) }), Self.times.contains(obtainedAt)
        else { return nil }
        let end = members["expires_at"].flatMap { Int($0) }
        if members["expires_at"] != nil, end.map({ Self.times.contains($0) }) != true { return nil }
        self.init(family: family, server: server, clientID: clientID)
        self.serial = serial
        self.obtainedAt = obtainedAt
        expiresAt = end
        accessToken = members["access_token"]
        refreshToken = members["refresh_token"]
        previousRefreshToken = members["previous_refresh_token"]
        scope = members["scope"]
        asked = members["asked"]
        signedOut = members["signed_out"]
        spent = members["spent"]?.split(separator: " ").map(String.init) ?? []
        reusable = members["reusable"]
    }
}
