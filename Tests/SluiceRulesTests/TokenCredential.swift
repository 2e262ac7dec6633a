import SluiceContract

@testable import SluiceRules

// From here on the file stands in docs/ADDING.md.
/// `token:`: a token as some frameworks want it.
struct TokenCredential: DeclaredCredential {
    static let word = "token"
    static let summary = "A token, sent as Authorization: Token"
    var token: TokenSource?

    static let usual = TokenCredential()
    static let settings: [Setting<TokenCredential>] = [
        .part("token", \.token, "The token sent as Authorization: Token")
    ]

    var presentation: CredentialPresentation { .field(name: "Authorization", prefix: "Token ") }
    var source: CredentialSource { .secret(token ?? .value("")) }

    func check(_ layer: Layer<TokenCredential>, _ scope: Scope) {
        if layer.tells("token") { token?.check(scope / "token") }
    }
}
