/// The audit log's entry for one request that showed a credential to an upstream: each attempt has its own.
public struct AuditEntry: Sendable {
    public var credential: String
    public var binding: String
    /// A name under `clients:`, or `uid:N` at a Unix socket.
    public var client: String?
    /// Text of the client's address; empty for a Unix socket.
    public var address: [UInt8]
    /// `https://host[:port]`, or `unix:/path`.
    public var origin: String
    /// The status of the upstream's answer; nil where none came.
    public var status: Int?
}
