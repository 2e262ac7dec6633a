internal import SluiceContract

/// What is known of a client's connection. All exchanges of the connection share it: a value of its size would be
/// copied, member by member, for each of them.
final class ClientInfo {
    /// Text of the peer's address; empty for a Unix socket.
    let address: [UInt8]
    /// The user at the other end of a Unix socket.
    let credentials: PeerCredentials?
    /// Names in the client's certificate.
    var subjects: [CertificateName] = []
    private let access: ListenerAccess?
    let standing: ClientStanding?
    let isTLS: Bool

    /// The clients that the listener serves; nil is all.
    var listenerGrants: Grants? { access?.grants }
    /// Its connection is one of the admin socket's. A reload may change that.
    var admin: AdminAccess? { access?.admin }

    init(
        address: [UInt8] = [], isTLS: Bool = false, credentials: PeerCredentials? = nil,
        access: ListenerAccess? = nil, standing: ClientStanding? = nil
    ) {
        self.address = address
        self.isTLS = isTLS
        self.credentials = credentials
        self.access = access
        self.standing = standing
    }
}
