/// Who may administer the gateway: the user that it runs as, and root. The kernel says who has connected to the Unix
/// socket (unix(7), `SO_PEERCRED`); no field of a request can.
public struct AdminAccess: Sendable, Equatable {
    /// The user that the gateway runs as.
    public var owner: UInt32

    public init(owner: UInt32) {
        self.owner = owner
    }

    func admits(_ credentials: PeerCredentials?) -> Bool {
        guard let credentials else { return false }
        return credentials.user == 0 || credentials.user == owner
    }
}
