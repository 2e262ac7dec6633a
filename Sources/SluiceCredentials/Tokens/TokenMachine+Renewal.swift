internal import SluiceContract

/// A renewal, from taking the lock to its result, and the consequences of a failure.
extension TokenMachine {
    mutating func renew() -> [Order] {
        state = .locking(.renewal)
        return [.lock]
    }

    mutating func refused(at moment: Moment) -> [Order] {
        // The token has expired meanwhile.
        guard isShown(at: moment) else { return renew() }
        if let end = heldUntil(at: moment) { return noOther(until: end, at: moment) }
        renewedForRefusalAt = moment.now
        isRefused = true
        return renew()
    }

    /// Until when a token is not renewed for being refused; nil where it is.
    func heldUntil(at moment: Moment) -> UInt64? {
        guard let last = renewedForRefusalAt else { return nil }
        let wait = UInt64(TokenTimes.renewalForRefusalsMin * 1e9)
        return moment.now &- last < wait ? last &+ wait : nil
    }

    /// There is no better token before `time`: requests do not wait for one.
    func noOther(until time: UInt64, at moment: Moment) -> [Order] {
        if isShown(at: moment) { return [.noOther(until: time)] }
        return lastFailure.map { [.withhold(unavailable($0, at: moment))] } ?? []
    }

    mutating func locked(_ stored: TokenRecord?, for errand: Errand, at moment: Moment) -> [Order] {
        noteSpent(stored)
        let foreign = stored.flatMap { $0.isForeign(to: client) && $0.isSignIn ? $0 : nil }
        // Where another client's record is stored, the record in memory is all that this one has.
        let stored = stored.flatMap { $0.belongs(to: client) ? $0 : $0.isForeign(to: client) ? record : nil }
        if let late = takeLate(for: stored) { return keep(late.tokens, late.asked, after: stored) }
        if case .late(let wasSignedOut) = errand, let stored, !isNews(stored) {
            return [.unlock] + lateIsOfNoUse(wasSignedOut: wasSignedOut, at: moment)
        }
        if let stored, isNews(stored) {
            // Another process has already changed the record.
            state = .idle
            let known = record
            record = stored
            if let reason = stored.signedOut { return [.unlock] + signOut(reason) }
            isRefused = isRefused && known?.accessToken == stored.accessToken
            failures = 0
            let orders = show(stored, at: moment)
            if isUsable(at: moment) { return [.unlock] + orders }
            // The refused token may have got a later end, which counts should no other token come.
            let shows = orders.filter { if case .show = $0 { true } else { false } }
            return shows + renewLocked(stored, foreign: foreign, at: moment)
        }
        return renewLocked(stored, foreign: foreign, at: moment)
    }

    private mutating func renewLocked(_ stored: TokenRecord?, foreign: TokenRecord?, at moment: Moment) -> [Order] {
        // A sign-out meanwhile is not undone by the record in memory.
        record = stored
        guard let question = TokenQuestion(client, record) else {
            if record != nil, let shown, isShown(at: moment) { return [.unlock] + keepToItsEnd(shown) }
            return [.unlock] + signOut(record == nil ? "Nobody has signed in yet." : "There is no refresh token.")
        }
        // The configured token is good for one use, and its successor could not be stored: the file holds another
        // client's sign-in.
        if let foreign, question == .configuredRefresh {
            if let shown, isShown(at: moment) { return [.unlock] + keepToItsEnd(shown) }
            return [.unlock] + signOut(nobodySignedIn(foreign))
        }
        if question == .configuredRefresh, isGivenSpent { return pageIsSpent(at: moment) }
        return ask(question, stored, at: moment)
    }

    /// Collects used tokens of any record: the spelling of the server in the configuration may change, but its refresh
    /// token stays used.
    private mutating func noteSpent(_ stored: TokenRecord?) {
        for digest in (stored?.spent ?? []) + (record?.spent ?? []) where !spent.contains(digest) {
            spent.append(digest)
        }
    }

    private var isGivenSpent: Bool { given.map { spent.contains($0) } == true }

    /// The successors of the configured token are lost, or belong to another configuration: sending it again could end
    /// the sign-in there, too.
    private mutating func pageIsSpent(at moment: Moment) -> [Order] {
        isPageSpent = true
        return failed(
            "the refresh token of 'refresh-token:' has been used already; put a new one in its place",
            retryAfter: Int(TokenTimes.refusedPause), isLocked: true, isFinal: true, at: moment)
    }

    /// There is no refresh token: the present token is the last one, and is used until it expires.
    private mutating func keepToItsEnd(_ token: Token) -> [Order] {
        state = .idle
        isRefused = false
        let reason = "the server gave no refresh token; run 'sluice login \(name)' again before the token ends"
        return [.noOther(until: token.usableUntil), .note(.notRenewed(reason)), .alarm(token.usableUntil)]
    }

    func isNews(_ stored: TokenRecord) -> Bool {
        guard let record else { return true }
        return stored.family != record.family || stored.serial > record.serial
    }

    mutating func ask(_ question: TokenQuestion, _ stored: TokenRecord?, at moment: Moment) -> [Order] {
        questions += 1
        isPageSpent = false
        state = .asking(Asked(number: questions, question: question, stored: stored, moment: moment, given: given))
        // The transport waits longer: an answer that comes late is not lost (``answeredLate(_:_:)``).
        return [.ask(question, number: questions), .alarm(moment.after(client.timeout / .seconds(1)))]
    }

    // MARK: - The server's answer

    mutating func answered(_ answer: TokenAnswer, _ asked: Asked, at moment: Moment) -> [Order] {
        let (question, stored) = (asked.question, asked.stored)
        if case .tokens(let tokens) = answer { return keep(tokens, asked, after: stored) }
        // An earlier exchange, which was given up, has brought tokens after all.
        if let late = takeLate(for: stored) { return keep(late.tokens, late.asked, after: stored) }
        switch answer {
        case .tokens: return []
        case .unavailable(let reason, let seconds):
            return failed(reason, retryAfter: seconds, isLocked: true, at: moment)
        case .refused("invalid_grant", let description) where question.isOfSignIn || client.grant.needsLogin:
            if case .refresh(let used) = question, let previous = stored?.previousRefreshToken, previous != used {
                // The server may have lost the last exchange; each of the two tokens is tried once.
                return ask(.refresh(previous), stored, at: moment)
            }
            // A grant that the configuration alone can make needs no sign-in.
            if let own = TokenQuestion(client, nil) {
                return own == .configuredRefresh && isGivenSpent
                    ? pageIsSpent(at: moment) : ask(own, stored, at: moment)
            }
            let reason = "The server does not accept the sign-in any more" + (description.map { ": \($0)" } ?? "") + "."
            guard var record = stored ?? record else { return [.unlock] + signOut(reason) }
            record.signedOut = reason
            record.serial = record.nextSerial
            record.accessToken = nil
            state = .saving(record, since: asked.moment, failures: 0)
            return [.save(record)]
        case .refused(let code, let description):
            let reason = "the server refuses (\(code))" + (description.map { ": \($0)" } ?? "")
            return failed(reason, retryAfter: Int(TokenTimes.refusedPause), isLocked: true, isFinal: true, at: moment)
        }
    }

    /// Stores the server's tokens before they are used.
    mutating func keep(_ tokens: TokenAnswer.Tokens, _ asked: Asked, after stored: TokenRecord?) -> [Order] {
        late = nil
        // The token's lifetime counts from the request, because no token is younger than the request for it.
        let record = TokenRecord(
            tokens, after: stored, asked.question, client, family: newFamily(), at: asked.moment, spent: spent,
            given: asked.given)
        state = .saving(record, since: asked.moment, failures: 0)
        return [.save(record)]
    }

    mutating func newFamily() -> UInt64 { UInt64(chance.fraction() * Double(1 << 53)) << 11 | 1 }

    mutating func saved(_ record: TokenRecord, since: Moment, at moment: Moment) -> [Order] {
        self.record = record
        noteSpent(record)
        if let reason = record.signedOut { return [.unlock] + signOut(reason) }
        state = .idle
        isRefused = false
        let orders = show(record, since: since, at: moment)
        // Asking again at once could go on for ever.
        if shown == nil {
            return failed("its token had ended when it came", retryAfter: nil, isLocked: true, at: moment)
        }
        failures = 0
        lastFailure = nil
        return [.unlock] + orders + [.note(.renewed)]
    }

    /// Storing failed. The token is usable, but the refresh token with it must not be lost: storing is tried again.
    mutating func notSaved(
        _ record: TokenRecord, since: Moment, _ reason: String, failures: Int, at moment: Moment
    ) -> [Order] {
        state = .saving(record, since: since, failures: failures)
        lastFailure = reason
        pausedUntil = moment.after(TokenTimes.pause(after: failures, chance: chance.fraction()))
        var orders: [Order] = failures == 1 ? [.note(.notSaved(reason))] : []
        if record.signedOut == nil, failures == 1 {
            self.record = record
            isRefused = false
            orders += show(record, since: since, at: moment).filter { if case .alarm = $0 { false } else { true } }
        }
        // No other token will come before this one is stored.
        if !isShown(at: moment) { orders.append(.withhold(unavailable(reason, at: moment))) }
        return orders + [.alarm(pausedUntil)]
    }

    // MARK: - Failure

    /// - Parameter isFinal: whether waiting for it makes no sense.
    mutating func failed(
        _ reason: String, retryAfter: Int?, isLocked: Bool, isFinal: Bool = false, at moment: Moment
    ) -> [Order] {
        state = .resting
        failures += 1
        lastFailure = reason
        var wait = TokenTimes.pause(after: failures, chance: chance.fraction())
        if let retryAfter { wait = max(wait, Double(min(retryAfter, TokenTimes.retryAfterMax))) }
        var orders: [Order] = isLocked ? [.unlock] : []
        pausedUntil = moment.after(wait)
        var alarm = pausedUntil
        if let shown, isUsable(at: moment) {
            // The old token remains usable for a while; after that, requests fail with the reason.
            alarm = min(alarm, shown.usableUntil)
            orders += noOther(until: pausedUntil, at: moment)
        } else if isRefused {
            orders += noOtherForRefused(at: moment)
        } else if isFinal || failures > 1 || wait > waitMax {
            orders.append(.withhold(unavailable(reason, at: moment)))
        }
        return orders + [.note(.notRenewed(reason)), .alarm(alarm)]
    }

    /// Requests that were refused do not wait for the end of the pause.
    mutating func noOtherForRefused(at moment: Moment) -> [Order] {
        guard isRefused else { return [] }
        isRefused = false
        return noOther(until: pausedUntil, at: moment)
    }

    /// Either the next attempt is due, or the token that was usable until now has expired.
    mutating func pauseEnded(at moment: Moment) -> [Order] {
        if moment.now >= pausedUntil { return renew() }
        return [.withhold(unavailable(lastFailure ?? "it rests", at: moment)), .alarm(pausedUntil)]
    }

    /// Requests that come during the pause before the next try would wait in vain, and fail at once.
    func withholdWhileResting(at moment: Moment) -> [Order] {
        guard !isShown(at: moment), pausedUntil > moment.after(waitMax) else { return [] }
        return [.withhold(unavailable(lastFailure ?? "it rests", at: moment))]
    }

    /// How long requests wait for a token, in seconds.
    private var waitMax: Double { client.wait / .seconds(1) }

    func unavailable(_ reason: String, at moment: Moment) -> Problem {
        // Texts of others may already end with a full stop.
        let sentence = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        var problem = Problem(
            isPageSpent ? .signInNeeded : .credentialUnavailable,
            detail: "The credential '\(name)' cannot be renewed: \(sentence).")
        problem.retryAfterSeconds = Int((max(pausedUntil, moment.now) - moment.now) / 1_000_000_000) + 1
        return problem
    }

    mutating func signOut(_ reason: String) -> [Order] {
        let isNew = state != .signedOut || lastFailure != reason
        state = .signedOut
        shown = nil
        lastFailure = reason
        let lack =
            client.grant.needsLogin ? "needs a sign-in: run 'sluice login \(name)'." : "has no token, and gets none."
        let problem = Problem(.signInNeeded, detail: "The credential '\(name)' \(lack) \(reason)")
        return [.withhold(problem)] + (isNew ? [.note(.signInNeeded(reason))] : [])
    }
}
