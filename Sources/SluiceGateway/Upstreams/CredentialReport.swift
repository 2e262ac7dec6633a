/// What is reported of a credential; never a byte of its secret.
public struct CredentialReport: Sendable {
    public enum State: String, Sendable {
        case ready, missing, renewing, failing
        case signInNeeded = "sign-in needed"
    }

    public var name = ""
    public var kind = ""
    public var state: State
    /// Seconds since 1970.
    public var obtainedAt: Int?
    /// Seconds since 1970.
    public var expiresAt: Int?
    public var scope: String?
    public var lastFailure: String?
    public var lastUse: CredentialUse?

    public init(
        state: State, obtainedAt: Int? = nil, expiresAt: Int? = nil, scope: String? = nil, lastFailure: String? = nil
    ) {
        self.state = state
        self.obtainedAt = obtainedAt
        self.expiresAt = expiresAt
        self.scope = scope
        self.lastFailure = lastFailure
    }
}

/// The client that was given a credential, and the binding it was for.
public struct CredentialUse: Hashable, Sendable {
    /// Seconds since 1970.
    public var at: Int
    public var binding: String
    /// A name under `clients:`, or a user of a Unix socket.
    public var client: String?
}

/// The keeper of all credentials, as the admin socket uses it.
public protocol CredentialBoard: Sendable {
    var reports: [CredentialReport] { get }
    /// Renews a credential now.
    /// - Returns: whether a credential of this name exists and can be renewed.
    func renew(_ name: String) -> Bool
    /// Carries out a step of a person's sign-in or sign-out.
    /// - Parameter done: called once, on any thread.
    func take(_ request: SignInRequest, _ done: @escaping @Sendable (SignInAnswer) -> Void)
}
