internal import SluiceContract
internal import SluiceGateway

extension TransportFailure {
    /// A handshake that came to nothing.
    init(handshake error: TLSError) {
        // Servers of other protocols close a connection that begins with what they do not know.
        let question = error == .truncated ? "; is there TLS at that port?" : ""
        self.init(.tlsFailure, reason: "\(error)\(question)")
    }

    /// What became of a connection whose handshake was done. In TLS 1.3 a server judges the client's certificate only
    /// then (RFC 8446 §4.4.2.4), so what it says is the end of the handshake all the same: it will say so again.
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
