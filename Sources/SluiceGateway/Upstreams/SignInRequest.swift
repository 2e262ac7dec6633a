public import SluiceContract

/// A command's request to the keeper of credentials, over the admin socket: a person signs in or out. The daemon talks
/// to the authorization server and keeps the tokens; the command deals with the person, the browser and the terminal.
public struct SignInRequest: Hashable, Sendable {
    public var credential: String
    /// The user who runs the command, as the kernel says (`SO_PEERCRED`).
    public var user: UInt32?
    public var step: Step

    public enum Step: Hashable, Sendable {
        /// - Parameter redirect: the redirect URI on the loopback interface (RFC 8252 §7.3).
        case begin(redirect: String?)
        /// The browser has come back with this redirect to the sign-in with this id.
        case redeem(id: String, Redirected)
        /// The command waits until the person has agreed on the other device.
        case wait(id: String)
        case signOut
    }

    /// The parameters of an authorization server's redirect (RFC 6749 §4.1.2, RFC 9207 §2).
    public struct Redirected: Hashable, Sendable {
        public var code: String
        public var state: String
        public var issuer: String?

        public init(code: String, state: String, issuer: String?) {
            self.code = code
            self.state = state
            self.issuer = issuer
        }
    }

    public init(_ credential: String, _ step: Step, by user: UInt32? = nil) {
        self.credential = credential
        self.user = user
        self.step = step
    }
}

/// The outcome of a step; never a byte of a token.
public enum SignInAnswer: Sendable {
    /// A person has to agree in a browser, at `url`.
    case browser(id: String, Authorization)
    /// A person has to agree on some device (RFC 8628 §3.2).
    case device(id: String, Device)
    /// The person has not agreed yet.
    case pending
    case signedIn(SignedIn)
    /// - Parameter told: what the server was told; nil where nobody was signed in.
    case signedOut(told: String?)
    case failed(Problem)

    public struct Authorization: Hashable, Sendable {
        public var url: String
        /// The value that has to come back with the code (RFC 6749 §10.12).
        public var state: String
        /// The issuer that the redirect has to name, if it names one (RFC 9207 §2.4), and whether it has to.
        public var issuer: String?
        public var needsIssuer: Bool

        public init(url: String, state: String, issuer: String?, needsIssuer: Bool) {
            self.url = url
            self.state = state
            self.issuer = issuer
            self.needsIssuer = needsIssuer
        }
    }

    public struct Device: Hashable, Sendable {
        public var userCode: String
        public var url: String
        public var completeURL: String?
        /// Seconds.
        public var lifetime: Int

        public init(userCode: String, url: String, completeURL: String?, lifetime: Int) {
            self.userCode = userCode
            self.url = url
            self.completeURL = completeURL
            self.lifetime = lifetime
        }
    }

    public struct SignedIn: Hashable, Sendable {
        public var scope: String?
        /// Seconds since 1970.
        public var expiresAt: Int?
        /// Whether the sign-in lasts beyond that.
        public var isRenewable: Bool
        public var folder: String

        public init(scope: String?, expiresAt: Int?, isRenewable: Bool, folder: String) {
            self.scope = scope
            self.expiresAt = expiresAt
            self.isRenewable = isRenewable
            self.folder = folder
        }
    }
}
