internal import SluiceContract

/// What a fetch knows of the credential that its request shows.
struct ShownCredential {
    /// Of the secret that the request was sent with.
    var version: Int?
    /// The upstream has refused it, and the request waits to be sent once more with another; it does that once.
    var refused: Int?
}

extension Fetch {
    /// A request whose credential is on its way waits for it.
    /// - Returns: whether the request does not go out now: it waits, or has failed.
    func awaitsCredential() -> Bool {
        guard let consumer, let route, let credential = consumer.request.credential(route) else { return false }
        switch credential.reader.standing(at: loop.now) {
        case .usable where credential.reader.version != shown.refused: return false
        case .usable, .coming:
            carrierState.wait(forCredential: true)
            deadlines.planCredential(at: loop.now &+ credential.vault.waitNanoseconds)
            armTimer()
            pool.wait(forCredential: self)
            credential.vault.ask(shown.refused.map { .another(thanVersion: $0) } ?? .secret)
        case .lacking(let problem): fail(credential.lack(problem))
        }
        return true
    }

    /// Notes which secret goes out.
    func noteCredential(_ request: BoundRequest, _ route: Route) {
        guard let credential = request.credential(route) else { return }
        shown.version = credential.reader.version
        credential.used(at: loop.unixSeconds, (route.binding.name, request.asker))
    }

    /// Credentials have changed, perhaps this one.
    func credentialsChanged() {
        guard case .awaitingCredential = carrierState, let consumer, let route,
            let credential = consumer.request.credential(route)
        else { return }
        switch credential.reader.standing(at: loop.now) {
        case .usable where credential.reader.version != shown.refused:
            deadlines.forgetCredential()
            tryAgain()
        case .usable, .coming: pool.wait(forCredential: self)
        case .lacking(let problem): fail(credential.lack(problem))
        }
    }

    func credentialOverdue() {
        guard let consumer, let route, let credential = consumer.request.credential(route) else { return }
        fail(credential.waitedTooLong)
    }

    /// The upstream has refused the secret that the request was sent with (RFC 9110 §15.5.2). Where there may be a
    /// better one, the request is sent once more, if it can be.
    /// - Returns: whether it is.
    func renewsCredential(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route), credential.vault.isRenewable,
            let version = shown.version
        else { return false }
        guard shown.refused == nil, !hasRival, progress.canBeSentAgain, consumer.isUnanswered else {
            credential.vault.ask(.another(thanVersion: version))
            return false
        }
        shown.refused = version
        attemptEnded()
        progress.attemptEnded()
        answer.drop()
        deadlines.attemptBegan()
        // A request that went out before another one was refused finds the new secret there.
        if awaitsCredential() { return true }
        tryAgain()
        return true
    }
}
