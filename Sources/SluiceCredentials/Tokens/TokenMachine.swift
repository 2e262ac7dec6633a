public import SluiceContract

/// The life of one OAuth credential: facts in, orders out. It opens nothing, waits for nothing and reads no clock.
///
/// A renewal goes this way, and only one at a time over all daemons that share a state folder:
///
///     lock → read what is stored → ask the server → store → show → unlock
///
/// Whoever gets the lock second finds what the first has stored, and asks nobody. A refresh token that the server has
/// exchanged is on disk before it is used, and the one before is kept until then (RFC 9700 §4.14.2).
public struct TokenMachine: Sendable {
    /// What has happened.
    public enum Fact: Hashable, Sendable {
        /// What was stored when the daemon began, or has been put there by somebody else meanwhile.
        case found(TokenRecord?)
        /// What is stored cannot be used, and why.
        case damaged(String)
        /// The lock is ours; this is stored.
        case locked(TokenRecord?)
        /// It could not be taken, and why.
        case notLocked(String)
        case answered(TokenAnswer)
        case saved
        case notSaved(String)
        /// A request waits for a token.
        case wanted
        /// An upstream has refused the token that is shown.
        case refused
        /// The time of the last ``Order/alarm(_:)`` has come.
        case alarm
    }

    /// What is to be done, in this order.
    public enum Order: Hashable, Sendable {
        case lock
        case unlock
        case save(TokenRecord)
        case ask(TokenQuestion)
        /// Requests show this token from now on.
        case show(Token)
        case withhold(Problem)
        /// At this time of the monotonic clock; it takes the place of an earlier one.
        case alarm(UInt64)
        case note(Note)
    }

    public struct Token: Hashable, Sendable {
        public var text: String
        public var usableUntil: UInt64
        public var family: UInt64
    }

    /// What an operator should know of.
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
        /// The lock is waited for.
        case locking
        /// The server is asked, the lock is ours.
        case asking(TokenQuestion, TokenRecord?)
        /// What it has handed out is on its way to disk.
        case saving(TokenRecord, failures: Int)
        /// The last renewal has failed; the next one begins with the alarm.
        case resting
        /// Nothing will help but a sign-in.
        case signedOut
    }

    public let name: String
    public let client: OAuth2Client
    private(set) var state = State.begun
    private(set) public var record: TokenRecord?
    /// Of the monotonic clock.
    private(set) public var usableUntil: UInt64?
    private(set) public var failures = 0
    private(set) public var lastFailure: String?
    /// The token that is shown has been refused.
    private var isRefused = false
    /// Somebody waits for a token.
    private var isWanted = false
    private var renewedForRefusalAt: UInt64?
    private var chance: Chance

    /// - Parameter seed: what chance decides follows from it.
    public init(_ name: String, _ client: OAuth2Client, seed: UInt64) {
        self.name = name
        self.client = client
        chance = Chance(seed: seed)
    }

    // MARK: - Facts

    public mutating func take(_ fact: Fact, at moment: Moment) -> [Order] {
        switch (fact, state) {
        case (.found(let found), .begun), (.found(let found), .idle), (.found(let found), .resting),
            (.found(let found), .signedOut):
            return adopt(found, at: moment)
        case (.damaged(let reason), .begun), (.damaged(let reason), .idle), (.damaged(let reason), .resting),
            (.damaged(let reason), .signedOut):
            record = nil
            return signOut("What is stored cannot be used: \(reason).")
        case (.damaged(let reason), .locking):
            record = nil
            return [.unlock] + signOut("What is stored cannot be used: \(reason).")
        // The renewal that is under way looks at what is stored itself.
        case (.found, _), (.damaged, _): return []
        case (.wanted, .idle), (.wanted, .begun):
            isWanted = true
            return isUsable(at: moment) ? [] : renew()
        case (.wanted, _):
            isWanted = true
            return []
        case (.refused, .idle): return refused(at: moment)
        case (.refused, .resting):
            return showAgain(at: moment)
        case (.refused, _):
            isRefused = true
            return []
        case (.locked(let stored), .locking): return locked(stored, at: moment)
        case (.locked, _): return [.unlock]
        case (.notLocked(let reason), .locking):
            return failed(reason, retryAfter: nil, isLocked: false, at: moment)
        case (.notLocked, _): return []
        case (.answered(let answer), .asking(let question, let stored)):
            return answered(answer, to: question, stored, at: moment)
        case (.answered, _): return []
        case (.saved, .saving(let record, _)): return saved(record, at: moment)
        case (.notSaved(let reason), .saving(let record, let failures)):
            return notSaved(record, reason, failures: failures + 1, at: moment)
        case (.saved, _), (.notSaved, _): return []
        case (.alarm, .idle), (.alarm, .resting): return renew()
        case (.alarm, .saving(let record, _)): return [.save(record)]
        case (.alarm, .asking):
            return failed("the server did not answer in time", retryAfter: nil, isLocked: true, at: moment)
        case (.alarm, _): return []
        }
    }

    public func isUsable(at moment: Moment) -> Bool {
        usableUntil.map { moment.now < $0 } == true && !isRefused
    }

    /// Whether a request for tokens is under way whose answer must not be lost.
    public var isAsking: Bool {
        switch state {
        case .asking, .saving: true
        case .begun, .idle, .locking, .resting, .signedOut: false
        }
    }

    public var isSignedOut: Bool { state == .signedOut }

    // MARK: - What is stored

    private mutating func adopt(_ found: TokenRecord?, at moment: Moment) -> [Order] {
        guard let found, found.belongs(to: client) else {
            record = nil
            usableUntil = nil
            if client.grant.needsLogin { return signOut("Nobody has signed in yet.") }
            state = .idle
            return isWanted ? renew() : []
        }
        if let record, record.serial >= found.serial, record.family == found.family, state != .begun { return [] }
        record = found
        if let reason = found.signedOut { return signOut(reason) }
        state = .idle
        failures = 0
        lastFailure = nil
        isRefused = false
        let orders = show(found, at: moment)
        // A sign-in is kept alive whether anybody asks or not.
        if usableUntil == nil, client.grant.needsLogin || isWanted { return orders + renew() }
        return orders
    }

    /// Shows what the record has, where that can still be used.
    private mutating func show(_ record: TokenRecord, at moment: Moment) -> [Order] {
        usableUntil = nil
        guard let text = record.accessToken else { return [] }
        var token = Token(text: text, usableUntil: .max, family: record.family)
        var orders: [Order] = []
        if let expiresAt = record.expiresAt {
            let lifetime = max(1, expiresAt - record.obtainedAt)
            // Where the clock was set back, no token is good for longer than it was made for.
            let left = Double(min(expiresAt - moment.unix, lifetime)) - TokenTimes.margin(of: lifetime)
            guard left > 0 else { return [] }
            token.usableUntil = moment.after(left)
            orders.append(
                .alarm(moment.after(max(left - TokenTimes.lead(of: lifetime, chance: chance.next()), left / 2))))
        }
        usableUntil = token.usableUntil
        isWanted = false
        return [.show(token)] + orders
    }

    // MARK: - Renewal

    private mutating func renew() -> [Order] {
        state = .locking
        return [.lock]
    }

    private mutating func refused(at moment: Moment) -> [Order] {
        let wait = UInt64(TokenTimes.renewalForRefusalsMin * 1e9)
        if let last = renewedForRefusalAt, moment.now &- last < wait { return showAgain(at: moment) }
        renewedForRefusalAt = moment.now
        isRefused = true
        return renew()
    }

    /// There is no better token now: whoever waits for one takes what there is.
    private mutating func showAgain(at moment: Moment) -> [Order] {
        guard let record, let until = usableUntil, moment.now < until, let text = record.accessToken else { return [] }
        return [.show(Token(text: text, usableUntil: until, family: record.family))]
    }

    private mutating func locked(_ stored: TokenRecord?, at moment: Moment) -> [Order] {
        let stored = stored.flatMap { $0.belongs(to: client) ? $0 : nil }
        if let stored, isNews(stored) {
            // Somebody else was quicker.
            state = .idle
            let known = record
            record = stored
            if let reason = stored.signedOut { return [.unlock] + signOut(reason) }
            isRefused = isRefused && known?.accessToken == stored.accessToken
            failures = 0
            let orders = show(stored, at: moment)
            if isUsable(at: moment) { return [.unlock] + orders }
        }
        if let stored { record = stored }
        guard let question = TokenQuestion(client, record) else {
            return [.unlock] + signOut(record == nil ? "Nobody has signed in yet." : "There is no refresh token.")
        }
        return ask(question, stored, at: moment)
    }

    private func isNews(_ stored: TokenRecord) -> Bool {
        guard let record else { return true }
        return stored.family != record.family || stored.serial > record.serial
    }

    private mutating func ask(_ question: TokenQuestion, _ stored: TokenRecord?, at moment: Moment) -> [Order] {
        state = .asking(question, stored)
        // The transport has its own time limits; this is for one that is stuck.
        let limit = 2 * Double(client.timeout.components.seconds) + 5
        return [.ask(question), .alarm(moment.after(limit))]
    }

    // MARK: - The server's answer

    private mutating func answered(
        _ answer: TokenAnswer, to question: TokenQuestion, _ stored: TokenRecord?, at moment: Moment
    ) -> [Order] {
        switch answer {
        case .tokens(let tokens):
            let record = TokenRecord(tokens, after: stored, question, client, family: newFamily(), at: moment)
            state = .saving(record, failures: 0)
            return [.save(record)]
        case .unavailable(let reason, let seconds):
            return failed(reason, retryAfter: seconds, isLocked: true, at: moment)
        case .refused("invalid_grant", let description) where question.isOfSignIn || client.grant.needsLogin:
            if case .refresh(let used) = question, let previous = stored?.previousRefreshToken, previous != used,
                var older = stored
            {
                // The exchange may have been lost on the server's side; each of the two is tried once.
                older.refreshToken = previous
                older.previousRefreshToken = nil
                return ask(.refresh(previous), older, at: moment)
            }
            // What the page says needs no sign-in.
            if let own = TokenQuestion(client, nil) { return ask(own, stored, at: moment) }
            let reason = "The server does not accept the sign-in any more" + (description.map { ": \($0)" } ?? "") + "."
            guard var record = stored ?? record else { return [.unlock] + signOut(reason) }
            record.signedOut = reason
            record.serial += 1
            record.accessToken = nil
            state = .saving(record, failures: 0)
            return [.save(record)]
        case .refused(let code, let description):
            let reason = "the server refuses (\(code))" + (description.map { ": \($0)" } ?? "")
            return failed(reason, retryAfter: Int(TokenTimes.refusedPause), isLocked: true, isFinal: true, at: moment)
        }
    }

    private mutating func newFamily() -> UInt64 { UInt64(chance.next() * Double(1 << 53)) << 11 | 1 }

    private mutating func saved(_ record: TokenRecord, at moment: Moment) -> [Order] {
        self.record = record
        if let reason = record.signedOut {
            return [.unlock] + signOut(reason)
        }
        state = .idle
        failures = 0
        lastFailure = nil
        isRefused = false
        return [.unlock] + show(record, at: moment) + [.note(.renewed)]
    }

    /// The token can be used, but the refresh token that came with it must not be lost: it is tried again.
    private mutating func notSaved(
        _ record: TokenRecord, _ reason: String, failures: Int, at moment: Moment
    ) -> [Order] {
        state = .saving(record, failures: failures)
        lastFailure = reason
        var orders: [Order] = failures == 1 ? [.note(.notSaved(reason))] : []
        if record.signedOut == nil, failures == 1 {
            self.record = record
            orders += show(record, at: moment).filter { if case .show = $0 { true } else { false } }
        }
        return orders + [.alarm(moment.after(TokenTimes.pause(after: failures, chance: chance.next())))]
    }

    // MARK: - Failure

    /// - Parameter isFinal: whether waiting for it makes no sense.
    private mutating func failed(
        _ reason: String, retryAfter: Int?, isLocked: Bool, isFinal: Bool = false, at moment: Moment
    ) -> [Order] {
        state = .resting
        failures += 1
        lastFailure = reason
        var wait = TokenTimes.pause(after: failures, chance: chance.next())
        if let retryAfter { wait = max(wait, Double(min(retryAfter, TokenTimes.retryAfterMax))) }
        var orders: [Order] = isLocked ? [.unlock] : []
        if let until = usableUntil, moment.now < until, !isRefused {
            // The old token is good for a while; it is looked at again when that is over, at the latest.
        } else if isRefused {
            isRefused = false
            orders += showAgain(at: moment)
        } else if isFinal || failures > 1 {
            var problem = Problem(
                .credentialUnavailable, detail: "The credential '\(name)' cannot be renewed: \(reason).")
            problem.retryAfterSeconds = Int(wait.rounded(.up))
            orders.append(.withhold(problem))
        }
        return orders + [.note(.notRenewed(reason)), .alarm(moment.after(wait))]
    }

    private mutating func signOut(_ reason: String) -> [Order] {
        let isNew = state != .signedOut || lastFailure != reason
        state = .signedOut
        usableUntil = nil
        lastFailure = reason
        let problem = Problem(
            .signInNeeded, detail: "The credential '\(name)' needs a sign-in: run 'sluice login \(name)'. \(reason)")
        return [.withhold(problem)] + (isNew ? [.note(.signInNeeded(reason))] : [])
    }
}

extension TokenRecord {
    /// What follows from an answer to a person's command.
    public init(
        _ tokens: TokenAnswer.Tokens, after stored: TokenRecord?, _ question: TokenQuestion, _ client: OAuth2Client,
        at moment: Moment
    ) {
        self.init(tokens, after: stored, question, client, family: .random(in: 1 ... .max), at: moment)
    }

    /// What follows from an answer.
    init(
        _ tokens: TokenAnswer.Tokens, after stored: TokenRecord?, _ question: TokenQuestion, _ client: OAuth2Client,
        family: UInt64, at moment: Moment
    ) {
        self.init(
            family: question.beginsFamily ? family : stored?.family ?? family, server: client.serverName,
            clientID: client.clientID)
        serial = (stored?.serial ?? 0) + 1
        accessToken = tokens.accessToken
        obtainedAt = moment.unix
        expiresAt = tokens.lifetime.map { moment.unix + $0 }
        scope = tokens.scope ?? stored?.scope
        guard case .refresh(let used) = question else {
            refreshToken = tokens.refreshToken
            return
        }
        refreshToken = tokens.refreshToken ?? used
        // Only a successor makes a predecessor.
        previousRefreshToken = refreshToken == used ? nil : used
    }
}
