internal import SluiceContract
internal import SluiceHTTP

/// Deadlines: of the whole, of the first byte, of silence, of a client that waits to be told to go on.
extension Fetch {
    func armTimer() {
        loop.timers.arm(timer, for: self, at: deadline)
    }

    private var deadline: UInt64 {
        // What passes through untouched may be of any size: while it moves, in either direction, only its pace is
        // bounded (by the client's body timeout on the way out, by `firstByteBy` on the way back).
        let isUploading = hasSentBody && !isBodySent && borrowedRoute?({ !$0.isTyped }) == true
        let total = answer.isUnbounded || isUploading ? .max : completeBy
        return min(total, firstByteBy, continueBy, wakeBy)
    }

    /// The head of the answer has arrived; what is passed through may take as long as it keeps moving.
    /// - Parameter silence: how long it may say nothing, nanoseconds.
    func headArrived(isUnbounded: Bool, silence: UInt64) {
        answer.isUnbounded = isUnbounded
        answer.silence = silence
        firstByteBy = isUnbounded ? loop.now &+ silence : .max
        armTimer()
    }

    func bodyMoved() {
        guard answer.isUnbounded else { return }
        firstByteBy = loop.now &+ answer.silence
        armTimer()
    }

    func timerFired() {
        guard let upstream, let route else { return }
        // It was armed before the body began to move.
        if loop.now < deadline { return armTimer() }
        if loop.now >= continueBy {
            continueBy = .max
            consumer?.sendContinue()
            return armTimer()
        }
        if isHeld, loop.now >= firstByteBy, judgeReader() { return }
        if loop.now >= wakeBy {
            wakeBy = .max
            return wake()
        }
        let name = upstream.settings.name
        if isGoverned, isHeadSent, !answer.hasHead, attemptFailed(.timeout) { return }
        if loop.now < firstByteBy {
            fail(Problem(.totalTimeout, detail: "'\(name)' took longer than \(route.totalTimeout.words) in all."))
        } else if answer.hasHead {
            if let later = silenceExtended(from: firstByteBy) {
                firstByteBy = later
                return armTimer()
            }
            fail(Problem(.totalTimeout, detail: "'\(name)' stopped in the middle of its answer."))
        } else {
            fail(Problem(.firstByteTimeout, detail: "'\(name)' did not answer within \(route.firstByteTimeout.words)."))
        }
    }
}
