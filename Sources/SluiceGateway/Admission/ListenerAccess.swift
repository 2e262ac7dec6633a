public import SluiceContract

/// The clients that a listener serves, and what it lets them do. Its connections on one loop share it: there may be
/// thousands of them, and what a reload changes applies to all of them.
public final class ListenerAccess {
    /// Nil is everyone.
    public var grants: Grants?
    /// Nil where its listener serves bindings.
    public var admin: AdminAccess?

    public init(grants: Grants? = nil, admin: AdminAccess? = nil) {
        self.grants = grants
        self.admin = admin
    }
}
