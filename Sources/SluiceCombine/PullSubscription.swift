#if Combine
    import OpenCombine
    import Synchronization

    /// One subscriber's own run of a source. It begins with the first demand, goes no further than what is demanded,
    /// and ends when the subscriber cancels.
    ///
    /// OpenCombine knows nothing of `Sendable`, and says in words what is checked elsewhere: a subscriber is told one
    /// thing at a time, from any thread. Here it is told by one task alone.
    final class PullSubscription<Downstream: Subscriber>: Subscription, PullTarget, @unchecked Sendable
    where Downstream.Input: Sendable {
        /// What is run in the task; what it throws is the failure that the subscriber is told.
        typealias Body = @Sendable () async throws(Downstream.Failure) -> Void
        /// Called with the first demand, before the task.
        typealias Source = @Sendable (any PullTarget<Downstream.Input, Downstream.Failure>) -> Body

        private struct Run {
            let downstream: Downstream
            var demand: Subscribers.Demand
            /// The source, where it waits for more demand.
            var waiter: CheckedContinuation<Bool, Never>?
            var task: Task<Void, Never>?
        }

        private enum Phase {
            /// Nothing was demanded yet.
            case idle(Downstream, Source)
            case running(Run)
            case ended
        }

        /// A phase that is handed out of the lock: its subscriber is told things by the task alone.
        private struct Taken: @unchecked Sendable {
            let phase: Phase
        }

        private let state: Mutex<Taken>

        init(_ downstream: Downstream, _ source: @escaping Source) {
            state = Mutex(Taken(phase: .idle(downstream, source)))
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            let before = change { phase in
                switch phase {
                case .idle(let downstream, _): .running(Run(downstream: downstream, demand: demand))
                case .running(var run):
                    running(&run) {
                        $0.demand += demand
                        $0.waiter = nil
                    }
                case .ended: .ended
                }
            }
            switch before {
            case .idle(_, let source): begin(source(self))
            case .running(let run): run.waiter?.resume(returning: true)
            case .ended: break
            }
        }

        func cancel() {
            guard case .running(let run) = change({ _ in .ended }) else { return }
            run.task?.cancel()
            run.waiter?.resume(returning: false)
        }

        private func begin(_ body: @escaping Body) {
            let task = PullTask.begin(body, for: self)
            let before = change { phase in
                guard case .running(var run) = phase else { return phase }
                return running(&run) { $0.task = task }
            }
            if case .ended = before { task.cancel() }
        }

        func emit(_ element: Downstream.Input) {
            let before = change { phase in
                guard case .running(var run) = phase else { return phase }
                return running(&run) { $0.demand -= 1 }
            }
            guard case .running(let run) = before else { return }
            let more = run.downstream.receive(element)
            if more > .none { request(more) }
        }

        func isDemanded() async -> Bool {
            await withCheckedContinuation { continuation in
                let before = change { phase in
                    guard case .running(var run) = phase, run.demand == .none else { return phase }
                    return running(&run) { $0.waiter = continuation }
                }
                switch before {
                case .running(let run) where run.demand > .none: continuation.resume(returning: true)
                case .running: break
                case .idle, .ended: continuation.resume(returning: false)
                }
            }
        }

        func finish(_ failure: Downstream.Failure?) {
            guard case .running(let run) = change({ _ in .ended }) else { return }
            run.downstream.receive(completion: failure.map { .failure($0) } ?? .finished)
        }

        private func running(_ run: inout Run, _ body: (inout Run) -> Void) -> Phase {
            body(&run)
            return .running(run)
        }

        /// Goes over to another phase, and returns the one of before.
        private func change(_ body: (Phase) -> Phase) -> Phase {
            state.withLock { state in
                let before = state
                state = Taken(phase: body(before.phase))
                return before
            }.phase
        }
    }
#endif
