/// Who may administer the gateway, or monitor it.
public enum AdminAccess: Sendable, Equatable {
    /// The user that the gateway runs as, and root. The kernel says who has connected to the Unix socket (unix(7),
    /// `SO_PEERCRED`); no field of a request can.
    case administration(owner: UInt32)
    /// Metrics and health alone, at an address: for every client, or for clients with the key. The configuration in
    /// force at the time of the request decides which: a connection may outlive several configurations.
    case monitoring

    /// - Parameter owner: the user that the gateway runs as.
    public init(owner: UInt32) { self = .administration(owner: owner) }

    func admits(_ credentials: PeerCredentials?) -> Bool {
        guard case .administration(let owner) = self, let credentials else { return false }
        return credentials.user == 0 || credentials.user == owner
    }
}
