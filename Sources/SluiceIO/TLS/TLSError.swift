internal import COpenSSL
internal import SluiceContract
internal import Glibc

/// Why a TLS connection, or the files that it needs, failed. Says so in plain words, and never holds key material.
public enum TLSError: Error, Hashable, Sendable {
    /// The peer's certificate was refused here: `certificate has expired`, `hostname mismatch: expected x`, …
    case certificate(String)
    /// The peer refused what it was offered, and said why in an alert (RFC 8446 §6.2): `unknown ca`, `certificate
    /// required`, … It will refuse it again.
    case refusedByPeer(String)
    /// The peer gave up for a reason that has to do with this connection alone: `internal error`, `bad record mac`, …
    case brokenOffByPeer(String)
    /// The peer closed the connection without a close_notify: what came may have been cut short (RFC 8446 §6.1).
    case truncated
    /// The peer keeps us busy with messages of TLS itself (``TLSMessageBudget``).
    case tooManyMessages
    /// The handshake failed: the input is not TLS, or nothing could be agreed upon.
    case handshake(String)
    /// A certificate, key or authority file cannot be used.
    case file(path: String, reason: String)
}

extension TLSError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .certificate(let reason), .handshake(let reason): reason
        case .refusedByPeer(let reason): "refused by the peer: \(reason)"
        case .brokenOffByPeer(let reason): "broken off by the peer: \(reason)"
        case .truncated: "the connection was closed without a close_notify"
        case .tooManyMessages:
            "too many TLS messages of the peer's, of which \(TLSMessageBudget.messagesMax) may come without content"
                + " (session tickets, KeyUpdates, attempts at another handshake)"
        case .file(let path, let reason): "\(path): \(reason)"
        }
    }
}

extension TLSError {
    /// The oldest error in this thread's queue, which is the cause of those after it. Empties the queue.
    static func takeLast() -> TLSError {
        let code = ERR_peek_error()
        defer { ERR_clear_error() }
        let reason = copenssl_error_reason(code)
        switch reason {
        case SSL_R_UNEXPECTED_EOF_WHILE_READING:
            return .truncated
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_PACKET_LENGTH_TOO_LONG:
            return .handshake("the peer does not speak TLS (\(text(of: code)))")
        case SSL_R_HTTP_REQUEST:
            return .handshake("a plain HTTP request came to a TLS port")
        // Alerts received are errors numbered from this offset.
        case SSL_AD_REASON_OFFSET...(SSL_AD_REASON_OFFSET + 255):
            let text = alert(text(of: code))
            return isOfConnection(reason - SSL_AD_REASON_OFFSET) ? .brokenOffByPeer(text) : .refusedByPeer(text)
        default:
            return .handshake(text(of: code))
        }
    }

    /// Whether an alert concerns this connection only, and not the two sides' settings.
    private static func isOfConnection(_ alert: Int32) -> Bool {
        switch alert {
        case SSL3_AD_UNEXPECTED_MESSAGE, SSL3_AD_BAD_RECORD_MAC, TLS1_AD_DECRYPTION_FAILED, TLS1_AD_RECORD_OVERFLOW,
            TLS1_AD_INTERNAL_ERROR, TLS1_AD_USER_CANCELLED:
            true
        default: false
        }
    }

    /// What made OpenSSL refuse the file at `path`. Empties the queue.
    static func takeLast(path: String) -> TLSError {
        let code = ERR_peek_error()
        defer { ERR_clear_error() }
        return .file(path: path, reason: text(of: code))
    }

    private static func text(of code: UInt) -> String {
        if copenssl_error_is_system(code) != 0 { return String(cString: strerror(copenssl_error_reason(code))) }
        guard let reason = ERR_reason_error_string(code) else { return "no reason given" }
        return String(cString: reason)
    }

    /// `tlsv13 alert certificate required` without the words that say in which version the alert was born.
    private static func alert(_ text: String) -> String {
        guard let start = text.firstRange(of: "alert ")?.upperBound else { return text }
        return String(text[start...])
    }
}
