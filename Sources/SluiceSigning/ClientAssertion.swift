/// A token that a client sends to a token endpoint: to authenticate itself (`private_key_jwt`, RFC 7523 §2.2), or as
/// the grant itself (§2.1).
public struct ClientAssertion: Sendable {
    /// `client_assertion_type`, beside `client_assertion`.
    public static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// `grant_type`, beside `assertion`.
    public static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// Claims that this type sets.
    private static let ownClaims: Set = ["iss", "sub", "aud", "iat", "exp", "jti"]

    private let first: [JSONWebToken.Member]
    private let lifetime: Int
    private let extra: [JSONWebToken.Member]
    private let header: [JSONWebToken.Member]

    /// - Parameters:
    ///   - issuer: `iss`; for client authentication, its `client_id`.
    ///   - subject: `sub`; `client_id` again, or the subject of the grant. Nil leaves the claim out, for services that
    ///     do without it in spite of §3.
    ///   - audience: `aud`; the token endpoint or the issuer of the authorization server.
    ///   - lifetime: seconds from `iat` to `exp`.
    ///   - claims: additional claims.
    ///   - keyID: `kid`, by which the server finds the key (RFC 7515 §4.1.4).
    /// - Throws: ``ClientAssertionError`` where one of `claims` is a claim that this type sets, or occurs twice.
    public init(
        issuer: String, subject: String?, audience: String, lifetime: Int = 300, claims: [JSONWebToken.Member] = [],
        keyID: String? = nil
    ) throws(ClientAssertionError) {
        var names = Self.ownClaims
        for claim in claims where !names.insert(claim.name).inserted { throw ClientAssertionError(claim: claim.name) }
        let subject = subject.map { [JSONWebToken.Member("sub", .string($0))] } ?? []
        first = [.init("iss", .string(issuer))] + subject + [.init("aud", .string(audience))]
        self.lifetime = lifetime
        extra = claims
        header = [.init("typ", "JWT")] + (keyID.map { [.init("kid", .string($0))] } ?? [])
    }

    /// A token for one use.
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - identifier: `jti`, never the same again.
    public func signed(by key: SigningKey, at now: Int, identifier: String = SecureRandom.text()) -> String {
        JSONWebToken.signed(header: header, claims: claims(at: now, identifier: identifier), by: key)
    }

    /// The claims in the order of §3.
    func claims(at now: Int, identifier: String) -> [JSONWebToken.Member] {
        first + [
            .init("iat", .number(now)), .init("exp", .number(now + lifetime)), .init("jti", .string(identifier)),
        ] + extra
    }
}

/// A claim would occur twice in an assertion (RFC 7519 §4).
public struct ClientAssertionError: Error, Hashable, Sendable, CustomStringConvertible {
    public let claim: String

    public var description: String {
        "the claim \(claim) is set already: leave it out of the additional claims"
    }
}
