internal import SluiceContract

/// One credential on one event loop.
final class CredentialRuntime {
    /// Its name in the configuration, for messages.
    let name: String
    let vault: CredentialVault
    var reader: CredentialVault.Reader
    var presentation: CredentialPresentation { vault.presentation }
    /// Whether it is sent in a field, and not in the query.
    let isField: Bool
    /// The bindings whose answers bring the token (`keep:`).
    private let sources: [String]
    /// When an operator was last told that an answer brought an unusable one.
    var unusableNotedAt: UInt64?

    /// When its last noted use was, in seconds since 1970; while a head is written, the use by that attempt.
    private(set) var notedAt = 0
    /// The nonces that servers demanded last in signatures, by server; for a few servers at a time.
    private var nonces: [(server: [UInt8], nonce: [UInt8])] = []
    /// The number of nonces received.
    private(set) var nonceNumber = 0
    private static let noncesMax = 16
    private static let nonceBytesMax = 512

    init(_ name: String, _ vault: CredentialVault, from sources: [String] = []) {
        self.name = name
        self.vault = vault
        self.sources = sources
        isField = if case .field = vault.presentation { true } else { false }
        reader = CredentialVault.Reader(vault)
    }

    /// Notes a use of the credential, at most once a second.
    @inline(__always)
    func used(at seconds: Int, _ by: @autoclosure () -> (binding: String, client: String?)) {
        if seconds == notedAt { return }
        notedAt = seconds
        let (binding, client) = by()
        vault.note(CredentialUse(at: seconds, binding: binding, client: client))
    }

    /// Identifies the credential in cache keys.
    func identity(_ key: (UInt64, UInt64)) -> UInt64 { reader.identity(key, of: name) }

    /// The problem that requests get where there is no secret.
    func lack(_ problem: Problem?) -> Problem {
        if let problem { return problem }
        if !sources.isEmpty { return hasEnded }
        if vault.hasNoKeeper { return CredentialVault.changed(name) }
        return Problem(.noBearer, detail: "The secret of the credential '\(name)' could not be read.")
    }

    /// The problem of a kept token that has expired.
    var hasEnded: Problem {
        let calls = sources.prefix(3).map { "'\($0)'" }.joined(separator: " or ")
        return Problem(.signInNeeded, detail: "The \(name) has ended; call \(calls) for another one.")
    }

    /// The problem of a request whose credential did not come in time.
    var waitedTooLong: Problem {
        var problem = Problem(
            .credentialUnavailable,
            detail:
                "The credential '\(name)' is being renewed, and that takes too long; 'sluice credentials' tells more.")
        problem.retryAfterSeconds = 1
        return problem
    }

    // MARK: - Nonces

    func nonce(of server: [UInt8]) -> [UInt8]? { nonces.first { $0.server == server }?.nonce }

    func note(_ nonce: [UInt8], of server: [UInt8]) {
        if self.nonce(of: server) == nonce || nonce.isEmpty || nonce.count > Self.nonceBytesMax { return }
        nonces.removeAll { $0.server == server }
        if nonces.count >= Self.noncesMax { nonces.removeFirst() }
        nonces.append((server, nonce))
        nonceNumber += 1
    }
}
