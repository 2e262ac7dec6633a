internal import COpenSSL
internal import Synchronization

/// The keys that encrypt a listener's session tickets (RFC 5077 §4).
///
/// Anyone with a ticket key can read every connection resumed by TLS 1.2 under it, so keys are short-lived: a key
/// encrypts for one period, decrypts for one more, and is wiped. Keys never leave the process and survive no reload.
final class TLSTicketKeys: Sendable {
    private struct State {
        var current: TLSTicketKey
        var previous: TLSTicketKey?
        var replaceAt: UInt64
    }

    private let state: Mutex<State>
    private let period: UInt64
    private let clock: @Sendable () -> UInt64

    /// - Parameter clock: nanoseconds of a monotonic clock.
    init(periodSeconds: UInt64, clock: @escaping @Sendable () -> UInt64) {
        period = periodSeconds * 1_000_000_000
        self.clock = clock
        state = Mutex(State(current: TLSTicketKey(), previous: nil, replaceAt: clock() + period))
    }

    /// Sets the cipher up for a new ticket.
    /// - Returns: what OpenSSL's callback has to: 1.
    func lock(
        name: UnsafeMutablePointer<UInt8>, vector: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer,
        _ mac: OpaquePointer
    ) -> Int32 {
        let key = keys().current
        name.update(from: key.name, count: TLSTicketKey.nameBytes)
        guard RAND_bytes(vector, TLSTicketKey.vectorBytes) == 1,
            EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.secret, vector) == 1,
            copenssl_ticket_mac(mac, key.authenticator, TLSTicketKey.keyBytes) == 1
        else { return -1 }
        return 1
    }

    /// Sets the cipher up for a client's ticket.
    /// - Returns: what OpenSSL's callback has to: 0 for a key that is not ours (any longer), 1, or 2 where the client
    ///   shall get a new ticket.
    func unlock(
        name: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer,
        _ mac: OpaquePointer
    ) -> Int32 {
        let keys = keys()
        let isCurrent = keys.current.isNamed(name)
        guard let key = isCurrent ? keys.current : keys.previous, key.isNamed(name) else { return 0 }
        guard EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.secret, vector) == 1,
            copenssl_ticket_mac(mac, key.authenticator, TLSTicketKey.keyBytes) == 1
        else { return -1 }
        return isCurrent ? 1 : 2
    }

    private func keys() -> (current: TLSTicketKey, previous: TLSTicketKey?) {
        let now = clock()
        return state.withLock { state in
            if now >= state.replaceAt {
                // After two periods without use, the old key is too old for any ticket.
                state.previous = now < state.replaceAt + period ? state.current : nil
                state.current = TLSTicketKey()
                state.replaceAt = now + period
            }
            return (state.current, state.previous)
        }
    }
}

/// One ticket key: its public name and its two secrets. Wiped when it is no longer referenced.
///
/// Sendable because nothing in it changes after `init`.
private final class TLSTicketKey: @unchecked Sendable {
    static let nameBytes = 16
    static let vectorBytes: Int32 = 16
    static let keyBytes = 32

    private let bytes: UnsafeMutablePointer<UInt8>
    private static let bytesCount = nameBytes + 2 * keyBytes

    var name: UnsafePointer<UInt8> { UnsafePointer(bytes) }
    /// AES-256-CBC.
    var secret: UnsafePointer<UInt8> { UnsafePointer(bytes + Self.nameBytes) }
    /// HMAC-SHA-256.
    var authenticator: UnsafePointer<UInt8> { UnsafePointer(bytes + Self.nameBytes + Self.keyBytes) }

    init() {
        bytes = .allocate(capacity: Self.bytesCount)
        bytes.initialize(repeating: 0, count: Self.bytesCount)
        guard RAND_bytes(bytes, Int32(Self.bytesCount)) == 1 else { preconditionFailure("no random numbers") }
    }

    deinit {
        OPENSSL_cleanse(bytes, Self.bytesCount)
        bytes.deallocate()
    }

    func isNamed(_ other: UnsafePointer<UInt8>) -> Bool {
        // Not a secret: it travels in the clear.
        (0..<Self.nameBytes).allSatisfy { name[$0] == other[$0] }
    }
}
