public import SluiceContract

/// The life of one OAuth credential: facts in, orders out. It does no input or output, never waits, and reads no clock.
///
/// A renewal takes these steps, one renewal at a time among all daemons that share a state folder:
///
///     lock → read what is stored → ask the server → store → show → unlock
///
/// The second process to get the lock finds the token that the first has stored, and sends no request. A refresh token
/// from the server is on disk before it is used, and the one before is kept until then (RFC 9700 §4.14.2).
public struct TokenMachine: Sendable {
    /// What has happened.
    public enum Fact: Hashable, Sendable {
        /// The record that was stored when the daemon began, or that another process has stored meanwhile.
        case found(TokenRecord?)
        /// The stored record cannot be used, for this reason.
        case damaged(String)
        /// The digest of the refresh token in the configuration (``TokenRecord/digest(of:)``); nil where there is none.
        case given(String?)
        /// The lock was taken; this record is stored.
        case locked(TokenRecord?)
        /// The lock could not be taken, for this reason.
        case notLocked(String)
        /// The server has answered the question with this number, perhaps long after it was given up.
        case answered(TokenAnswer, to: Int)
        case saved
        case notSaved(String)
        /// A request waits for a token.
        case wanted
        /// An upstream has refused the present token.
        case refused
        /// A renewal was requested.
        case demanded
        /// The time of the last ``Order/alarm(_:)`` has come.
        case alarm
    }

    /// What has to be done, in this order.
    public enum Order: Hashable, Sendable {
        case lock
        case unlock
        case save(TokenRecord)
        case ask(TokenQuestion, number: Int)
        /// Requests use this token from now on.
        case show(Token)
        /// Until this time of the monotonic clock, no other token comes than the one that requests use, though an
        /// upstream may refuse it: requests do not wait for one.
        case noOther(until: UInt64)
        /// Requests use no token any more, and ask for another one when they need it.
        case forget
        case withhold(Problem)
        /// Call back at this time of the monotonic clock; replaces an earlier alarm.
        case alarm(UInt64)
        case note(Note)
    }

    public struct Token: Hashable, Sendable {
        public var text: String
        /// Time of the monotonic clock.
        public var usableUntil: UInt64
        /// Seconds since 1970. Needed as well, because the monotonic clock stands still while the machine sleeps.
        public var usableUntilUnix: Int
        public var family: UInt64
    }

    /// A notice for the operator.
    public enum Note: Hashable, Sendable {
        case renewed
        case notRenewed(String)
        case signInNeeded(String)
        case notSaved(String)
    }

    enum State: Hashable, Sendable {
        /// Nothing is known yet.
        case begun
        case idle
        /// Waiting for the lock.
        case locking(Errand)
        /// Waiting for the server's answer, with the lock held.
        case asking(Asked)
        /// The server's tokens are being stored.
        /// - Parameter since: when they were requested.
        case saving(TokenRecord, since: Moment, failures: Int)
        /// The last renewal has failed; the next one begins with the alarm.
        case resting
        /// Only a sign-in can help.
        case signedOut
    }

    /// Why the lock is taken.
    enum Errand: Hashable, Sendable {
        case renewal
        /// Tokens arrived after they were given up; if they are useless, the previous state is restored.
        case late(wasSignedOut: Bool)
    }

    /// A question that was sent to the server.
    struct Asked: Hashable, Sendable {
        var number: Int
        var question: TokenQuestion
        /// The record that was stored then.
        var stored: TokenRecord?
        var moment: Moment
        /// Whether the time for an answer is over, though it may still come.
        var isOverdue = false
        /// The digest of the configured refresh token at that time.
        var given: String?
    }

    /// Tokens that arrived after they were given up: their refresh token may be the only one that is left.
    struct Late: Hashable, Sendable {
        var tokens: TokenAnswer.Tokens
        var asked: Asked
    }

    public let name: String
    public let client: OAuth2Client
    var state = State.begun
    public internal(set) var record: TokenRecord?
    /// The token that requests use, and until when; nil where there is none.
    public internal(set) var shown: Token?
    public internal(set) var failures = 0
    public internal(set) var lastFailure: String?
    /// Whether an upstream has refused the present token.
    var isRefused = false
    /// Whether a request waits for a token.
    var isWanted = false
    /// The server is not asked again before this time.
    var pausedUntil: UInt64 = 0
    var renewedForRefusalAt: UInt64?
    /// The number of questions so far.
    var questions = 0
    /// Questions that were given up without an answer, the latest last.
    var unanswered: [Asked] = []
    var late: Late?
    /// The digest of the configured refresh token.
    var given: String?
    /// Digests of configured refresh tokens that were used, according to all stored records.
    var spent: [String] = []
    /// Whether such a used token is all that could be sent.
    var isPageSpent = false
    var chance: SplitMix64

    /// - Parameter seed: the seed of all random choices.
    public init(_ name: String, _ client: OAuth2Client, seed: UInt64) {
        self.name = name
        self.client = client
        chance = SplitMix64(seed: seed)
    }

    // MARK: - Facts

    public mutating func take(_ fact: Fact, at moment: Moment) -> [Order] {
        switch (fact, state) {
        case (.given(let digest), _):
            given = digest
            return []
        case (.found(let found), .begun), (.found(let found), .idle), (.found(let found), .resting),
            (.found(let found), .signedOut):
            return adopt(found, at: moment)
        case (.damaged(let reason), .begun), (.damaged(let reason), .idle), (.damaged(let reason), .resting),
            (.damaged(let reason), .signedOut):
            record = nil
            return signOut("What is stored cannot be used: \(reason).")
        case (.damaged(let reason), .locking):
            (record, late) = (nil, nil)
            return [.unlock] + signOut("What is stored cannot be used: \(reason).")
        // A renewal in progress reads the stored record itself.
        case (.found, _), (.damaged, _): return []
        case (.wanted, .idle), (.wanted, .begun):
            isWanted = true
            return isUsable(at: moment) ? [] : renew()
        case (.wanted, .resting):
            isWanted = true
            return withholdWhileResting(at: moment)
        case (.wanted, .asking(let asked)) where asked.isOverdue:
            isWanted = true
            return withholdWhileResting(at: moment)
        case (.wanted, _):
            isWanted = true
            return []
        case (.refused, .idle): return refused(at: moment)
        case (.refused, .resting): return noOther(until: pausedUntil, at: moment)
        case (.refused, .saving(_, _, let failures)) where failures > 0:
            return noOther(until: pausedUntil, at: moment)
        case (.refused, .asking(let asked)) where asked.isOverdue: return noOther(until: pausedUntil, at: moment)
        case (.refused, .begun), (.refused, .signedOut): return []
        case (.refused, _):
            isRefused = true
            return []
        case (.locked(let stored), .locking(let errand)): return locked(stored, for: errand, at: moment)
        case (.locked, _): return [.unlock]
        case (.notLocked(let reason), .locking(.renewal)):
            return failed(reason, retryAfter: nil, isLocked: false, at: moment)
        case (.notLocked, .locking(.late(let wasSignedOut))): return lateWaits(wasSignedOut: wasSignedOut, at: moment)
        case (.notLocked, _): return []
        case (.answered(let answer, let number), .asking(let asked)) where asked.number == number:
            return answered(answer, asked, at: moment)
        case (.answered(let answer, let number), _): return answeredLate(answer, number)
        case (.saved, .saving(let record, let since, _)): return saved(record, since: since, at: moment)
        case (.notSaved(let reason), .saving(let record, let since, let failures)):
            return notSaved(record, since: since, reason, failures: failures + 1, at: moment)
        case (.saved, _), (.notSaved, _): return []
        case (.demanded, .idle), (.demanded, .resting): return renew()
        case (.demanded, .signedOut): return TokenQuestion(client, record) == nil ? [] : renew()
        case (.demanded, _): return []
        case (.alarm, .idle): return renew()
        case (.alarm, .resting): return pauseEnded(at: moment)
        case (.alarm, .saving(let record, _, _)): return [.save(record)]
        case (.alarm, .asking(let asked)): return timeIsOver(asked, at: moment)
        case (.alarm, .signedOut) where late != nil: return lockForLate(wasSignedOut: true)
        case (.alarm, _): return []
        }
    }

    public func isUsable(at moment: Moment) -> Bool { isShown(at: moment) && !isRefused }

    func isShown(at moment: Moment) -> Bool {
        shown.map { moment.now < $0.usableUntil && moment.unix < $0.usableUntilUnix } == true
    }

    /// Whether tokens may be on their way that must not be lost.
    public var isAsking: Bool {
        switch state {
        case .asking, .saving, .locking(.late): true
        case .locking(.renewal), .resting, .signedOut: late != nil
        case .begun, .idle: false
        }
    }

    /// Whether the question may still be sent: its time is not over, and the lock is held.
    public func isAsked(_ number: Int) -> Bool {
        if case .asking(let asked) = state { asked.number == number && !asked.isOverdue } else { false }
    }

    public var isSignedOut: Bool { state == .signedOut }

    // MARK: - What is stored

    mutating func adopt(_ found: TokenRecord?, at moment: Moment) -> [Order] {
        guard let found, found.belongs(to: client) else {
            // A record of another configuration under this name does not concern this one.
            if let found, found.isForeign(to: client), record != nil { return [] }
            (record, shown, late) = (nil, nil, nil)
            if client.grant.needsLogin { return signOut(nobodySignedIn(found)) }
            // A pause for the server's sake is not cut short.
            if state == .resting { return [.forget] }
            let wasKnown = state != .begun
            state = .idle
            return isWanted ? renew() : wasKnown ? [.forget, .alarm(.max)] : []
        }
        if let record, record.serial >= found.serial, record.family == found.family, state != .begun { return [] }
        record = found
        if let reason = found.signedOut { return signOut(reason) }
        state = .idle
        failures = 0
        lastFailure = nil
        isRefused = false
        let orders = show(found, at: moment)
        if shown != nil { return orders }
        // A sign-in is renewed even if no request waits for it. For other grants, an earlier refusal no longer holds:
        // the next request asks for a token.
        return client.grant.needsLogin || isWanted ? renew() : [.forget, .alarm(.max)]
    }

    func nobodySignedIn(_ found: TokenRecord?) -> String {
        guard let found, found.isForeign(to: client), found.isSignIn else { return "Nobody has signed in yet." }
        return "What is kept under its name is what \(found.owner) has signed in for; give one of the two another "
            + "name, or another folder with 'state:'; or remove the file, if it is of no more use."
    }

    /// Shows the token of the record, if it is still usable.
    /// - Parameter since: when the token was requested, if this process requested it.
    mutating func show(_ record: TokenRecord, since: Moment? = nil, at moment: Moment) -> [Order] {
        shown = nil
        guard let text = record.accessToken else { return [] }
        var token = Token(text: text, usableUntil: .max, usableUntilUnix: .max, family: record.family)
        var orders: [Order] = []
        if let expiresAt = record.expiresAt {
            let lifetime = max(1, expiresAt - record.obtainedAt)
            let margin = TokenTimes.margin(of: lifetime)
            let left = Self.left(of: record, until: expiresAt, since: since, at: moment) - margin
            guard left > 0 else { return [] }
            token.usableUntil = moment.after(left)
            // In whole seconds: the monotonic clock is the exact one.
            token.usableUntilUnix = expiresAt - Int(margin) + 1
            orders.append(
                .alarm(moment.after(max(left - TokenTimes.lead(of: lifetime, chance: chance.fraction()), left / 2))))
        } else {
            // The token has no known end: it is used until an upstream refuses it.
            orders.append(.alarm(.max))
        }
        shown = token
        isWanted = false
        let held = heldUntil(at: moment).map { [Order.noOther(until: $0)] } ?? []
        return [.show(token)] + held + orders
    }

    /// The seconds that are left of a token's life.
    private static func left(
        of record: TokenRecord, until end: Int, since: Moment?, at moment: Moment
    ) -> Double {
        let lifetime = Double(max(1, end - record.obtainedAt))
        let byDate = Double(end - moment.unix)
        // If the clock was set back, a token still lasts no longer than its lifetime.
        guard let since else { return min(byDate, lifetime) }
        // The date has whole seconds, and also goes on while the machine sleeps, when the monotonic clock stands still.
        return min(lifetime - Double(moment.now &- since.now) / 1e9, byDate + 1)
    }
}
