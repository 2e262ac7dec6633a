/// Proof that the sender of a token has the key to which the token is bound (RFC 9449 §4.2). Made anew for each
/// request.
public struct DPoPProof: Sendable {
    private let claims: [JSONWebToken.Member]

    /// - Parameters:
    ///   - method: `htm`.
    ///   - uri: `htu`: the URI of the request's target; query and fragment are left out.
    ///   - now: seconds since 1970.
    ///   - accessTokenHash: `ath`, from ``accessTokenHash(of:)``; nil at the token endpoint.
    ///   - nonce: the latest value of `DPoP-Nonce` from the server (§8).
    ///   - identifier: `jti`, never the same again.
    public init(
        method: String, uri: String, at now: Int, accessTokenHash: String? = nil, nonce: String? = nil,
        identifier: String = SecureRandom.text()
    ) {
        var claims: [JSONWebToken.Member] = [
            .init("jti", .string(identifier)), .init("htm", .string(method)),
            .init("htu", .string(String(uri.prefix { $0 != "?" && $0 != "#" }))), .init("iat", .number(now)),
        ]
        if let accessTokenHash { claims.append(.init("ath", .string(accessTokenHash))) }
        if let nonce { claims.append(.init("nonce", .string(nonce))) }
        self.claims = claims
    }

    /// The value of the `DPoP` field.
    public func signed(by key: SigningKey) -> String {
        JSONWebToken.signed(
            header: [.init("typ", "dpop+jwt"), .init("jwk", .object(key.publicJWK.members))], claims: claims, by: key)
    }

    /// `ath` for a token; the same as long as the token is the same (§4.2).
    public static func accessTokenHash(of token: UnsafeRawBufferPointer) -> String {
        Base64URL.text(HashFunction.sha256.digest(of: token))
    }
}
