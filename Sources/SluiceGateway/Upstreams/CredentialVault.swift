public import SluiceContract
internal import SluiceCache
internal import SluiceHTTP
internal import Synchronization

/// What requests show of one credential, shared by all event loops. Whoever keeps the credential good puts it in.
///
/// It is set rarely and read with every request, so a reader keeps a copy and asks only whether the version has moved
/// on. Secrets are never printed: there is no description.
public final class CredentialVault: Sendable {
    /// A secret that can be shown.
    public struct Secret: Sendable {
        /// What stands behind the prefix of the ``CredentialPresentation``.
        public var bytes: [UInt8]
        /// Nanoseconds of the monotonic clock.
        public var usableUntil: UInt64
        /// Stands for whom it speaks for, where that stays the same when the secret is renewed; else the secret itself
        /// tells them apart.
        public var family: UInt64?

        public init(_ bytes: [UInt8], usableUntil: UInt64 = .max, family: UInt64? = nil) {
            self.bytes = bytes
            self.usableUntil = usableUntil
            self.family = family
        }
    }

    /// What the keeper of a credential is asked for.
    public enum Wish: Sendable {
        /// Somebody waits for a secret.
        case secret
        /// An upstream has refused the one of this version.
        case another(thanVersion: Int)
    }

    private struct State: Sendable {
        var current: Secret?
        /// The one before: requests that went out with it may still be under way.
        var previous: [UInt8]?
        /// Why there is none, and none to come.
        var lack: Problem?
    }

    let presentation: CredentialPresentation
    /// Whether there may be a better secret than one that was refused.
    let isRenewable: Bool
    /// Requests go out without it as long as it is not there.
    let isOptional: Bool
    /// How long a request waits for it, in nanoseconds.
    let waitNanoseconds: UInt64
    /// Written by its keeper before any loop sees it.
    private let asked: (@Sendable (Wish) -> Void)?
    private let version = Atomic<Int>(0)
    private let renewalCount = Atomic<Int>(0)
    private let failureCount = Atomic<Int>(0)
    private let state = Mutex(State())
    private let use = Mutex<CredentialUse?>(nil)

    /// - Parameters:
    ///   - asked: told what loops want of the keeper; from any thread.
    public init(
        _ presentation: CredentialPresentation = .bearer, of source: CredentialSource = .answer,
        asked: (@Sendable (Wish) -> Void)? = nil
    ) {
        self.presentation = presentation
        isRenewable = source.isRenewable
        isOptional = source == .answer
        self.asked = asked
        waitNanoseconds = source.wait.nanosecondsClamped
    }

    /// Shows `secret` from now on; nil takes it back.
    public func set(_ secret: Secret?) {
        state.withLock { state in
            if let current = state.current, current.bytes != secret?.bytes { state.previous = current.bytes }
            state.current = secret
            state.lack = nil
        }
        if secret != nil { renewalCount.add(1, ordering: .relaxed) }
        version.add(1, ordering: .releasing)
    }

    /// There is no secret, and none to come unless somebody does something.
    public func withhold(_ problem: Problem) {
        state.withLock { state in
            if let current = state.current { state.previous = current.bytes }
            state.current = nil
            state.lack = problem
        }
        failureCount.add(1, ordering: .relaxed)
        version.add(1, ordering: .releasing)
    }

    /// Times that a secret was put in.
    var renewals: Int { renewalCount.load(ordering: .relaxed) }
    /// Times that it was found that there is none.
    var failures: Int { failureCount.load(ordering: .relaxed) }

    /// Who was given it last; of the uses within one second, one of them.
    public var lastUse: CredentialUse? { use.withLock { $0 } }

    func note(_ use: CredentialUse) { self.use.withLock { $0 = use } }

    /// Counts as another secret for those who wait for one, though it is the same.
    public func showAgain() { version.add(1, ordering: .releasing) }

    public func isUsable(at now: UInt64) -> Bool {
        state.withLock { $0.current.map { now < $0.usableUntil } ?? false }
    }

    func ask(_ wish: Wish) { asked?(wish) }

    /// Whether nothing has changed since then.
    public func isOfVersion(_ version: Int) -> Bool { self.version.load(ordering: .acquiring) == version }

    /// Whether a secret is present.
    public var isEmpty: Bool { state.withLock { $0.current == nil } }

    /// One loop's copy.
    struct Reader {
        private let vault: CredentialVault
        private(set) var version = -1
        private var secret: Secret?
        private var presented: [UInt8] = []
        private var lack: Problem?
        private var identity: UInt64?
        private var mask: CredentialMask?

        init(_ vault: CredentialVault) {
            self.vault = vault
        }

        private mutating func refresh() {
            let version = vault.version.load(ordering: .acquiring)
            guard version != self.version else { return }
            (secret, lack) = vault.state.withLock { ($0.current, $0.lack) }
            self.version = version
            presented = secret.map { vault.presentation.written($0.bytes) } ?? []
            identity = nil
            mask = nil
        }

        /// The secret as of now.
        var current: [UInt8]? {
            mutating get {
                refresh()
                return secret?.bytes
            }
        }

        /// The line or the part of the query that shows it; nil where there is none.
        var line: [UInt8]? {
            mutating get {
                refresh()
                return secret == nil ? nil : presented
            }
        }

        enum Standing {
            case usable
            /// It is on its way, or may be had.
            case coming
            case lacking(Problem?)
        }

        mutating func standing(at now: UInt64) -> Standing {
            refresh()
            if let secret, now < secret.usableUntil { return .usable }
            if vault.isOptional, secret == nil { return .usable }
            return vault.isRenewable && lack == nil ? .coming : .lacking(lack)
        }

        /// Takes the secrets that answers may echo out of texts.
        mutating func credentialMask() -> CredentialMask {
            refresh()
            if let mask { return mask }
            var mask = CredentialMask()
            insert(into: &mask)
            self.mask = mask
            return mask
        }

        /// Has the secrets that answers may echo taken out of texts.
        func insert(into mask: inout CredentialMask) {
            let (current, previous) = vault.state.withLock { ($0.current?.bytes, $0.previous) }
            for secret in [current, previous] { if let secret { mask.insert(secret) } }
        }

        /// Stands for the credential in cache keys: a hash under a secret key, so that it tells nothing of it. While
        /// there is no secret, it is of this time alone: what is asked for then goes out with one not known yet.
        /// - Parameter name: the credential's: two of them are two, whatever they hold.
        mutating func identity(_ key: (UInt64, UInt64), of name: String = "") -> UInt64 {
            refresh()
            if secret == nil, vault.isOptional { return 0 }
            if let identity { return identity }
            var hash = SipHash(key.0, key.1)
            var name = name
            name.withUTF8 { hash.combine(run: UnsafeRawBufferPointer($0)) }
            if let family = secret?.family {
                hash.combine(family)
            } else if let secret {
                secret.bytes.withUnsafeBytes { hash.combine($0) }
            } else {
                hash.combine(UInt64.max)
                hash.combine(UInt64(bitPattern: Int64(version)))
            }
            let computed = hash.finish().0
            identity = computed
            return computed
        }
    }
}

extension CredentialPresentation {
    /// A line of the head, or a pair of the query.
    fileprivate func written(_ secret: [UInt8]) -> [UInt8] {
        switch self {
        case .field(let name, let prefix): return Array("\(name): \(prefix)".utf8) + secret + [0x0D, 0x0A]
        case .query(let name):
            var text = ByteScratch()
            text.append(Array("\(name)=".utf8))
            secret.withUnsafeBytes { secret in
                _ = text.withSpare(secret.count * 3) { PercentEncoding.encode(secret, as: .queryValue, into: $0) }
            }
            return Array(text.bytes)
        }
    }
}
