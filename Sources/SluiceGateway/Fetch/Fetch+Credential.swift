internal import SluiceContract
internal import SluiceHTTP

/// What a fetch knows of the credential that its request shows.
struct ShownCredential {
    /// Of the secret that the request was sent with.
    var version: Int?
    /// The upstream has refused it, and the request waits to be sent once more with another; it does that once.
    var refused: Int?
    /// The request has been sent once more with the nonce that the upstream asked for.
    var hasTakenNonce = false
    /// Of the nonces that were known when it was sent.
    var nonceNumber = 0
    /// The audit log has to be told what came of it.
    var isUntold = false
}

extension Fetch {
    /// A request whose credential is on its way waits for it.
    /// - Returns: whether the request does not go out now: it waits, or has failed.
    func awaitsCredential() -> Bool {
        guard let consumer, let route, let credential = consumer.request.credential(route) else { return false }
        switch standing(of: credential, route) {
        case .usable: return false
        case .coming:
            carrierState.wait(forCredential: true)
            deadlines.planCredential(at: loop.now &+ credential.vault.waitNanoseconds)
            armTimer()
            pool.wait(forCredential: self)
            credential.vault.ask(shown.refused.map { .another(thanVersion: $0) } ?? .secret)
        case .lacking(let problem): fail(credential.lack(problem))
        }
        return true
    }

    /// A secret that the upstream has refused is none for this request.
    private func standing(of credential: CredentialRuntime, _ route: Route) -> CredentialVault.Reader.Standing {
        switch credential.reader.standing(at: loop.now, unix: loop.unixSeconds) {
        case .usable: return credential.reader.version == shown.refused ? .coming : .usable
        case .coming: return .coming
        case .lacking(let problem):
            // What brings the next token does not need the last one.
            guard route.credentials.kept != nil, route.credentials.kept == route.credentials.position else {
                return .lacking(problem)
            }
            credential.vault.withholdEnded(at: loop.now, unix: loop.unixSeconds, credential.hasEnded)
            _ = credential.reader.current
            return .usable
        }
    }

    /// The head is about to be written. The credential may have ended or gone while the request waited for a
    /// connection, so it is asked for again, and what is written then is what was found here.
    /// - Returns: whether the request goes out; else it waits, or has failed.
    func takesCredential(_ request: BoundRequest, _ route: Route) -> Bool {
        if awaitsCredential() { return false }
        if let credential = request.credential(route) {
            request.show(credential.reader.shown)
            shown.version = credential.reader.version
            shown.nonceNumber = credential.nonceNumber
            credential.used(at: loop.unixSeconds, (route.binding.name, request.askerName))
            if loop.auditLog != nil {
                if shown.isUntold { tellAudit(status: nil) }
                shown.isUntold = credential.reader.shown != nil
            }
        }
        return true
    }

    /// Whether a request that has been on its carrier for a while may go out as it is.
    var stillHasCredential: Bool {
        guard let consumer, let route, !route.credentials.isNone, let credential = consumer.request.credential(route)
        else { return true }
        guard case .usable = standing(of: credential, route) else { return false }
        consumer.request.show(credential.reader.shown)
        shown.version = credential.reader.version
        shown.nonceNumber = credential.nonceNumber
        credential.used(at: loop.unixSeconds, (route.binding.name, consumer.request.askerName))
        return true
    }

    /// Tells the audit log what came of the request that was shown a credential.
    /// - Parameter status: of the answer; nil where none came.
    func tellAudit(status: Int?) {
        shown.isUntold = false
        guard let log = loop.auditLog, let consumer, let route, let endpoint,
            let credential = consumer.request.credential(route)
        else { return }
        let request = consumer.request
        log(
            AuditEntry(
                credential: credential.name, binding: route.binding.name, client: request.askerName,
                address: request.client?.address ?? [], origin: endpoint.site, status: status))
    }

    /// Keeps the nonce that signatures have to hold from now on (RFC 9449 §8.2).
    /// - Returns: whether the request was refused for want of it (§9). The token is as good as before, then.
    func keepsNonce(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route), let endpoint,
            let rule = credential.presentation.signature?.serverNonce,
            let index = Array(rule.field.utf8).withUnsafeBytes({ response.fields.firstIndex(of: $0) })
        else { return false }
        var server = Outbox()
        UpstreamRequestWriter.writeAuthority(consumer.request, route, endpoint, into: &server)
        credential.note(Array(response.fields.value(index)), of: Array(server.firstRun))
        return response.status == 401 && response.fields.challenges(with: rule.demand)
    }

    /// Sends a request once more with a nonce that it was not sent with, if it can be.
    /// - Returns: whether it is.
    func answersWithNonce(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route), credential.nonceNumber != shown.nonceNumber,
            !shown.hasTakenNonce, !hasRival, progress.canBeSentAgain, consumer.isUnanswered
        else { return false }
        shown.hasTakenNonce = true
        notes.cause = .credential
        tryAgain()
        return true
    }

    /// Credentials have changed, perhaps this one.
    func credentialsChanged() {
        guard case .awaitingCredential = carrierState, let consumer, let route,
            let credential = consumer.request.credential(route)
        else { return }
        switch standing(of: credential, route) {
        case .usable:
            deadlines.forgetCredential()
            tryAgain()
        case .coming: pool.wait(forCredential: self)
        case .lacking(let problem): fail(credential.lack(problem))
        }
    }

    /// It has been waited for long enough.
    func credentialOverdue() {
        guard let consumer, let route, let credential = consumer.request.credential(route) else { return }
        deadlines.forgetCredential()
        // A clock that was set back may have made it good again, unheard.
        if case .usable = standing(of: credential, route) { return tryAgain() }
        fail(credential.waitedTooLong)
    }

    // MARK: - Refused by the upstream

    /// Whether the request may go out once more, with another secret.
    func renewsCredential(of consumer: FetchConsumer, _ route: Route) -> Bool {
        consumer.request.credential(route)?.vault.isRenewable == true && shown.version != nil && shown.refused == nil
            && progress.canBeSentAgain && consumer.isUnanswered
    }

    /// The upstream has refused the secret that the request was sent with (RFC 9110 §15.5.2). Where there may be a
    /// better one, the request is sent once more, if it can be.
    /// - Returns: whether this answer is not the consumer's.
    func credentialRefused(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route), credential.vault.isRenewable,
            let version = shown.version
        else { return false }
        guard renewsCredential(of: consumer, route) else {
            credential.vault.ask(.another(thanVersion: version))
            return false
        }
        if let rival = attempts?.rival?.object, rival.shown.version != version {
            // The other attempt shows a newer one, or waits for it.
            credential.vault.ask(.another(thanVersion: version))
            withdraw(consumer)
            return true
        }
        win(consumer)
        shown.refused = version
        notes.cause = .credential
        attemptEnded()
        progress.attemptEnded()
        answer.drop()
        deadlines.attemptBegan()
        deadlines.forgetNextAttempt()
        // A request that went out before another one was refused finds the new secret there.
        if awaitsCredential() { return true }
        tryAgain()
        return true
    }
}

extension HeaderBlock {
    /// Whether a challenge (RFC 9110 §11.6.1) has this word for its error.
    fileprivate func challenges(with word: String) -> Bool {
        (0..<count).contains { index in
            self[index].id == .wwwAuthenticate
                && ["\"\(word)\"", "=\(word)"].contains { String(decoding: value(index), as: UTF8.self).contains($0) }
        }
    }
}
