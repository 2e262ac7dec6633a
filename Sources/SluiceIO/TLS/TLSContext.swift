internal import COpenSSL
public import SluiceContract

/// Shared by the TLS connections of one upstream or one listener: certificates, key, trust, resumable sessions.
///
/// Made off the loop, because it reads files; then used by every loop. Sendable because nothing in it changes after
/// `init` except inside OpenSSL and ``TLSTickets``, which lock for themselves.
public final class TLSContext: @unchecked Sendable {
    let handle: OpaquePointer
    /// Sessions to resume; nil for a server, whose tickets the clients keep.
    let tickets: TLSTickets?
    /// Verified and sent as SNI instead of the upstream's host.
    let serverName: String?
    /// The protocols of a server, in its order of preference, in wire format (RFC 7301 §3.1).
    let protocols: UnsafeMutableBufferPointer<UInt8>
    /// A server's certificates, where it has several.
    let identities: TLSIdentities?
    /// Keys that encrypt a server's tickets; nil for a client.
    let ticketKeys: TLSTicketKeys?
    /// Whether a server asks its clients for certificates.
    let asksForCertificate: Bool

    init(
        handle: OpaquePointer, tickets: TLSTickets? = nil, serverName: String? = nil, protocols: [String] = [],
        identities: TLSIdentities? = nil, ticketKeys: TLSTicketKeys? = nil, asksForCertificate: Bool = false
    ) {
        self.handle = handle
        self.tickets = tickets
        self.serverName = serverName
        self.identities = identities
        self.ticketKeys = ticketKeys
        self.asksForCertificate = asksForCertificate
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
            handle: makeHandle(TLS_client_method()), tickets: TLSTickets(), serverName: settings.serverName)
        if settings.verify {
            try TLSTrust.addSystemAuthorities(to: context.handle, override: authorities)
            if let path = settings.ca { try TLSTrust.addAuthorities(from: path, to: context.handle) }
            SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, nil)
        }
        if let certificate = settings.certificate {
            try use(certificate: certificate, key: settings.key ?? certificate, in: context.handle)
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

    /// Each name preceded by its length (RFC 7301 §3.1).
    static func wireFormat(of protocols: [String]) -> [UInt8] {
        protocols.flatMap { name in
            precondition((1...255).contains(name.utf8.count), "an ALPN name has 1 to 255 bytes")
            return [UInt8(name.utf8.count)] + Array(name.utf8)
        }
    }

    static func makeHandle(_ method: OpaquePointer?) -> OpaquePointer {
        guard let handle = SSL_CTX_new(method) else { preconditionFailure("out of memory") }
        copenssl_ctx_harden(handle)
        // A key with a passphrase is an error instead of a question on the terminal.
        SSL_CTX_set_default_passwd_cb(handle) { _, _, _, _ in 0 }
        // Also called for the header of every record: that has to cost next to nothing.
        SSL_CTX_set_msg_callback(handle) { isWritten, _, kind, _, _, ssl, _ in
            guard isWritten == 0, kind == SSL3_RT_HANDSHAKE, let ssl else { return }
            TLSSession.owner(of: ssl).messageReceived()
        }
        return handle
    }

    static func use(certificate: String, key: String, in handle: OpaquePointer) throws(TLSError) {
        ERR_clear_error()
        guard SSL_CTX_use_certificate_chain_file(handle, certificate) == 1 else {
            throw .takeLast(path: certificate)
        }
        guard SSL_CTX_use_PrivateKey_file(handle, key, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(handle) == 1
        else { throw .takeLast(path: key) }
    }
}
