internal import SluiceContract
internal import SluiceHTTP

/// The credential that the request shows (``ShownCredential``): it may have to be waited for, and the upstream may
/// refuse it.
extension Fetch {
    private var credential: CredentialRuntime? {
        guard let consumer, let route else { return nil }
        return consumer.request.credential(route)
    }

    /// A request whose credential is still being obtained waits for it.
    /// - Returns: whether the request is not sent now: it waits, or has failed.
    func awaitsCredential() -> Bool {
        guard let route, let credential else { return false }
        switch shown.standing(of: credential, route, loop) {
        case .usable: return false
        case .coming:
            attempt.wait(forCredential: true)
            deadlines.planCredential(at: loop.now &+ credential.vault.waitNanoseconds)
            armTimer()
            pool.wait(forCredential: self)
            credential.vault.ask(shown.wanted)
        case .lacking(let problem): fail(credential.lack(problem))
        }
        return true
    }

    /// Called before the head is written. The credential may have expired or gone while the request waited for a
    /// connection, so it is looked up again, and the head is written with what is found here.
    /// - Returns: whether the request is sent; else it waits, or has failed.
    func takesCredential(_ request: BoundRequest, _ route: Route) -> Bool {
        if awaitsCredential() { return false }
        if let credential = request.credential(route) {
            shown.take(credential, for: request, route, at: loop.unixSeconds)
            if loop.auditLog != nil {
                if shown.isUntold { tellAudit(status: nil) }
                shown.owesAudit(credential.reader.shown != nil)
            }
        }
        return true
    }

    /// Whether the credential of a request that has been on its carrier for a while is still good.
    var stillHasCredential: Bool {
        guard let consumer, let route, !route.credentials.isNone, let credential else { return true }
        guard case .usable = shown.standing(of: credential, route, loop) else { return false }
        shown.take(credential, for: consumer.request, route, at: loop.unixSeconds)
        return true
    }

    /// Tells the audit log the outcome of a request that showed a credential.
    func tellAudit(status: Int?) { shown.tellAudit(status: status, of: consumer?.request, route, endpoint, loop) }

    /// Credentials have changed, perhaps this one.
    func credentialsChanged() {
        guard case .awaitingCredential = attempt.carrierState, let route, let credential else { return }
        switch shown.standing(of: credential, route, loop) {
        case .usable:
            deadlines.forgetCredential()
            tryAgain()
        case .coming: pool.wait(forCredential: self)
        case .lacking(let problem): fail(credential.lack(problem))
        }
    }

    /// The credential has not come in time.
    func credentialOverdue() {
        guard let route, let credential else { return }
        deadlines.forgetCredential()
        // A clock that was set back may have made the credential valid again without a notice.
        if case .usable = shown.standing(of: credential, route, loop) { return tryAgain() }
        fail(credential.waitedTooLong)
    }

    // MARK: - Refused by the upstream

    /// Keeps the DPoP nonce of an answer, if it has one.
    /// - Returns: whether the request was refused because it lacked that nonce.
    func keepsNonce(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let endpoint else { return false }
        return ShownCredential.keepNonce(of: response, to: consumer.request, route, endpoint)
    }

    /// Sends a request again with a nonce that it was not sent with, if possible.
    /// - Returns: whether it is sent again.
    func answersWithNonce(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route), shown.mayTakeNonce(of: credential), !hasRival,
            attempt.progress.canBeSentAgain, consumer.isUnanswered
        else { return false }
        shown.takeNonce()
        attempt.notes.cause = .credential
        tryAgain()
        return true
    }

    /// Whether the request may be sent again with another secret.
    func renewsCredential(of consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route) else { return false }
        return shown.mayRenew(credential) && attempt.progress.canBeSentAgain && consumer.isUnanswered
    }

    /// The upstream has refused the request's secret (RFC 9110 §15.5.2). Where there may be a better one, the request
    /// is sent again, if possible.
    /// - Returns: whether this answer is withheld from the consumer.
    func credentialRefused(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route), credential.vault.isRenewable,
            let version = shown.version
        else { return false }
        guard renewsCredential(of: consumer, route) else {
            credential.vault.ask(.another(thanVersion: version))
            return false
        }
        if let rival = attempts?.hedgedRequest?.rival(of: self).object, rival.shown.version != version {
            // The rival shows a newer secret, or waits for one.
            credential.vault.ask(.another(thanVersion: version))
            withdraw(consumer)
            return true
        }
        win(consumer)
        shown.renew(insteadOf: version)
        attempt.notes.cause = .credential
        attemptEnded()
        forgetSent()
        answer.drop()
        deadlines.forgetNextAttempt()
        // The secret may have been renewed already, after another request was refused.
        if awaitsCredential() { return true }
        tryAgain()
        return true
    }
}
