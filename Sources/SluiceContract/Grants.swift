/// The clients that are allowed (`allow:`): a request passes if it meets any one of the grants.
public struct Grants: Hashable, Sendable {
    /// Users at the other end of a Unix socket.
    public var users: [UInt32] = []
    /// Groups at the other end of a Unix socket, supplementary ones included.
    public var groups: [UInt32] = []
    /// Names under `clients:`, shown by their keys.
    public var clients: [String] = []
    /// Names of which the client's certificate has one.
    public var subjects: [CertificateName] = []

    public init(
        users: [UInt32] = [], groups: [UInt32] = [], clients: [String] = [],
        subjects: [CertificateName] = []
    ) {
        self.users = users
        self.groups = groups
        self.clients = clients
        self.subjects = subjects
    }
}
