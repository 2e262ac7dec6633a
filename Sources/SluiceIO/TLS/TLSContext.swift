internal import COpenSSL
public import SluiceContract

/// What the TLS connections of one upstream or one listener share: certificates, key, trust, resumable sessions.
///
/// Made off the loop, because it reads files; then used by every loop. Sendable because nothing in it changes after
/// `init` except inside OpenSSL and ``TLSTickets``, which lock for themselves.
public final class TLSContext: @unchecked Sendable {
    let handle: OpaquePointer
    /// Sessions to resume; nil for a server, whose tickets the clients keep.
    let tickets: TLSTickets?
    /// Verified and sent as SNI instead of the upstream's host.
    let serverName: String?
    /// What a server agrees to speak, in its order of preference, in wire format (RFC 7301 §3.1).
    private let protocols: UnsafeMutableBufferPointer<UInt8>

    private init(handle: OpaquePointer, tickets: TLSTickets?, serverName: String?, protocols: [String]) {
        self.handle = handle
        self.tickets = tickets
        self.serverName = serverName
        let list = Self.wireFormat(of: protocols)
        self.protocols = .allocate(capacity: list.count)
        _ = self.protocols.initialize(from: list)
    }

    deinit {
        SSL_CTX_free(handle)
        protocols.deallocate()
    }

    /// A context for connections to an upstream: verifying by default, TLS 1.2 or later.
    /// - Throws: ``TLSError/file(path:reason:)`` for the authority, certificate or key that cannot be used.
    public static func client(_ settings: Upstream.ClientTLS) throws(TLSError) -> TLSContext {
        try client(settings, authorities: .environment)
    }

    static func client(
        _ settings: Upstream.ClientTLS, authorities: TLSTrust.Override
    ) throws(TLSError) -> TLSContext {
        let context = TLSContext(
            handle: makeHandle(TLS_client_method()), tickets: TLSTickets(), serverName: settings.serverName,
            protocols: [])
        if settings.verify {
            try TLSTrust.addSystemAuthorities(to: context.handle, override: authorities)
            if let path = settings.ca { try TLSTrust.addAuthorities(from: path, to: context.handle) }
            SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, nil)
        }
        if let certificate = settings.certificate {
            try context.use(certificate: certificate, key: settings.key ?? certificate)
        }
        // Sessions are kept by name in `tickets`, not in OpenSSL's own cache, which has no key for a client.
        copenssl_ctx_set_session_cache_mode(
            context.handle, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
        SSL_CTX_sess_set_new_cb(context.handle) { ssl, session in
            guard let ssl, let session else { return 0 }
            return TLSSession.owner(of: ssl).keepTicket(session) ? 1 : 0
        }
        return context
    }

    /// A context for a listener: TLS 1.2 and 1.3, ciphers with forward secrecy and authenticated encryption only.
    /// - Parameter alpn: protocols offered, the preferred one first.
    /// - Throws: ``TLSError/file(path:reason:)`` for the certificate, key or authority that cannot be used.
    public static func server(
        _ settings: Listener.ServerTLS, alpn: [String] = ["http/1.1"]
    ) throws(TLSError) -> TLSContext {
        let context = TLSContext(
            handle: makeHandle(TLS_server_method()), tickets: nil, serverName: nil, protocols: alpn)
        let handle = context.handle
        // RFC 9325 §4.2; the same list satisfies RFC 9113 §9.2.2.
        SSL_CTX_set_cipher_list(handle, "ECDHE+AESGCM:ECDHE+CHACHA20")
        copenssl_ctx_prefer_server_ciphers(handle)
        try context.use(certificate: settings.certificate, key: settings.key)
        if let path = settings.clientCA {
            try TLSTrust.addAuthorities(from: path, to: handle)
            SSL_CTX_set_client_CA_list(handle, SSL_load_client_CA_file(path))
            SSL_CTX_set_verify(handle, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        // Tickets hold the session, so the server remembers none; the id keeps them from another listener's trust.
        copenssl_ctx_set_session_cache_mode(handle, Int(SSL_SESS_CACHE_OFF))
        let identity = Array("\(settings.certificate)|\(settings.clientCA ?? "")".utf8.suffix(32))
        SSL_CTX_set_session_id_context(handle, identity, UInt32(identity.count))
        SSL_CTX_set_alpn_select_cb(
            handle,
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
        return context
    }

    /// Each name preceded by its length (RFC 7301 §3.1).
    static func wireFormat(of protocols: [String]) -> [UInt8] {
        protocols.flatMap { name in
            precondition((1...255).contains(name.utf8.count), "an ALPN name has 1 to 255 bytes")
            return [UInt8(name.utf8.count)] + Array(name.utf8)
        }
    }

    private static func makeHandle(_ method: OpaquePointer?) -> OpaquePointer {
        guard let handle = SSL_CTX_new(method) else { preconditionFailure("out of memory") }
        copenssl_ctx_harden(handle)
        // A key with a passphrase is an error instead of a question on the terminal.
        SSL_CTX_set_default_passwd_cb(handle) { _, _, _, _ in 0 }
        return handle
    }

    private func use(certificate: String, key: String) throws(TLSError) {
        ERR_clear_error()
        guard SSL_CTX_use_certificate_chain_file(handle, certificate) == 1 else {
            throw .takeLast(path: certificate)
        }
        guard SSL_CTX_use_PrivateKey_file(handle, key, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(handle) == 1
        else { throw .takeLast(path: key) }
    }
}
