public import SluiceContract

/// `bearer:`: a token that is there from the beginning (RFC 6750).
public struct BearerCredential: DeclaredCredential {
    public static let word = "bearer"
    public static let summary = "A token, sent as Authorization: Bearer"
    public var token: TokenSource?

    public init(_ token: TokenSource? = nil) {
        self.token = token
    }

    public static let usual = BearerCredential()
    public static let settings: [Setting<BearerCredential>] = [
        .part("bearer", \.token, "The token sent as Authorization: Bearer")
    ]

    public var presentation: CredentialPresentation { .bearer }
    public var source: CredentialSource { token.map { .secret($0) } ?? .answer }

    public func check(_ layer: Layer<BearerCredential>, _ scope: Scope) {
        if layer.tells("bearer") { token?.check(scope / "bearer") }
    }
}
