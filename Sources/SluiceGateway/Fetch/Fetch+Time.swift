internal import SluiceContract
internal import SluiceHTTP

/// Acts on deadlines (``FetchDeadlines``).
extension Fetch {
    func armTimer() {
        loop.timers.arm(timer, for: self, at: deadlines.next(isUploading: isUploading))
    }

    /// A message that is passed through may be of any size: while bytes move in either direction, only its pace is
    /// bounded (upwards by the client's body timeout, or by the silence of an upstream that has no room for more;
    /// downwards by the silence of the upstream). A request that has arrived completely and waits for a retry is
    /// bounded like any other.
    private var isUploading: Bool {
        attempt.progress.isStreaming && borrowedRoute?({ !$0.isTyped }) == true
            && borrowedConsumer?({ !$0.request.body.isComplete }) == true
    }

    /// It is now known what bounds the time of the answer.
    func answerBegan(boundBy bound: FetchDeadlines.Bound) {
        deadlines.answerBegan(at: loop.now, boundBy: bound)
        armTimer()
    }

    /// The request has to be sent again from its beginning. The time its body has taken so far was the client's, which
    /// is no longer waited for.
    func forgetSent() {
        if isUploading, let route { deadlines.restartTotal(at: loop.now, total: route.totalNanoseconds) }
        attempt.progress.attemptEnded()
        deadlines.attemptBegan()
        attempts?.sentAnew(at: loop.now)
    }

    func bytesMoved() {
        if deadlines.moved(at: loop.now) { armTimer() }
    }

    /// How long a stream or tunnel may be silent.
    func streamSilence(_ route: Route) -> UInt64 {
        route.idleNanoseconds ?? loop.limits.streamTimeout.nanosecondsClamped
    }

    func timerFired() {
        guard let route else { return }
        let due = deadlines.due(at: loop.now, isUploading: isUploading, hasHead: answer.hasHead)
        switch due {
        case .nothing: return armTimer()
        case .sendContinue:
            deadlines.continueSent()
            consumer?.sendContinue()
            return armTimer()
        case .nextAttempt:
            deadlines.forgetNextAttempt()
            return wake()
        case .credential: return credential.overdue(for: self)
        case .silence:
            if judgeReader() { return }
            if mayBeSilentLonger(route) { return armTimer() }
            // The upstream may wait for the rest of the request, which the client owes.
            if attempt.takesBody(isTunnel: false) { attempts?.givenUp() }
            attemptTimedOut()
        case .upload, .total, .firstByte:
            if due == .upload, !deadlines.isUploadStuck(at: loop.now, taken: attempt.takenCount) { return armTimer() }
            attemptTimedOut()
            if attempt.progress.sent != .nothing, !answer.hasHead, attemptFailed(.timeout) { return }
        }
        if let problem = FetchDeadlines.problem(
            of: due, upstream: upstreamName, total: route.totalTimeout, firstByte: route.firstByteTimeout)
        {
            fail(problem)
        }
    }

    /// An answer that stops after its head is the upstream's failure, unless the client did not read it.
    private func attemptTimedOut() {
        if answer.hasHead, reader.isBehind {
            attempts?.givenUp()
            attemptEnded()
        } else {
            attemptEnded(.timeout)
        }
    }

    private func mayBeSilentLonger(_ route: Route) -> Bool {
        guard answer.treatment != .tunnel, route.idleNanoseconds == nil,
            route.streamsRows || EventStream.isOne(response)
        else { return false }
        return deadlines.extendSilence(to: loop.limits.streamTimeout.nanosecondsClamped)
    }

    // MARK: - The upstream's pace

    /// The upstream has no room for more of the body; once it has, it says so (`upstreamDrained`).
    func uploadHeld() {
        guard !deadlines.isUploadHeld, deadlines.bound == .total, isUploading, let route else { return }
        let silence = route.idleNanoseconds ?? loop.waits.body
        deadlines.uploadHeld(at: loop.now, taken: attempt.takenCount, silence: silence)
        armTimer()
    }

    // MARK: - The client's pace

    // The deadline is the client's here: while it reads too little, nothing more is read from the upstream.

    func pause() {
        reader = .behind(unsent: nil)
        answer.pause()
        setReading(false)
    }

    func resume() {
        reader = .ready
        bytesMoved()
        if answer.asksWaitingPage(self) { return }
        if answer.mayReadOn(self) { setReading(true) }
    }

    /// A client that reads less than `limits.min-rate` of the bytes that wait for it is cut off. Where several clients
    /// read one fill, those that the others wait for are dropped first.
    /// - Returns: false where no client is behind, or its pace is not known.
    private func judgeReader() -> Bool {
        if reader.isBehind, consumer?.letGoOfLaggards() == true {
            bytesMoved()
            return true
        }
        switch reader.judge(waiting: consumer?.unsentBytes, least: loop.waits.bytes(in: loop.waits.body)) {
        case .unknown: return false
        case .moves: bytesMoved()
        case .tooSlow(let problem): consumer?.fail(problem)
        }
        return true
    }
}
