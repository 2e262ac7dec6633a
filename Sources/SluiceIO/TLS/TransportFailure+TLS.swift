internal import SluiceContract
internal import SluiceGateway

extension TransportFailure {
    /// The failure of a handshake.
    init(handshake error: TLSError) {
        // Servers of other protocols close a connection that begins with what they do not know.
        let question = error == .truncated ? "; is there TLS at that port?" : ""
        self.init(.tlsFailure, reason: "\(error)\(question)")
    }

    /// The failure of a connection after its handshake. In TLS 1.3 a server checks the client's certificate only then
    /// (RFC 8446 §4.4.2.4), so its refusal counts as a failed handshake: it will refuse again.
    init(_ error: TLSError) {
        guard case .refusedByPeer(let alert) = error else {
            self.init(.connectionReset, reason: "TLS: \(error)")
            return
        }
        let cure: String
        switch alert {
        case "certificate required": cure = "; give the upstream one with 'tls: {certificate: …, key: …}'"
        case "bad certificate", "unsupported certificate", "certificate revoked", "certificate expired",
            "certificate unknown", "unknown ca", "access denied", "decrypt error":
            cure = "; look at the certificate of the upstream's 'tls: {certificate: …, key: …}'"
        default: cure = ""
        }
        self.init(.tlsFailure, reason: "\(error)\(cure)")
    }
}
