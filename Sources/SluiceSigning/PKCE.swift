/// The secret that ties the answer of an authorization endpoint to the client which asked (RFC 7636), by `S256`.
public struct PKCE: Sendable {
    /// `code_challenge_method`.
    public static let method = "S256"
    /// What §4.1 recommends, for a verifier of 43 characters.
    static let verifierBytes = 32

    /// `code_verifier`, for the token endpoint. A secret until it is used.
    public let verifier: String

    /// A new one.
    public init() { verifier = SecureRandom.text(bytes: Self.verifierBytes) }

    /// With a verifier that was made before.
    public init(verifier: String) { self.verifier = verifier }

    /// `code_challenge`, for the authorization endpoint (§4.2).
    public var challenge: String { Base64URL.text(HashFunction.sha256.digest(of: Array(verifier.utf8))) }
}
