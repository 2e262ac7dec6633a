/// The time of one attempt at an upstream: from the request's departure to the end of the answer. It is counted once,
/// where the attempt ends.
struct AttemptClock {
    private enum State {
        /// No request is on its way, or its end has been counted.
        case stopped
        /// When the request went out, in the loop's time.
        case running(since: UInt64)
    }

    private var state = State.stopped

    /// The request goes out.
    @inline(__always)
    mutating func departed(at now: UInt64, for consumer: FetchConsumer) {
        switch state {
        case .stopped: consumer.upstreamTime.attemptDeparted(at: now)
        case .running: break
        }
        state = .running(since: now)
    }

    /// Not a byte of the request has gone out.
    mutating func withdrawn(for consumer: Borrowed<FetchConsumer>?) {
        guard case .running = state else { return }
        state = .stopped
        consumer?({ $0.upstreamTime.attemptWithdrawn() })
    }

    /// The attempt is over, where one is under way.
    /// - Parameters:
    ///   - outcome: nil is what the head of its answer says, if it has come.
    ///   - status: of its answer; 0 where none has come.
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
