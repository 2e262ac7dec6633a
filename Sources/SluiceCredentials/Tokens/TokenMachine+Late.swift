/// Answers that arrive after they were given up. Where refresh tokens are for one use, such an answer may hold the only
/// one that is left of the sign-in.
extension TokenMachine {
    private static let unansweredMax = 4
    private static let noAnswer = "the server did not answer in time"

    /// The time for an answer is over. The answer may still come, with the successor of a one-time token: until the
    /// transport has given up, that token is not used again, and the lock is kept.
    mutating func timeIsOver(_ asked: Asked, at moment: Moment) -> [Order] {
        let end = asked.moment.after(TokenTimes.answerMax(client))
        guard asked.question.isForOneUse, moment.now < end else { return givenUp(asked, at: moment) }
        if asked.isOverdue { return withholdWhileOverdue(until: end, at: moment) }
        var asked = asked
        asked.isOverdue = true
        state = .asking(asked)
        failures += 1
        lastFailure = Self.noAnswer
        pausedUntil = end
        let note = Order.note(.notRenewed(Self.noAnswer))
        if isRefused, isShown(at: moment) {
            return noOtherForRefused(at: moment) + [note] + alarmWhileOverdue(until: end)
        }
        return [note] + withholdWhileOverdue(until: end, at: moment)
    }

    /// The old token remains usable for a while; after that, requests fail with the reason.
    private func withholdWhileOverdue(until end: UInt64, at moment: Moment) -> [Order] {
        if isShown(at: moment) { return alarmWhileOverdue(until: end) }
        return [.withhold(unavailable(Self.noAnswer, at: moment)), .alarm(end)]
    }

    private func alarmWhileOverdue(until end: UInt64) -> [Order] { [.alarm(min(end, shown?.usableUntil ?? end))] }

    /// Gives up waiting for the answer.
    private mutating func givenUp(_ asked: Asked, at moment: Moment) -> [Order] {
        unanswered.append(asked)
        if unanswered.count > Self.unansweredMax { unanswered.removeFirst() }
        return failed(Self.noAnswer, retryAfter: nil, isLocked: true, at: moment)
    }

    /// - Parameter number: the number of a question that is not the present one.
    mutating func answeredLate(_ answer: TokenAnswer, _ number: Int) -> [Order] {
        guard let index = unanswered.firstIndex(where: { $0.number == number }) else { return [] }
        let asked = unanswered.remove(at: index)
        guard case .tokens(let tokens) = answer else { return [] }
        switch state {
        // A later request, or another process that was quicker, determines the state.
        case .begun, .idle, .saving: return []
        case .resting, .signedOut:
            late = Late(tokens: tokens, asked: asked)
            return lockForLate(wasSignedOut: state == .signedOut)
        case .locking, .asking:
            if late.map({ $0.asked.number < number }) != false { late = Late(tokens: tokens, asked: asked) }
            return []
        }
    }

    mutating func lockForLate(wasSignedOut: Bool) -> [Order] {
        state = .locking(.late(wasSignedOut: wasSignedOut))
        return [.lock]
    }

    /// The tokens that arrived late, if nothing newer is stored.
    mutating func takeLate(for stored: TokenRecord?) -> Late? {
        guard let late else { return nil }
        self.late = nil
        guard let stored, let before = late.asked.stored else {
            return stored == nil && late.asked.stored == nil ? late : nil
        }
        // If the sign-in was given up meanwhile, the reason was that this answer was missing.
        let isSame = stored.serial == before.serial || stored.signedOut != nil
        return isSame && stored.family == before.family && stored.refreshToken == before.refreshToken ? late : nil
    }

    mutating func lateIsOfNoUse(wasSignedOut: Bool, at moment: Moment) -> [Order] {
        wasSignedOut ? staysSignedOut() : restsAgain(at: moment)
    }

    /// The lock could not be taken: the late tokens are considered at the next renewal, or a little later.
    mutating func lateWaits(wasSignedOut: Bool, at moment: Moment) -> [Order] {
        wasSignedOut ? staysSignedOut() + [.alarm(moment.after(TokenTimes.lateSeconds))] : restsAgain(at: moment)
    }

    private mutating func staysSignedOut() -> [Order] {
        state = .signedOut
        return []
    }

    private mutating func restsAgain(at moment: Moment) -> [Order] {
        state = .resting
        return noOtherForRefused(at: moment) + [.alarm(pausedUntil)]
    }
}
