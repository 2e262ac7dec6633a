/// `cache:` of the whole gateway: where stored answers are kept.
public struct CacheSettings: Hashable, Sendable {
    /// Budget of the memory store, bytes, all told.
    public var memoryBytes: Int = 64 << 20
    /// The largest answer that is stored, bytes; at most a part of the budget.
    public var entryBytes: Int = 4 << 20
    /// Folder of what survives a restart; nil keeps nothing.
    public var diskPath: String?
    /// Budget of that folder, bytes.
    public var diskBytes: Int = 1 << 30
    /// What gateways share; nil shares nothing.
    public var shared: SharedStore?

    public init() {}

    /// A server that speaks the protocol of Redis.
    public struct SharedStore: Hashable, Sendable {
        public var address: Address
        /// Number of the database.
        public var database = 0
        /// nil is the server's default user.
        public var user: String?
        public var password: TokenSource?
        /// Certificates where TLS is spoken (`rediss://`); nil where it is not.
        public var tls: Upstream.ClientTLS?
        /// How long a connection may take.
        public var connectTimeout: Duration = .milliseconds(250)
        /// How long a reply, and a lookup, may take.
        public var replyTimeout: Duration = .milliseconds(100)

        public init(_ address: Address) {
            self.address = address
        }

        public enum Address: Hashable, Sendable {
            case tcp(host: String, port: Int)
            /// Path of a socket.
            case unix(String)
        }
    }
}
