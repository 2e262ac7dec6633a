internal import COpenSSL
public import SluiceContract

extension TLSSession {
    /// What the certificate says of a client that has shown one in the handshake (RFC 5280 §4.2.1.6); empty where none
    /// was asked for or shown, and on the client's own side.
    public func clientNames() -> [CertificateName] {
        guard context.asksForCertificate, let certificate = peerCertificate else { return [] }
        var names: [CertificateName] = []
        withUnsafeMutablePointer(to: &names) { names in
            copenssl_names(
                certificate,
                { names, type, text, count in
                    guard let names = names?.assumingMemoryBound(to: [CertificateName].self),
                        let kind = CertificateName.Kind(generalName: type)
                    else { return }
                    let bytes = UnsafeBufferPointer(start: text, count: count)
                    // A NUL would end the name for others.
                    guard count > 0, !bytes.contains(0) else { return }
                    names.pointee.append(CertificateName(kind, String(decoding: bytes, as: UTF8.self)))
                }, names)
        }
        return names
    }
}

extension CertificateName.Kind {
    /// - Parameter type: of a GeneralName as OpenSSL counts them; -1 is the subject's common name.
    fileprivate init?(generalName type: Int32) {
        switch type {
        case -1: self = .commonName
        case GEN_EMAIL: self = .email
        case GEN_DNS: self = .dns
        case GEN_URI: self = .uri
        default: return nil
        }
    }
}
