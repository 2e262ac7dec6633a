internal import SluiceCache
internal import Synchronization

/// The bearer token of one upstream, shared by all event loops.
///
/// A token is set rarely and read with every request, so a reader keeps a copy and asks only whether the version has
/// moved on. Tokens are never printed: there is no description.
public final class TokenVault: Sendable {
    private struct Tokens: Sendable {
        var current: [UInt8]?
        /// The one before: requests that went out with it may still be under way.
        var previous: [UInt8]?
    }

    private let version = Atomic<Int>(0)
    private let tokens = Mutex(Tokens())

    public init(_ token: [UInt8]? = nil) {
        if let token { set(token) }
    }

    /// Stores `token` for every request from now on; nil revokes.
    public func set(_ token: [UInt8]?) {
        tokens.withLock { tokens in
            if let current = tokens.current, current != token { tokens.previous = current }
            tokens.current = token
        }
        version.add(1, ordering: .releasing)
    }

    /// Whether a token is present.
    public var isEmpty: Bool { tokens.withLock { $0.current == nil } }

    /// One loop's copy.
    struct Reader {
        private let vault: TokenVault
        private var seen = -1
        private var copy: [UInt8]?
        private var identity: UInt64?
        private var mask: CredentialMask?

        init(_ vault: TokenVault) {
            self.vault = vault
        }

        /// The token as of now.
        var current: [UInt8]? {
            mutating get {
                let version = vault.version.load(ordering: .acquiring)
                if version != seen {
                    copy = vault.tokens.withLock { $0.current }
                    seen = version
                    identity = nil
                    mask = nil
                }
                return copy
            }
        }

        /// Takes the tokens that answers may echo out of texts.
        mutating func credentialMask() -> CredentialMask {
            _ = current
            if let mask { return mask }
            var mask = CredentialMask()
            insert(into: &mask)
            self.mask = mask
            return mask
        }

        /// Has the tokens that answers may echo taken out of texts.
        func insert(into mask: inout CredentialMask) {
            let tokens = vault.tokens.withLock { $0 }
            for token in [tokens.current, tokens.previous] { if let token { mask.insert(token) } }
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
