internal import SluiceContract
internal import SluiceHTTP

/// The credential of a fetch's request: the secret it was sent with, and whether the upstream accepted it.
struct ShownCredential {
    /// The version of the secret that the request was sent with.
    private(set) var version: Int?
    private var renewal = Renewal.possible
    private var nonce = Nonce.usual
    /// The number of the last nonce known when the request was sent.
    private var nonceNumber = 0
    private var audit = Audit.told

    private enum Renewal {
        case possible
        /// The upstream has refused this version, and the request waits to be sent with another, or has been sent with
        /// it; that happens only once.
        case used(refused: Int)
    }

    private enum Nonce {
        case usual
        /// The request has been sent again with the nonce that the upstream demanded.
        case demanded
    }

    private enum Audit {
        case told
        /// The audit log still has to be told the status of the answer.
        case awaitsStatus
    }

    /// The version that the upstream has refused.
    var refused: Int? {
        switch renewal {
        case .possible: nil
        case .used(let refused): refused
        }
    }

    /// What a request that waits for its credential asks the vault for.
    var wanted: CredentialVault.Wish { refused.map { .another(thanVersion: $0) } ?? .secret }

    // MARK: - Before it is sent

    /// Whether the request may be sent. A secret that the upstream has refused does not count while another may come.
    func standing(of credential: CredentialRuntime, _ route: Route, _ loop: LoopContext)
        -> CredentialVault.Reader.Standing
    {
        switch credential.reader.standing(at: loop.now, unix: loop.unixSeconds) {
        case .usable:
            guard let refused, credential.reader.version == refused else { return .usable }
            if credential.vault.isLast(refused, at: loop.now) { return .usable }
            // A reload has left the credential without a keeper: none comes.
            return credential.vault.hasNoKeeper ? .lacking(nil) : .coming
        case .coming: return .coming
        case .lacking(let problem):
            // A binding that brings the next token does not need the last one.
            guard route.credentials.kept != nil, route.credentials.kept == route.credentials.position else {
                return .lacking(problem)
            }
            credential.vault.withholdEnded(at: loop.now, unix: loop.unixSeconds, credential.hasEnded)
            _ = credential.reader.current
            return .usable
        }
    }

    /// The request is sent with the secret that was found last.
    mutating func take(_ credential: CredentialRuntime, for request: BoundRequest, _ route: Route, at unix: Int) {
        request.show(credential.reader.shown)
        version = credential.reader.version
        nonceNumber = credential.nonceNumber
        credential.used(at: unix, (route.binding.name, request.askerName))
    }

    // MARK: - Refused by the upstream

    /// Whether the request may be sent again with another secret.
    func mayRenew(_ credential: CredentialRuntime, at now: UInt64) -> Bool {
        guard case .possible = renewal, let version, credential.vault.isRenewable else { return false }
        return !credential.vault.isLast(version, at: now)
    }

    /// The request is going to be sent with another secret.
    mutating func renew(insteadOf version: Int) { renewal = .used(refused: version) }

    /// Keeps the nonce that DPoP proofs have to contain from now on (RFC 9449 §8.2).
    /// - Returns: whether the request was refused because it lacked that nonce (§9). The token is still good then.
    static func keepNonce(
        of response: borrowing ResponseHead, to request: BoundRequest, _ route: Route, _ endpoint: Endpoint
    ) -> Bool {
        guard let credential = request.credential(route), let rule = credential.presentation.signature?.serverNonce,
            let index = Array(rule.field.utf8).withUnsafeBytes({ response.fields.firstIndex(of: $0) })
        else { return false }
        credential.note(Array(response.fields.value(index)), of: server(of: request, route, endpoint))
        return response.status == 401 && response.fields.challenges(with: rule.demand)
    }

    /// The server whose nonce a request to this endpoint has to contain.
    static func server(of request: BoundRequest, _ route: Route, _ endpoint: Endpoint) -> [UInt8] {
        var server = Outbox()
        UpstreamRequestWriter.writeAuthority(request, route, endpoint, into: &server)
        return Array(server.firstRun)
    }

    /// Whether the request may be sent again with a nonce that it was not sent with.
    func mayTakeNonce(of credential: CredentialRuntime) -> Bool {
        switch nonce {
        case .usual: credential.nonceNumber != nonceNumber
        case .demanded: false
        }
    }

    /// The request is sent again with the new nonce.
    mutating func takeNonce() { nonce = .demanded }

    // MARK: - The audit log

    /// Notes whether the audit log has to be told the outcome of the request.
    mutating func owesAudit(_ shows: Bool) { audit = shows ? .awaitsStatus : .told }

    var isUntold: Bool {
        switch audit {
        case .told: false
        case .awaitsStatus: true
        }
    }

    /// The credential was about to be sent, and not a byte was.
    mutating func withdraw() { audit = .told }

    /// Tells the audit log the outcome of the request.
    /// - Parameter status: the status of the answer; nil where none came.
    mutating func tellAudit(
        status: Int?, of request: BoundRequest?, _ route: Route?, _ endpoint: Endpoint?, _ loop: LoopContext
    ) {
        audit = .told
        guard let log = loop.auditLog, let request, let route, let endpoint, let credential = request.credential(route)
        else { return }
        log(
            AuditEntry(
                credential: credential.name, binding: route.binding.name, client: request.askerName,
                address: request.client?.address ?? [], origin: endpoint.site, status: status))
    }
}

extension HeaderBlock {
    /// Whether a challenge (RFC 9110 §11.6.1) has this word as its error.
    fileprivate func challenges(with word: String) -> Bool {
        (0..<count).contains { index in
            self[index].id == .wwwAuthenticate
                && ["\"\(word)\"", "=\(word)"].contains { String(decoding: value(index), as: UTF8.self).contains($0) }
        }
    }
}
