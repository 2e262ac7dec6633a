internal import SluiceContract
internal import SluiceHTTP

/// The credential of a fetch's request, from the wait for it to the verdict of the upstream. What the request was sent
/// with, and whether that was accepted, is in a ``ShownCredential``, which nothing else changes.
///
/// The fetch asks before a request is sent, and again where an answer refuses the credential. It is called back when
/// its request can be sent (`tryAgain`), or cannot (`fail`). A class, because the fetch may be given back by such a
/// call, which resets this.
final class FetchCredential {
    private let loop: LoopContext
    private var shown = ShownCredential()

    /// What an answer finds wrong with the credential of its request.
    enum Refusal {
        /// The secret (RFC 9110 §15.5.2).
        case ofSecret
        /// The signature lacks a nonce that the answer brings (RFC 9449 §9); the secret is still good.
        case ofNonce
    }

    init(_ loop: LoopContext) {
        self.loop = loop
    }

    /// The next request is a different one.
    func reset() { shown = ShownCredential() }

    private func runtime(of fetch: Fetch) -> CredentialRuntime? {
        guard let consumer = fetch.consumer, let route = fetch.borrowedRoute else { return nil }
        return route { consumer.request.credential($0) }
    }

    // MARK: - Before the request is sent

    /// A request whose credential is still being obtained waits for it.
    /// - Returns: whether the request is not sent now: it waits, or has failed.
    func holdsBack(_ fetch: Fetch) -> Bool {
        guard let route = fetch.borrowedRoute, let credential = runtime(of: fetch) else { return false }
        switch route({ shown.standing(of: credential, $0, loop) }) {
        case .usable: return false
        case .coming:
            fetch.attempt.wait(forCredential: true)
            fetch.deadlines.planCredential(at: loop.now &+ credential.vault.waitNanoseconds)
            fetch.armTimer()
            fetch.pool.wait(forCredential: fetch)
            credential.vault.ask(shown.wanted)
        case .lacking(let problem): fetch.fail(credential.lack(problem))
        }
        return true
    }

    /// Called before the head is written. The credential may have expired or gone while the request waited for a
    /// connection, so it is looked up again, and the head is written with what is found here.
    /// - Returns: whether the request is sent; else it waits, or has failed.
    func show(in request: BoundRequest, _ route: Route, of fetch: Fetch) -> Bool {
        if holdsBack(fetch) { return false }
        if let credential = request.credential(route) {
            shown.take(credential, for: request, route, at: loop.unixSeconds)
            if loop.auditLog != nil {
                tellAudit(status: nil, of: fetch)
                shown.owesAudit(credential.reader.shown != nil)
            }
        }
        return true
    }

    /// Whether the credential of a request that has been on its carrier for a while is still good.
    func isStillGood(for fetch: Fetch) -> Bool {
        guard let consumer = fetch.consumer, let route = fetch.route, !route.credentials.isNone,
            let credential = consumer.request.credential(route)
        else { return true }
        guard case .usable = shown.standing(of: credential, route, loop) else { return false }
        shown.take(credential, for: consumer.request, route, at: loop.unixSeconds)
        return true
    }

    /// The credential was about to be sent, and not a byte was.
    func withdraw() { shown.withdraw() }

    // MARK: - While the request waits for it

    /// Credentials have changed, perhaps this one.
    func changed(for fetch: Fetch) {
        guard case .awaitingCredential = fetch.attempt.carrierState, let route = fetch.route,
            let credential = runtime(of: fetch)
        else { return }
        switch shown.standing(of: credential, route, loop) {
        case .usable:
            fetch.deadlines.forgetCredential()
            fetch.tryAgain()
        case .coming:
            fetch.pool.wait(forCredential: fetch)
            // That no other secret comes holds for a moment, which may be over by the time this loop looks.
            if case .another = shown.wanted { credential.vault.ask(shown.wanted) }
        case .lacking(let problem): fetch.fail(credential.lack(problem))
        }
    }

    /// It has not come in time.
    func overdue(for fetch: Fetch) {
        guard let route = fetch.route, let credential = runtime(of: fetch) else { return }
        fetch.deadlines.forgetCredential()
        // A clock that was set back may have made the credential valid again without a notice.
        if case .usable = shown.standing(of: credential, route, loop) { return fetch.tryAgain() }
        fetch.fail(credential.waitedTooLong)
    }

    // MARK: - Once the upstream has answered

    /// Tells the audit log the outcome of a request that showed the credential, unless it has been told.
    /// - Parameter status: the status of the answer; nil where none came.
    func tellAudit(status: Int?, of fetch: Fetch) {
        guard shown.isUntold else { return }
        shown.tellAudit(status: status, of: fetch.consumer?.request, fetch.route, fetch.endpoint, loop)
    }

    /// The head of an answer has arrived: keeps the nonce that it brings, if any.
    /// - Returns: nil where the answer does not refuse the credential.
    func refusal(of fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) -> Refusal? {
        if route.credentials.isNone { return nil }
        if route.credentials.takesNonces, let endpoint = fetch.endpoint,
            ShownCredential.keepNonce(of: fetch.response, to: consumer.request, route, endpoint)
        {
            return .ofNonce
        }
        return fetch.response.status == 401 ? .ofSecret : nil
    }

    /// Whether the request may be sent again with another secret.
    func mayRenew(for fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route) else { return false }
        return shown.mayRenew(credential, at: loop.now) && fetch.attempt.progress.canBeSentAgain
            && consumer.isUnanswered
    }

    /// Sends the request again with what the refused one lacked, if possible.
    /// - Returns: whether the answer is withheld from the consumer.
    func sendsAgain(_ fetch: Fetch, after refusal: Refusal, _ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let credential = consumer.request.credential(route) else { return false }
        return switch refusal {
        case .ofSecret: renews(credential, fetch, consumer, route)
        case .ofNonce: takesNonce(of: credential, fetch, consumer, route)
        }
    }

    /// Takes the nonce that the answer brings, unless the request was sent with it. A rival that lacks it as well is
    /// cancelled; one that may not lack it carries on alone.
    private func takesNonce(
        of credential: CredentialRuntime, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route
    ) -> Bool {
        guard shown.mayTakeNonce(of: credential), fetch.attempt.progress.canBeSentAgain, consumer.isUnanswered
        else {
            guard fetch.hasRival else { return false }
            fetch.withdraw(consumer)
            return true
        }
        if let rival = fetch.attempts?.hedgedRequest?.rival(of: fetch).object,
            mayPass(rival, beside: fetch, credential, consumer.request, route)
        {
            fetch.withdraw(consumer)
            return true
        }
        fetch.win(consumer)
        shown.takeNonce()
        fetch.attempt.notes.cause = .credential
        // Another endpoint may be another server, and would not know this nonce.
        fetch.tryAgain(at: fetch.endpoint)
        return true
    }

    /// Whether a rival may be accepted though `fetch` lacked a nonce: it was sent with a newer one, or to another
    /// server, which has nonces of its own.
    private func mayPass(
        _ rival: Fetch, beside fetch: Fetch, _ credential: CredentialRuntime, _ request: BoundRequest, _ route: Route
    ) -> Bool {
        guard rival.attempt.progress.sent != .nothing, let own = fetch.endpoint, let other = rival.endpoint else {
            return false
        }
        if !rival.credential.shown.mayTakeNonce(of: credential) { return true }
        return ShownCredential.server(of: request, route, own) != ShownCredential.server(of: request, route, other)
    }

    /// Takes another secret, where there may be one. A rival that shows a newer one carries on alone.
    private func renews(
        _ credential: CredentialRuntime, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route
    ) -> Bool {
        guard credential.vault.isRenewable, let version = shown.version else { return false }
        guard mayRenew(for: fetch, consumer, route) else {
            credential.vault.ask(.another(thanVersion: version))
            // No other secret comes for this request; another endpoint may accept the present one.
            guard fetch.hasRival else { return false }
            fetch.withdraw(consumer)
            return true
        }
        if let rival = fetch.attempts?.hedgedRequest?.rival(of: fetch).object,
            rival.credential.shown.version != version
        {
            // It shows a newer secret, or waits for one.
            credential.vault.ask(.another(thanVersion: version))
            fetch.withdraw(consumer)
            return true
        }
        fetch.win(consumer)
        shown.renew(insteadOf: version)
        fetch.attempt.notes.cause = .credential
        fetch.attemptEnded()
        fetch.forgetSent()
        fetch.answer.drop()
        fetch.deadlines.forgetNextAttempt()
        // The secret may have been renewed already, after another request was refused.
        if holdsBack(fetch) { return true }
        fetch.tryAgain()
        return true
    }
}
