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
        /// Somebody wants it to be renewed now.
        case demanded
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
        /// Requests show nothing, and ask for another token.
        case forget
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
    var state = State.begun
    public internal(set) var record: TokenRecord?
    /// Of the monotonic clock.
    public internal(set) var usableUntil: UInt64?
    public internal(set) var failures = 0
    public internal(set) var lastFailure: String?
    /// The token that is shown has been refused.
    var isRefused = false
    /// Somebody waits for a token.
    var isWanted = false
    /// The server is left alone until then.
    var pausedUntil: UInt64 = 0
    var renewedForRefusalAt: UInt64?
    var chance: Chance

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
        case (.demanded, .idle), (.demanded, .resting): return renew()
        case (.demanded, .signedOut): return TokenQuestion(client, record) == nil ? [] : renew()
        case (.demanded, _): return []
        case (.alarm, .idle): return renew()
        case (.alarm, .resting): return pauseEnded(at: moment)
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

    mutating func adopt(_ found: TokenRecord?, at moment: Moment) -> [Order] {
        guard let found, found.belongs(to: client) else {
            record = nil
            usableUntil = nil
            if client.grant.needsLogin { return signOut("Nobody has signed in yet.") }
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
        // A sign-in is kept alive whether anybody asks or not.
        if usableUntil == nil, client.grant.needsLogin || isWanted { return orders + renew() }
        return orders
    }

    /// Shows what the record has, where that can still be used.
    mutating func show(_ record: TokenRecord, at moment: Moment) -> [Order] {
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
}
