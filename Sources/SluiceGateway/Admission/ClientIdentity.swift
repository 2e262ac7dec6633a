/// The client that a connection belongs to, where no key identifies it: the user of a Unix socket, else the address.
public enum ClientIdentity: Hashable, Sendable {
    case user(UInt32)
    case address([UInt8])

    /// - Parameter address: text of the peer's address; empty for a Unix socket.
    public init(address: [UInt8], credentials: PeerCredentials?) {
        if let credentials { self = .user(credentials.user) } else { self = .address(address) }
    }

    init(_ client: ClientInfo) {
        self.init(address: client.address, credentials: client.credentials)
    }
}
