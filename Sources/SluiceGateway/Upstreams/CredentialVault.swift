public import SluiceContract
internal import SluiceCache
internal import SluiceHTTP
public import SluiceSigning
internal import Synchronization

/// Holds the secret of one credential, shared by all event loops. The keeper of the credential sets it.
///
/// It is set rarely and read with every request, so a reader keeps a copy and only checks whether the version has
/// changed. Secrets are never printed: there is no description.
public final class CredentialVault: Sendable {
    /// A secret that can be shown.
    public struct Secret: Sendable {
        /// The bytes sent after the prefix of the ``CredentialPresentation``.
        public var bytes: SecretBytes
        /// Further secrets that belong to it: keys of a signature, of which `bytes` are the first; or the parts that
        /// `bytes` were made of.
        public private(set) var others: [SecretBytes] = []
        /// Set where requests are signed with the secret instead of carrying it.
        fileprivate var signer: (any RequestSigner)?
        /// Nanoseconds of the monotonic clock.
        public var usableUntil: UInt64
        /// Seconds since 1970. Both clocks count: the monotonic one stands still while the machine sleeps, and the
        /// other one may be set back.
        public var usableUntilUnix: Int
        /// Identifies the account that the secret is for, where that stays the same when the secret is renewed; else
        /// the secret itself is the identity.
        public var family: UInt64?

        public init(
            _ bytes: SecretBytes, usableUntil: UInt64 = .max, usableUntilUnix: Int = .max, family: UInt64? = nil
        ) {
            self.bytes = bytes
            self.usableUntil = usableUntil
            self.usableUntilUnix = usableUntilUnix
            self.family = family
        }

        public init(
            _ bytes: [UInt8], usableUntil: UInt64 = .max, usableUntilUnix: Int = .max, family: UInt64? = nil
        ) {
            self.init(
                SecretBytes(bytes), usableUntil: usableUntil, usableUntilUnix: usableUntilUnix, family: family)
        }

        /// A secret that is sent as `presentation` says.
        /// - Parameter parts: the parts that the credential's ``CredentialSource`` has, in its order; not empty.
        /// - Throws: why nothing can be signed with it.
        public init(
            _ parts: [[UInt8]], for presentation: CredentialPresentation, usableUntil: UInt64 = .max,
            usableUntilUnix: Int = .max, family: UInt64? = nil
        ) throws(SignatureFault) {
            self.init(parts[0], usableUntil: usableUntil, usableUntilUnix: usableUntilUnix, family: family)
            others = parts.dropFirst().map { SecretBytes($0) }
            guard let signature = presentation.signature else { return }
            signer = try signature.signer(with: parts)
        }

        fileprivate var all: [SecretBytes] { [bytes] + others }

        func isUsable(at now: UInt64, unix: Int) -> Bool { now < usableUntil && unix < usableUntilUnix }
    }

    /// A wish of an event loop to the keeper of a credential.
    public enum Wish: Sendable {
        /// A request waits for a secret.
        case secret
        /// An upstream has refused the secret of this version.
        case another(thanVersion: Int)
    }

    private struct State: Sendable {
        var current: Secret?
        /// Why there is no secret, and none can be expected.
        var lack: Problem?
        /// No other secret comes before this time, in nanoseconds of the monotonic clock.
        var noOtherUntil: UInt64 = 0
        /// Whether an answer has brought the present secret (`keep:`).
        var isKept = false
    }

    public let presentation: CredentialPresentation
    /// Whether there may be a better secret than one that was refused.
    var isRenewable: Bool { mayBeRenewed && !hasNoKeeper }
    private let mayBeRenewed: Bool
    /// The credential has no keeper any more: requests of an older configuration get only the secret that is here.
    private let isRetired = Atomic(false)
    /// Requests are sent without it while no secret has been set: an answer brings it (`keep:`).
    let isOptional: Bool
    /// How long a request waits for it, in nanoseconds.
    let waitNanoseconds: UInt64
    /// Set by its keeper before any loop sees it.
    private let asked: (@Sendable (Wish) -> Void)?
    private let version = Atomic<Int>(0)
    /// Distinguishes the times without a secret from those of any other vault, in cache keys.
    private let nonce = UInt64.random(in: .min ... .max)
    private let renewalCount = Atomic<Int>(0)
    private let failureCount = Atomic<Int>(0)
    private let state = Mutex(State())
    private let use = Mutex<CredentialUse?>(nil)

    /// - Parameters:
    ///   - asked: called with the wishes of the loops; on any thread.
    public init(
        _ presentation: CredentialPresentation = .bearer, of source: CredentialSource = .answer,
        asked: (@Sendable (Wish) -> Void)? = nil
    ) {
        self.presentation = presentation
        mayBeRenewed = source.isRenewable
        isOptional = source == .answer
        self.asked = asked
        waitNanoseconds = source.wait.nanosecondsClamped
    }

    /// Sets the secret that requests show from now on; nil removes it.
    public func set(_ secret: Secret?) { set(secret, isKept: false) }

    /// Sets the secret that an answer has brought.
    func keep(_ secret: Secret) { set(secret, isKept: true) }

    private func set(_ secret: Secret?, isKept: Bool) {
        let isOther = state.withLock { state in
            let before = state.current?.all
            state.current = secret
            state.lack = nil
            state.noOtherUntil = 0
            state.isKept = isKept
            // Within the lock: what is said of the new secret must not be taken for the old version's.
            version.add(1, ordering: .releasing)
            return secret != nil && secret?.all != before
        }
        if isOther { renewalCount.add(1, ordering: .relaxed) }
    }

    /// Until this time, no other secret comes than the present one, though an upstream may refuse it.
    ///
    /// It holds for a second at least: the loops hear of it a little later, and requests that wait then must not find
    /// it over already.
    /// - Parameters:
    ///   - time: nanoseconds of the monotonic clock, like `now`.
    public func noOther(until time: UInt64, at now: UInt64) {
        state.withLock { $0.noOtherUntil = max(time, now &+ 1_000_000_000) }
    }

    /// Another secret may come: takes back what ``noOther(until:at:)`` said.
    public func mayChange() { state.withLock { $0.noOtherUntil = 0 } }

    /// Whether there is no other secret than this version, and none comes now.
    func isLast(_ version: Int, at now: UInt64) -> Bool {
        state.withLock { now < $0.noOtherUntil && isOfVersion(version) }
    }

    /// There is no secret, and none can be expected unless an operator or a person acts.
    public func withhold(_ problem: Problem) {
        state.withLock { state in
            state.current = nil
            state.lack = problem
        }
        failureCount.add(1, ordering: .relaxed)
        version.add(1, ordering: .releasing)
    }

    /// The present secret will not be replaced any more.
    public func retire() { isRetired.store(true, ordering: .relaxed) }

    var hasNoKeeper: Bool { isRetired.load(ordering: .relaxed) }

    /// The problem of a request for whose credential nothing comes, because a reload has changed it.
    public static func changed(_ name: String) -> Problem {
        var problem = Problem(
            .credentialUnavailable, detail: "The credential '\(name)' has been changed meanwhile; ask again.")
        problem.retryAfterSeconds = 1
        return problem
    }

    /// Removes a secret that has expired; requests that need one get `problem`.
    func withholdEnded(at now: UInt64, unix: Int, _ problem: Problem) {
        let isWithheld = state.withLock { state in
            guard let current = state.current, !current.isUsable(at: now, unix: unix) else { return false }
            (state.current, state.lack) = (nil, problem)
            return true
        }
        if isWithheld { version.add(1, ordering: .releasing) }
    }

    /// Removes a secret that an answer has brought; requests that need one get `problem`. That of the configuration
    /// stays.
    func withholdKept(_ problem: Problem) {
        let isWithheld = state.withLock { state in
            guard state.isKept, state.current != nil else { return false }
            (state.current, state.lack) = (nil, problem)
            return true
        }
        if isWithheld { version.add(1, ordering: .releasing) }
    }

    /// How often another secret was set.
    var renewals: Int { renewalCount.load(ordering: .relaxed) }
    /// How often it was found that there is none.
    var failures: Int { failureCount.load(ordering: .relaxed) }

    /// The last noted use; of several uses within one second, only one is noted.
    public var lastUse: CredentialUse? { use.withLock { $0 } }

    func note(_ use: CredentialUse) { self.use.withLock { $0 = use } }

    public func isUsable(at now: UInt64, unix: Int) -> Bool {
        state.withLock { $0.current?.isUsable(at: now, unix: unix) ?? false }
    }

    func ask(_ wish: Wish) { asked?(wish) }

    /// Whether the version has not changed.
    public func isOfVersion(_ version: Int) -> Bool { self.version.load(ordering: .acquiring) == version }

    /// Whether a secret is present.
    public var isEmpty: Bool { state.withLock { $0.current == nil } }

    /// A secret as one loop shows it. Requests that were sent with it keep it alive (``RequestSecrets/shown``); with
    /// the last of them it is wiped from memory.
    final class Shown {
        fileprivate let secret: Secret
        /// The field line or query pair that shows it; nil for a secret that signs.
        let line: SecretBytes?

        fileprivate init(_ secret: Secret, _ presentation: CredentialPresentation) {
            self.secret = secret
            line = presentation.written(secret.bytes)
        }

        /// Adds the secret to a mask that removes it from texts, because answers may echo it.
        func insert(into mask: inout CredentialMask) {
            for part in secret.all { part.withUnsafeBytes { mask.insert($0) } }
        }
    }

    /// One loop's copy.
    struct Reader {
        private let vault: CredentialVault
        private(set) var version = -1
        /// The secret of the last ``standing(at:unix:)``: the one that was checked is the one that is sent, whatever
        /// other threads do meanwhile.
        private(set) var shown: Shown?
        private var lack: Problem?
        private var identity: UInt64?
        private var mask: CredentialMask?
        /// Keeps keys that it has derived from the secret.
        private var signer: (any RequestSigner)?

        init(_ vault: CredentialVault) {
            self.vault = vault
        }

        /// Drops a secret that the vault no longer has.
        mutating func refresh() {
            let version = vault.version.load(ordering: .acquiring)
            guard version != self.version else { return }
            let secret: Secret?
            (secret, lack) = vault.state.withLock { ($0.current, $0.lack) }
            self.version = version
            shown = secret.map { Shown($0, vault.presentation) }
            signer = secret?.signer
            identity = nil
            mask = nil
        }

        /// The present secret.
        var current: SecretBytes? {
            mutating get {
                refresh()
                return shown?.secret.bytes
            }
        }

        /// The field line or query pair that shows it; nil where there is none.
        var line: SecretBytes? { shown?.line }

        /// The field lines that sign a request; empty where there is no secret to sign with.
        mutating func signature(of request: RequestToSign, _ occasion: SigningOccasion) -> [UInt8] {
            signer?.lines(for: request, occasion) ?? []
        }

        enum Standing {
            case usable
            /// A secret is being obtained, or can be.
            case coming
            case lacking(Problem?)
        }

        mutating func standing(at now: UInt64, unix: Int) -> Standing {
            refresh()
            if let shown {
                if shown.secret.isUsable(at: now, unix: unix) { return .usable }
            } else if vault.isOptional, lack == nil {
                return .usable
            }
            return vault.isRenewable && lack == nil ? .coming : .lacking(lack)
        }

        /// A mask that removes the secret from texts of answers that echo it.
        mutating func credentialMask() -> CredentialMask {
            refresh()
            if let mask { return mask }
            var mask = CredentialMask()
            shown?.insert(into: &mask)
            self.mask = mask
            return mask
        }

        /// Identifies the credential in cache keys: a keyed hash, which reveals nothing of the secret. While there is
        /// no secret, the identity is good for that time only, because requests are sent with a secret not known yet.
        /// - Parameter name: the credential's name, so that two credentials with equal secrets differ.
        mutating func identity(_ key: (UInt64, UInt64), of name: String = "") -> UInt64 {
            refresh()
            if shown == nil, vault.isOptional { return 0 }
            if let identity { return identity }
            var hash = SipHash(key.0, key.1)
            var name = name
            name.withUTF8 { hash.combine(run: UnsafeRawBufferPointer($0)) }
            if let family = shown?.secret.family {
                hash.combine(family)
            } else if let shown {
                for part in shown.secret.all { part.withUnsafeBytes { hash.combine($0) } }
            } else {
                hash.combine(vault.nonce)
                hash.combine(UInt64(bitPattern: Int64(version)))
            }
            let computed = hash.finish().0
            identity = computed
            return computed
        }
    }
}
