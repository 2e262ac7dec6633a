internal import COpenSSL
public import SluiceContract
internal import SluiceSockets

extension TLSContext {
    /// How long a client may resume, in seconds; a ticket key is replaced as often (``TLSTicketKeys``).
    static let resumptionSeconds = 7200

    /// A context for a listener: TLS 1.2 and 1.3, ciphers with forward secrecy and authenticated encryption only.
    /// - Parameter alpn: protocols offered, the preferred one first.
    /// - Throws: ``TLSError/file(path:reason:)`` for the certificate, key or authority that cannot be used.
    public static func server(
        _ settings: Listener.ServerTLS, alpn: [String] = ["http/1.1"]
    ) throws(TLSError) -> TLSContext {
        try server(settings, alpn: alpn) { MonotonicClock.now() }
    }

    /// - Parameter clock: nanoseconds, which the age of ticket keys is told by.
    static func server(
        _ settings: Listener.ServerTLS, alpn: [String], clock: @escaping @Sendable () -> UInt64
    ) throws(TLSError) -> TLSContext {
        guard let first = settings.identities.first else { preconditionFailure("a TLS listener without certificate") }
        let handle = makeHandle(TLS_server_method())
        let context = TLSContext(
            handle: handle, protocols: alpn,
            identities: settings.identities.count > 1 ? try TLSIdentities(settings.identities) : nil,
            ticketKeys: TLSTicketKeys(periodSeconds: UInt64(resumptionSeconds), clock: clock),
            asksForCertificate: settings.clientCA != nil)
        // RFC 9325 §4.2; the same list satisfies RFC 9113 §9.2.2.
        SSL_CTX_set_cipher_list(handle, "ECDHE+AESGCM:ECDHE+CHACHA20")
        copenssl_ctx_prefer_server_ciphers(handle)
        try use(certificate: first.certificate, key: first.key, in: handle)
        if context.identities != nil { chooseByName(handle) }
        if let path = settings.clientCA { try askForCertificate(of: path, settings.clientCertificate, handle) }
        resumeByTicket(handle, settings)
        agreeOnProtocol(context)
        return context
    }

    private static func askForCertificate(
        of authorities: String, _ rule: Listener.ServerTLS.ClientCertificate, _ handle: OpaquePointer
    ) throws(TLSError) {
        try TLSTrust.addAuthorities(from: authorities, to: handle)
        SSL_CTX_set_client_CA_list(handle, SSL_load_client_CA_file(authorities))
        let refusal = rule == .required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
        SSL_CTX_set_verify(handle, SSL_VERIFY_PEER | refusal, nil)
    }

    /// The handshake asks for the certificate once the client's hello has been read.
    private static func chooseByName(_ handle: OpaquePointer) {
        SSL_CTX_set_cert_cb(
            handle,
            { ssl, _ in
                guard let ssl, let identities = TLSSession.owner(of: ssl).context.identities else { return 0 }
                return identities.choose(for: ssl) ? 1 : 0
            }, nil)
    }

    /// Tickets hold the session, so the server remembers none; the id keeps them from another listener's trust.
    private static func resumeByTicket(_ handle: OpaquePointer, _ settings: Listener.ServerTLS) {
        copenssl_ctx_set_session_cache_mode(handle, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_timeout(handle, resumptionSeconds)
        let identity = Array("\(settings.files.joined(separator: "|"))".utf8.suffix(32))
        SSL_CTX_set_session_id_context(handle, identity, UInt32(identity.count))
        copenssl_ctx_set_ticket_keys(handle) { ssl, name, vector, cipher, mac, isNew in
            guard let ssl, let name, let vector, let cipher, let mac,
                let keys = TLSSession.owner(of: ssl).context.ticketKeys
            else { return -1 }
            return isNew == 1
                ? keys.lock(name: name, vector: vector, cipher, mac) : keys.unlock(name: name, vector, cipher, mac)
        }
    }

    private static func agreeOnProtocol(_ context: TLSContext) {
        SSL_CTX_set_alpn_select_cb(
            context.handle,
            { _, chosen, chosenLength, offered, offeredLength, context in
                guard let chosen, let chosenLength, let context else { return SSL_TLSEXT_ERR_NOACK }
                let own = Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().protocols
                // It only reads; its type lacks the const.
                let result = chosen.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 1) {
                    SSL_select_next_proto($0, chosenLength, own.baseAddress, UInt32(own.count), offered, offeredLength)
                }
                // RFC 7301 §3.2: without a common protocol, the fatal alert no_application_protocol.
                return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
            }, Unmanaged.passUnretained(context).toOpaque())
    }
}
