/// The time of one attempt at an upstream: from sending the request to the end of the answer. It is counted once, when
/// the attempt ends.
struct AttemptClock {
    private enum State {
        /// No request has been sent, or its end has been counted.
        case stopped
        /// When the request was sent, in the loop's time.
        case running(since: UInt64)
    }

    private var state = State.stopped

    /// The request is being sent.
    @inline(__always)
    mutating func departed(at now: UInt64, for consumer: FetchConsumer) {
        switch state {
        case .stopped: consumer.upstreamTime.attemptDeparted(at: now)
        case .running: break
        }
        state = .running(since: now)
    }

    /// The attempt is withdrawn before a byte of the request was sent.
    mutating func withdrawn(for consumer: Borrowed<FetchConsumer>?) {
        guard case .running = state else { return }
        state = .stopped
        consumer?({ $0.upstreamTime.attemptWithdrawn() })
    }

    /// Ends the attempt, if one is running.
    /// - Parameters:
    ///   - outcome: nil means the outcome follows from `status`.
    ///   - status: the status of the answer; 0 where none has come.
    mutating func ended(
        _ outcome: UpstreamCells.Outcome?, status: Int, at upstream: UpstreamRuntime,
        for consumer: Borrowed<FetchConsumer>?, _ loop: LoopContext
    ) {
        guard case .running(let departedAt) = state else { return }
        state = .stopped
        let isEndless =
            consumer?({ consumer in
                consumer.upstreamTime.attemptEnded(at: loop.now)
                return consumer.isAnswerEndless
            }) ?? false
        let outcome = outcome ?? (status >= 100 ? UpstreamCells.Outcome(status: status) : .abandoned)
        upstream.cells.add(at: outcome.rawValue)
        if !isEndless {
            loop.metrics.buckets.record(loop.now &- departedAt, in: upstream.cells, at: UpstreamCells.time)
        }
    }
}
