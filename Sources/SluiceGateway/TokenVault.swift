internal import SluiceCache
internal import Synchronization

/// The bearer token of one upstream, shared by all event loops.
///
/// A token is set rarely and read with every request, so a reader keeps a copy and asks only whether the version has
/// moved on. Tokens are never printed: there is no description.
public final class TokenVault: Sendable {
    private let version = Atomic<Int>(0)
    private let token = Mutex<[UInt8]?>(nil)

    public init(_ token: [UInt8]? = nil) {
        if let token { set(token) }
    }

    /// Stores `token` for every request from now on; nil revokes.
    public func set(_ token: [UInt8]?) {
        self.token.withLock { $0 = token }
        version.add(1, ordering: .releasing)
    }

    /// Whether a token is present.
    public var isEmpty: Bool { token.withLock { $0 == nil } }

    /// One loop's copy.
    struct Reader {
        private let vault: TokenVault
        private var seen = -1
        private var copy: [UInt8]?
        private var identity: UInt64?

        init(_ vault: TokenVault) {
            self.vault = vault
        }

        /// The token as of now.
        var current: [UInt8]? {
            mutating get {
                let version = vault.version.load(ordering: .acquiring)
                if version != seen {
                    copy = vault.token.withLock { $0 }
                    seen = version
                    identity = nil
                }
                return copy
            }
        }

        /// Stands for the token in cache keys: a hash under a secret key, so that it tells nothing of the token.
        mutating func identity(_ secret: (UInt64, UInt64)) -> UInt64 {
            guard let token = current else { return 0 }
            if let identity { return identity }
            var hash = SipHash(secret.0, secret.1)
            token.withUnsafeBytes { hash.combine($0) }
            let computed = hash.finish().0
            identity = computed
            return computed
        }
    }
}
