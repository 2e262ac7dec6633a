import SluiceContract

extension Explain {
    /// `tls:` of a listener as a flow mapping.
    static func serverTLS(_ tls: Listener.ServerTLS) -> String {
        var members: [String] = []
        if tls.identities.count == 1 {
            members.append(pair(tls.identities[0]))
        } else {
            members.append("certificates: [\(tls.identities.map { "{\(pair($0))}" }.joined(separator: ", "))]")
        }
        if let clientCA = tls.clientCA {
            members.append("client-ca: \(YAMLWriter.scalar(clientCA))")
            members.append("client-certificate: \(tls.clientCertificate.rawValue)")
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func pair(_ identity: Listener.ServerTLS.Identity) -> String {
        "certificate: \(YAMLWriter.scalar(identity.certificate)), key: \(YAMLWriter.scalar(identity.key))"
    }
}
