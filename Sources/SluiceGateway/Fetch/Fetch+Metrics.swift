internal import SluiceContract
internal import SluiceHTTP

/// Attempts are counted where they end: once each, with the time from the request's departure to the end of the answer.
extension Fetch {
    /// The request goes out.
    @inline(__always)
    func attemptDeparted() {
        departedAt = loop.now
        if notes.isOn { notes.departed(at: loop.now) }
        if isDeparted { return }
        isDeparted = true
        borrowedConsumer?({ $0.upstreamTime.attemptDeparted(at: loop.now) })
    }

    /// Not a byte of the request has gone out.
    func attemptWithdrawn() {
        guard isDeparted else { return }
        isDeparted = false
        borrowedConsumer?({ $0.upstreamTime.attemptWithdrawn() })
    }

    /// The attempt is over, where one is under way.
    /// - Parameter outcome: nil is what the head of its answer says, if it has come.
    func attemptEnded(_ outcome: UpstreamCells.Outcome? = nil) {
        if notes.isOn { notes.ended(outcome, status: response.status, at: loop.now) }
        guard isDeparted, let upstream = borrowedUpstream else { return }
        isDeparted = false
        let nanoseconds = loop.now &- departedAt
        let isEndless =
            borrowedConsumer?({ consumer in
                consumer.upstreamTime.attemptEnded(at: loop.now)
                return consumer.isAnswerEndless
            }) ?? false
        let status = response.status
        let outcome = outcome ?? (status >= 100 ? UpstreamCells.Outcome(status: status) : .abandoned)
        upstream { upstream in
            upstream.cells.add(at: outcome.rawValue)
            if !isEndless { loop.metrics.buckets.record(nanoseconds, in: upstream.cells, at: UpstreamCells.time) }
        }
    }

    /// No connection could be made.
    func connectFailed() {
        borrowedUpstream?({ $0.cells.add(at: UpstreamCells.Outcome.connect.rawValue) })
        borrowedConsumer?({ $0.upstreamTime.attemptFailed() })
        if notes.isOn { notes.ended(.connect, status: 0, at: loop.now) }
    }

    /// The answer is not as its binding declares it.
    func noteDrift(_ problem: Problem, _ route: Route) {
        guard problem.kind == .typeMismatch else { return }
        loop.metrics.registry.drift.note(problem.faults, of: route.binding.name, at: loop.unixSeconds)
        // What was found may be what the upstream was shown.
        guard notes.isOn, let request = consumer?.request else { return }
        notes.typeFaults(EchoMask.applied(to: problem, of: request).faults, at: loop.now)
    }
}
