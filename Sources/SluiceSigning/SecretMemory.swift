internal import COpenSSL

/// The memory that ``SecretBytes`` live in: OpenSSL's secure heap, which is locked, so that it is not written to swap.
/// OpenSSL keeps private keys of TLS in the same heap.
public enum SecretMemory {
    /// How far the system protects the heap.
    public enum Protection: Sendable {
        /// Locked.
        case locked
        /// Not locked, so it may be written to swap: the process may not lock so much (`RLIMIT_MEMLOCK`).
        case unlocked
        /// Ordinary memory: this system has no secure heap.
        case ordinary
    }

    /// Half of what systemd lets every service lock. Pages that have not been touched cost nothing.
    private static let bytesMax = 4 << 20
    /// The part of it that is left to OpenSSL, which cannot read private keys when the heap is full.
    private static let reservedBytes = 1 << 20
    private static let pieceBytesMin = 64

    /// Creates the heap; to be called once, before there is any secret.
    public static func prepare() -> Protection {
        switch CRYPTO_secure_malloc_init(bytesMax, pieceBytesMin) {
        case 1: .locked
        case 2: .unlocked
        default: .ordinary
        }
    }

    /// Whether `count` more bytes leave OpenSSL its reserved part.
    static func hasRoom(for count: Int) -> Bool {
        CRYPTO_secure_malloc_initialized() == 0
            || CRYPTO_secure_used() + count <= bytesMax - reservedBytes
    }
}
