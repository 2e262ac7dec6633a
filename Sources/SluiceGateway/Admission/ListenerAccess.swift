public import SluiceContract

/// The clients that a listener serves, and what it lets them do. Its connections share it: there may be thousands of
/// them.
public final class ListenerAccess: Sendable {
    /// Nil is everyone.
    let grants: Grants?
    /// Nil where its listener serves bindings.
    public let admin: AdminAccess?

    /// - Returns: nil for a listener that serves bindings to everyone.
    public init?(grants: Grants? = nil, admin: AdminAccess? = nil) {
        if grants == nil, admin == nil { return nil }
        self.grants = grants
        self.admin = admin
    }
}
