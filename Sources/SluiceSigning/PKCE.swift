/// The secret that binds an authorization code to the client that asked for it (RFC 7636), by `S256`.
public struct PKCE: Sendable {
    /// `code_challenge_method`.
    public static let method = "S256"
    /// The number that §4.1 recommends, for a verifier of 43 characters.
    static let verifierBytes = 32

    /// `code_verifier`, for the token endpoint; a secret until it is used.
    public let verifier: String

    /// A new, random verifier.
    public init() { verifier = SecureRandom.text(bytes: Self.verifierBytes) }

    /// With an existing verifier.
    public init(verifier: String) { self.verifier = verifier }

    /// `code_challenge`, for the authorization endpoint (§4.2).
    public var challenge: String { Base64URL.text(HashFunction.sha256.digest(of: Array(verifier.utf8))) }
}
