internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

// Timeouts of a connection: it may fail to be established, fall silent, or be idle for too long.
extension HTTP2UpstreamLink {
    /// Arms one timer for all requests that are gathered.
    func armGathering() {
        guard let due = gathering.dueAt, gatherTimer.deadline != due else { return }
        loop.timers.arm(gatherTimer, for: self, at: due)
    }

    func arm(at deadline: UInt64) { loop.timers.arm(timer, for: self, at: deadline) }

    func cancelTimers() {
        loop.timers.cancel(timer)
        loop.timers.cancel(gatherTimer)
    }

    func ping() {
        session.ping()
        pingedAt = loop.now
        arm(at: loop.now &+ upstream.pingTimeoutNanoseconds)
        hasNews()
    }

    func timePassed() {
        let now = loop.now
        if gathering.timePassed(at: now) {
            touch()
            // Otherwise the connection's own timer has fired, perhaps along with the other one.
            if timer.isArmed { return }
        }
        let settings = upstream.settings
        switch state {
        case .ended: return
        case .connecting:
            return lose(
                Problem(
                    .connectTimeout,
                    detail: "No connection to '\(settings.name)' within \(settings.timeout.connect.words)."))
        case .open, .retiring: break
        }
        if let pingedAt {
            guard now < pingedAt &+ upstream.pingTimeoutNanoseconds else {
                return lose(
                    Problem(
                        .connectionReset,
                        detail: "'\(settings.name)' did not answer a PING within \(settings.pingTimeout.words)."))
            }
            return arm(at: pingedAt &+ upstream.pingTimeoutNanoseconds)
        }
        if isIdle, now >= idleSince &+ upstream.idleNanoseconds {
            retire()
            return endIfIdle()
        }
        if now >= heardAt &+ upstream.pingNanoseconds { return ping() }
        let next = heardAt &+ upstream.pingNanoseconds
        arm(at: isIdle ? min(next, idleSince &+ upstream.idleNanoseconds) : next)
    }
}
