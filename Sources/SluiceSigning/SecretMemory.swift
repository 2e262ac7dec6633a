internal import COpenSSL

/// The memory that ``SecretBytes`` live in: OpenSSL's secure heap, which is locked, so that it is not written to swap.
/// OpenSSL keeps private keys of TLS in it, too.
public enum SecretMemory {
    /// How far the system protects it.
    public enum Protection: Sendable {
        /// Locked.
        case locked
        /// It may be written to swap: the process may not lock so much (`RLIMIT_MEMLOCK`).
        case unlocked
        /// As all other memory: there is no such heap here.
        case ordinary
    }

    /// As much as systemd lets every service lock twice over. Pages that have not been touched cost nothing.
    private static let bytesMax = 4 << 20
    /// Of that OpenSSL's own: with a full heap it reads no private keys.
    private static let reservedBytes = 1 << 20
    private static let pieceBytesMin = 64

    /// Makes the heap; to be called once, before there is any secret.
    public static func prepare() -> Protection {
        switch CRYPTO_secure_malloc_init(bytesMax, pieceBytesMin) {
        case 1: .locked
        case 2: .unlocked
        default: .ordinary
        }
    }

    /// Whether so many more bytes leave OpenSSL what is its own.
    static func hasRoom(for count: Int) -> Bool {
        CRYPTO_secure_malloc_initialized() == 0
            || CRYPTO_secure_used() + count <= bytesMax - reservedBytes
    }
}
