public import SluiceContract

/// `basic:`: a user's name and a password (RFC 7617).
public struct BasicCredential: DeclaredCredential {
    public static let word = "basic"
    public static let isFlat = false
    public static let summary = "A user's name and password, sent as Authorization: Basic"
    public var user = ""
    public var password: TokenSource?

    public init(user: String = "", password: TokenSource? = nil) {
        self.user = user
        self.password = password
    }

    public static let usual = BasicCredential()
    public static let settings: [Setting<BasicCredential>] = [
        .required("user", \.user, of: "a user's name", "The user's name"),
        .part("password", \.password, default: "the empty password", "The password"),
    ]

    public var presentation: CredentialPresentation { .field(name: "Authorization", prefix: "Basic ") }
    public var source: CredentialSource { .password(user: user, password ?? .value("")) }

    public func check(_ layer: Layer<BasicCredential>, _ scope: Scope) {
        // RFC 7617 §2: the first colon ends it.
        if user.utf8.contains(UInt8(ascii: ":")) || user.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            (scope / "user").mistake(
                "a user's name holds no colon and no control character", expected: "a name such as me")
        }
        if layer.tells("password") { password?.check(scope / "password") }
    }
}
