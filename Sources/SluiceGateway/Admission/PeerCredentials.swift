/// The user at the other end of a Unix socket, as the kernel noted it when the connection was made (unix(7),
/// `SO_PEERCRED`, `SO_PEERGROUPS`).
public struct PeerCredentials: Hashable, Sendable {
    public var user: UInt32
    public var group: UInt32
    /// Supplementary groups.
    public var groups: [UInt32]

    public init(user: UInt32, group: UInt32, groups: [UInt32] = []) {
        self.user = user
        self.group = group
        self.groups = groups
    }
}
