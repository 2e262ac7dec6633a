/// Answers that come after they have been given up. Where refresh tokens are for one use, what is in them is all that
/// is left of the sign-in.
extension TokenMachine {
    private static let unansweredMax = 4

    /// The time for an answer is over. It may come all the same.
    mutating func givenUp(_ asked: Asked, at moment: Moment) -> [Order] {
        unanswered.append(asked)
        if unanswered.count > Self.unansweredMax { unanswered.removeFirst() }
        return failed("the server did not answer in time", retryAfter: nil, isLocked: true, at: moment)
    }

    /// - Parameter number: of a question that is not the present one.
    mutating func answeredLate(_ answer: TokenAnswer, _ number: Int) -> [Order] {
        guard let index = unanswered.firstIndex(where: { $0.number == number }) else { return [] }
        let asked = unanswered.remove(at: index)
        guard case .tokens(let tokens) = answer else { return [] }
        switch state {
        // What is there is of a later question, or of somebody else who was quicker.
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

    /// What has come late, where nothing newer is stored.
    mutating func takeLate(for stored: TokenRecord?) -> Late? {
        guard let late else { return nil }
        self.late = nil
        guard let stored, let before = late.asked.stored else {
            return stored == nil && late.asked.stored == nil ? late : nil
        }
        // Who has given the sign-in up meanwhile did so for want of this answer.
        let isSame = stored.serial == before.serial || stored.signedOut != nil
        return isSame && stored.family == before.family && stored.refreshToken == before.refreshToken ? late : nil
    }

    mutating func lateIsOfNoUse(wasSignedOut: Bool) -> [Order] {
        state = wasSignedOut ? .signedOut : .resting
        return wasSignedOut ? [] : [.alarm(pausedUntil)]
    }

    /// The lock could not be had: what has come late is looked at with the next renewal, or a little later.
    mutating func lateWaits(wasSignedOut: Bool, at moment: Moment) -> [Order] {
        state = wasSignedOut ? .signedOut : .resting
        return [.alarm(wasSignedOut ? moment.after(TokenTimes.lateSeconds) : pausedUntil)]
    }
}
