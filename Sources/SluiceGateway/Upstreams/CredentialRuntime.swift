internal import SluiceContract

/// One credential as one event loop shows it.
final class CredentialRuntime {
    /// As the configuration names it, for messages.
    let name: String
    let vault: CredentialVault
    var reader: CredentialVault.Reader
    var presentation: CredentialPresentation { vault.presentation }
    /// Whether it is shown in a field, and not in the query.
    let isField: Bool
    /// The bindings whose answers bring it (`keep:`).
    private let sources: [String]

    /// Of the last use that was noted, in seconds since 1970: while a head is written, that of the attempt.
    private(set) var notedAt = 0
    /// What servers have last asked signatures to hold, by their names; of few servers at a time.
    private var nonces: [(server: [UInt8], nonce: [UInt8])] = []
    /// How many have come.
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

    /// Notes who is given it; once a second is enough.
    @inline(__always)
    func used(at seconds: Int, _ by: @autoclosure () -> (binding: String, client: String?)) {
        if seconds == notedAt { return }
        notedAt = seconds
        let (binding, client) = by()
        vault.note(CredentialUse(at: seconds, binding: binding, client: client))
    }

    /// Stands for it in cache keys.
    func identity(_ key: (UInt64, UInt64)) -> UInt64 { reader.identity(key, of: name) }

    /// What its requests hear where there is nothing to show.
    func lack(_ problem: Problem?) -> Problem {
        if let problem { return problem }
        if !sources.isEmpty { return hasEnded }
        return Problem(.noBearer, detail: "The secret of the credential '\(name)' could not be read.")
    }

    /// The token that an answer brought has ended.
    var hasEnded: Problem {
        let calls = sources.prefix(3).map { "'\($0)'" }.joined(separator: " or ")
        return Problem(.signInNeeded, detail: "The \(name) has ended; call \(calls) for another one.")
    }

    /// It has been waited for long enough.
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
