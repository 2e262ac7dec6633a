internal import SluiceContract
internal import SluiceHTTP

/// Whether the upstream has room for one more request. Checked in this order: pauses, the upstream's rate, and the
/// requests in flight at the binding and at the upstream.
extension Admission {
    enum Entry {
        case open
        /// The request is in the queue of a gate, which calls the waiter when its turn has come.
        case waiting
        case refused(Problem)
    }

    /// Called again when a wait at a gate is over; what was taken before is not taken twice.
    /// - Parameter fields: get the state of the upstream's rate.
    mutating func enter(
        _ route: Route, _ upstream: UpstreamRuntime, _ loop: LoopContext, for waiter: any GateWaiter,
        telling fields: inout HeaderBlock
    ) -> Entry {
        let left = route.pause.left(at: loop.now)
        if left > 0 { return .refused(route.pause.refusal(left: left, upstream: upstream.settings.name)) }
        guard route.meter?.gate != nil || upstream.isMetered else { return .open }
        if let bucket = upstream.meter.rate, !marks.contains(.token) {
            marks.insert(.token)
            if let problem = bucket.refusal(at: loop.now, of: "'\(upstream.settings.name)'", telling: &fields) {
                return .refused(problem)
            }
        }
        if let gate = route.meter?.gate, !marks.contains(.binding) {
            let entry = stand(at: gate, .binding, route.binding.name, loop, waiter)
            guard case .open = entry else { return entry }
        }
        if let gate = upstream.meter.gate, !marks.contains(.upstream) {
            return stand(at: gate, .upstream, "'\(upstream.settings.name)'", loop, waiter)
        }
        return .open
    }

    private mutating func stand(
        at gate: InFlightGate, _ mark: Marks, _ what: @autoclosure () -> String, _ loop: LoopContext,
        _ waiter: any GateWaiter
    ) -> Entry {
        if gate.enter() {
            marks.insert(mark)
            return .open
        }
        let ticket = GateTicket(gate, for: waiter, on: loop.gates)
        switch gate.queue(ticket) {
        case .entered:
            marks.insert(mark)
            return .open
        case .queued:
            marks.insert(.waiting)
            self.ticket = ticket
            ticket.wait(on: loop.timers, now: loop.now)
            return .waiting
        case .full:
            return .refused(
                Problem(
                    .overloaded,
                    detail: "\(gate.limit.limit) requests are in flight at \(what()), and \(gate.limit.queue) wait."))
        }
    }

    /// The wait is over: `gate` has room for the request, and counts it.
    mutating func opened(_ gate: InFlightGate, of route: Route?) {
        marks.remove(.waiting)
        ticket = nil
        marks.insert(route?.meter?.gate === gate ? .binding : .upstream)
    }

    /// - Returns: the problem for the client.
    mutating func waitedTooLong(_ gate: InFlightGate) -> Problem {
        marks.remove(.waiting)
        ticket = nil
        return Problem(
            .overloaded,
            detail:
                "\(gate.limit.limit) requests are in flight, and its turn did not come in \(gate.limit.wait.words).")
    }

    /// The request has ended: its places at the gates are free again.
    mutating func leave(_ request: BoundRequest, _ loop: LoopContext) {
        if marks.contains(.waiting) {
            ticket?.cancel(loop.timers)
            ticket = nil
        }
        if marks.contains(.binding), let gate = request.route?.meter?.gate { loop.gates.leave(gate) }
        if marks.contains(.upstream), let route = request.route {
            if let gate = request.generation.upstreams[route.upstream].meter.gate { loop.gates.leave(gate) }
        }
        marks.subtract([.binding, .upstream, .waiting])
    }
}

extension BoundRequest {
    /// Whether the request enters the gates only when it passes the cache by: a stored answer needs no place, and a
    /// cache fill enters by itself.
    func entersLate(_ route: Route) -> Bool {
        route.cache != nil && upstreamMethod == .get && (head.framing == .none || head.framing == .length(0))
    }
}

extension RateBucket {
    /// Takes one token, and says in `fields` how many are left.
    /// - Returns: the refusal, where no token is left.
    func refusal(
        at now: UInt64, of what: @autoclosure () -> String, telling fields: inout HeaderBlock
    ) -> Problem? {
        let verdict = take(at: now)
        write(verdict, into: &fields)
        if case .empty(let wait) = verdict { return refusal(wait: wait, of: what()) }
        return nil
    }
}
