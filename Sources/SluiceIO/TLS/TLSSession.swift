internal import COpenSSL
public import SluiceHTTP
internal import Glibc

/// One TLS connection, without its socket: ciphertext from the peer goes in with ``receive(_:)``, ciphertext for the
/// peer collects in ``outgoing``, and between them are ``handshake()``, ``read(into:)``, ``write(_:)`` and
/// ``shutdown()``.
///
///     session.receive(bytes)                          // or receiveEnd() where the socket is at its end
///     guard case .done = session.handshake() else { … }
///     while case .bytes(let count) = session.read(into: buffer) { … }
///     session.settle()                                // before `bytes` are reused
///     // after every call: send `outgoing`, also after a failure, because it holds the alert
///
/// Confined to its loop.
public final class TLSSession {
    /// Ciphertext to send.
    public var outgoing = Outbox()
    /// The protocol agreed upon (RFC 7301); nil before the handshake is done, or where none was.
    public private(set) var negotiatedProtocol: String?
    var input = TLSInput()
    var budget = TLSMessageBudget()
    let ssl: OpaquePointer
    let context: TLSContext
    /// Empty on the server's side.
    private let serverName: String
    private var isEstablished = false
    private var failure: TLSError?

    public enum HandshakeResult: Hashable, Sendable {
        /// The peer has to send more.
        case inProgress
        case done
        case failed(TLSError)
    }

    public enum ReadResult: Hashable, Sendable {
        /// So many bytes were read; there may be more.
        case bytes(Int)
        /// Everything received has been read.
        case wantMore
        /// The peer said that nothing follows (close_notify): what came is complete.
        case closed
        case failed(TLSError)
    }

    public enum WriteResult: Hashable, Sendable {
        /// So many bytes were encrypted into ``outgoing``.
        case bytes(Int)
        /// The handshake isn't done yet; nothing was taken.
        case notYet
        case failed(TLSError)
    }

    /// The client's side.
    /// - Parameters:
    ///   - serverName: the upstream's host, which its certificate has to name; an IP literal is verified as such and,
    ///     as RFC 6066 §3 wants it, not sent as SNI.
    ///   - alpn: protocols offered, the preferred one first.
    public init(client context: TLSContext, serverName: String, alpn: [String] = []) {
        self.context = context
        // RFC 6066 §3: without the trailing dot.
        let name = context.serverName ?? serverName
        self.serverName = name.hasSuffix(".") ? String(name.dropLast()) : name
        ssl = Self.makeHandle(context)
        adopt()
        SSL_set_connect_state(ssl)
        if !expectServerName() { failure = .handshake("\(self.serverName) is no host name that TLS can verify") }
        let offered = TLSContext.wireFormat(of: alpn)
        if !offered.isEmpty { SSL_set_alpn_protos(ssl, offered, UInt32(offered.count)) }
        context.tickets?.resume(ssl, serverName: self.serverName)
    }

    /// The server's side.
    public init(server context: TLSContext) {
        self.context = context
        serverName = ""
        ssl = Self.makeHandle(context)
        adopt()
        SSL_set_accept_state(ssl)
    }

    deinit {
        // Without this, OpenSSL invalidates the ticket of a connection that ended abruptly, too; the ticket of a closed
        // pooled connection is as good as any.
        if isEstablished, failure == nil { SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
        SSL_free(ssl)
    }

    /// Whether a session from an earlier connection was resumed.
    public var isResumed: Bool { SSL_session_reused(ssl) == 1 }
    /// Bytes received and not read yet; a driver that stops reading has to stop receiving, too.
    public var pendingInput: Int { input.count }

    /// Takes ciphertext from the peer. It is borrowed until ``settle()``.
    public func receive(_ ciphertext: UnsafeRawBufferPointer) {
        input.borrow(ciphertext)
    }

    /// The socket is at its end. A ``read(into:)`` that then finds no close_notify fails with ``TLSError/truncated``.
    public func receiveEnd() {
        input.isEnded = true
    }

    /// Copies what was received and not read, so that the buffer it stands in may be reused.
    public func settle() {
        input.settle()
    }

    /// Continues the handshake as far as the received bytes allow. Application data may have come with its last flight:
    /// read at once when the handshake is done.
    public func handshake() -> HandshakeResult {
        if let failure { return .failed(failure) }
        if isEstablished { return .done }
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        guard result == 1 else {
            let code = SSL_get_error(ssl, result)
            return code == SSL_ERROR_WANT_READ ? .inProgress : .failed(fail())
        }
        isEstablished = true
        negotiatedProtocol = selectedProtocol()
        return .done
    }

    /// Decrypts into `buffer`. Call it again until it says otherwise than `bytes`.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        precondition(buffer.count > 0, "no room to read into")
        if let failure { return .failed(failure) }
        guard isEstablished else { return .wantMore }
        let mark = budget.mark(leaving: outgoing.count)
        let result = decrypt(into: buffer)
        if case .bytes(let count) = result {
            budget.hasRead(count, since: mark)
        } else {
            budget.hasRead(0, since: mark)
        }
        return result
    }

    private func decrypt(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        var total = 0
        ERR_clear_error()
        // One call decrypts one record; small records are gathered.
        while total < buffer.count {
            var count = 0
            if SSL_read_ex(ssl, buffer.baseAddress! + total, buffer.count - total, &count) == 1 {
                total += count
                continue
            }
            // Where the read has been made to return, OpenSSL takes that for an end.
            switch budget.isExceeded ? SSL_ERROR_SSL : SSL_get_error(ssl, 0) {
            case SSL_ERROR_WANT_READ:
                return total > 0 ? .bytes(total) : .wantMore
            case SSL_ERROR_ZERO_RETURN:
                return total > 0 ? .bytes(total) : .closed
            default:
                // The bytes before the failure are valid; the next call reports it.
                let failure = fail()
                return total > 0 ? .bytes(total) : .failed(failure)
            }
        }
        return .bytes(total)
    }

    /// Encrypts all of `plaintext` into ``outgoing``. Back-pressure is the caller's: it looks at `outgoing.count`.
    public func write(_ plaintext: UnsafeRawBufferPointer) -> WriteResult {
        if let failure { return .failed(failure) }
        guard isEstablished else { return .notYet }
        guard let base = plaintext.baseAddress, plaintext.count > 0 else { return .bytes(0) }
        ERR_clear_error()
        var count = 0
        // The outbox takes everything, so a write is never partial.
        guard SSL_write_ex(ssl, base, plaintext.count, &count) == 1 else { return .failed(fail()) }
        assert(count == plaintext.count)
        budget.hasWritten(count, leaving: outgoing.count)
        return .bytes(count)
    }

    /// Sends a close_notify (RFC 8446 §6.1). The peer may go on sending.
    public func shutdown() {
        guard isEstablished, failure == nil else { return }
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// The session that `ssl` belongs to.
    static func owner(of ssl: OpaquePointer) -> TLSSession {
        Unmanaged<TLSSession>.fromOpaque(SSL_get_ex_data(ssl, 0)).takeUnretainedValue()
    }

    /// A message of the handshake protocol has come, and is about to be processed.
    func messageReceived() {
        guard isEstablished else { return }
        budget.spend()
        // Else the read goes on inside OpenSSL as long as there is input: now it drops what follows, and returns.
        if budget.isExceeded { SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN) }
    }

    /// Keeps a session that the peer lets us resume.
    /// - Returns: whether its reference was taken over.
    func keepTicket(_ session: OpaquePointer) -> Bool {
        guard let tickets = context.tickets else { return false }
        tickets.keep(session, for: serverName)
        return true
    }

    private static func makeHandle(_ context: TLSContext) -> OpaquePointer {
        guard let ssl = SSL_new(context.handle) else { preconditionFailure("out of memory") }
        return ssl
    }

    private func adopt() {
        // Index 0 is OpenSSL's "application data"; `deinit` frees the handle, so the pointer back stays valid.
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        TLSTransport.attach(ssl, to: self)
    }

    /// Sets the name that the certificate has to have (RFC 9110 §4.3.4, RFC 9525).
    private func expectServerName() -> Bool {
        let parameters = SSL_get0_param(ssl)
        var address = in6_addr()
        let isLiteral =
            inet_pton(AF_INET, serverName, &address) == 1 || inet_pton(AF_INET6, serverName, &address) == 1
        if isLiteral { return X509_VERIFY_PARAM_set1_ip_asc(parameters, serverName) == 1 }
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return X509_VERIFY_PARAM_set1_host(parameters, serverName, 0) == 1
            && copenssl_set_server_name(ssl, serverName) == 1
    }

    private func selectedProtocol() -> String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// The peer's certificate, where it has shown one that is verified; kept by the session.
    var peerCertificate: OpaquePointer? {
        SSL_get_verify_result(ssl) == Int(X509_V_OK) ? SSL_get0_peer_certificate(ssl) : nil
    }

    /// Records why the connection can't go on.
    private func fail() -> TLSError {
        let verdict = SSL_get_verify_result(ssl)
        let error: TLSError
        if budget.isExceeded {
            error = .tooManyMessages
        } else if !isEstablished, copenssl_error_reason(ERR_peek_error()) == SSL_R_CERTIFICATE_VERIFY_FAILED {
            error = .certificate(refusal(verdict))
        } else {
            error = .takeLast()
        }
        ERR_clear_error()
        failure = error
        return error
    }

    private func refusal(_ verdict: Int) -> String {
        let reason = String(cString: X509_verify_cert_error_string(verdict))
        switch Int32(verdict) {
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: return "\(reason): expected \(serverName)"
        default: return reason
        }
    }
}
