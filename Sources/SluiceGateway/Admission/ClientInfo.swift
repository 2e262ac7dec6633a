internal import SluiceContract

/// What is known of a client's connection. All exchanges of the connection share it: a value of its size would be
/// copied, member by member, for each of them.
final class ClientInfo {
    /// Text of the peer's address; empty for a Unix socket.
    let address: [UInt8]
    let isTLS: Bool
    /// Who is at the other end of a Unix socket.
    let credentials: PeerCredentials?
    /// Names in the certificate that it has shown.
    var subjects: [CertificateName] = []
    /// Whom the listener serves; nil is everyone.
    let listenerGrants: Grants?
    /// Its connection is one of the admin socket's.
    let admin: AdminAccess?
    let standing: ClientStanding?

    init(
        address: [UInt8] = [], isTLS: Bool = false, credentials: PeerCredentials? = nil, listenerGrants: Grants? = nil,
        admin: AdminAccess? = nil, standing: ClientStanding? = nil
    ) {
        self.address = address
        self.isTLS = isTLS
        self.credentials = credentials
        self.listenerGrants = listenerGrants
        self.admin = admin
        self.standing = standing
    }
}
