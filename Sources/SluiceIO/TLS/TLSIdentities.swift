internal import COpenSSL
internal import SluiceContract

/// The certificates of a listener that serves several names.
///
/// Sendable because nothing in it changes after `init`.
final class TLSIdentities: @unchecked Sendable {
    /// Contexts that only hold a chain and its key: OpenSSL reads PEM into nothing else.
    private var holders: [OpaquePointer] = []

    /// - Throws: ``TLSError/file(path:reason:)`` for the first file that cannot be used.
    init(_ identities: [Listener.ServerTLS.Identity]) throws(TLSError) {
        for identity in identities {
            let holder = TLSContext.makeHandle(TLS_server_method())
            holders.append(holder)
            try TLSContext.use(certificate: identity.certificate, key: identity.key, in: holder)
        }
    }

    deinit {
        for holder in holders { SSL_CTX_free(holder) }
    }

    /// Gives `ssl` every certificate that has the name which the client asked for, so that one name may have an RSA and
    /// an ECDSA one; where none has it, or nothing was asked for, the first stays (RFC 6066 §3 allows either; whether
    /// the name is served is decided by `Host`, with an answer that can be read).
    func choose(for ssl: OpaquePointer) -> Bool {
        guard let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) else { return true }
        var isFirst = true
        for holder in holders {
            let certificate = SSL_CTX_get0_certificate(holder)
            guard X509_check_host(certificate, name, 0, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS), nil) == 1
            else { continue }
            if isFirst { SSL_certs_clear(ssl) }
            isFirst = false
            let chain = copenssl_ctx_chain(holder)
            guard SSL_use_cert_and_key(ssl, certificate, SSL_CTX_get0_privatekey(holder), chain, 1) == 1 else {
                return false
            }
        }
        return true
    }
}
