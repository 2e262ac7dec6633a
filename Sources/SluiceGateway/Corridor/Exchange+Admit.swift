internal import SluiceContract
internal import SluiceHTTP

/// How much may be asked: rates of clients and bindings before anything else is done, rates, pauses and requests in
/// flight of upstreams right before one is asked.
extension Exchange {
    /// Has this client, or this binding, been asked for too much?
    func admit() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a limit without a route") }
        return route { route in
            if let bucket = clientBucket(), let problem = take(bucket, "This client") { return refused(problem) }
            if let bucket = route.meter?.rate, let problem = take(bucket, route.binding.name) {
                return refused(problem)
            }
            return .readParameters
        }
    }

    private func clientBucket() -> RateBucket? {
        let table = generation.table
        if admission.client >= 0 { return table.clients[Int(admission.client)].bucket }
        guard let buckets = table.clientBuckets, let client = sink?.client else { return nil }
        if let standing = client.standing { return standing.bucket(in: buckets, of: client, at: gateway.now) }
        return buckets.bucket(of: ClientIdentity(client), at: gateway.now)
    }

    private func take(_ bucket: RateBucket, _ what: @autoclosure () -> String) -> Problem? {
        let verdict = bucket.take(at: gateway.now)
        bucket.write(verdict, into: &ownFields)
        if case .empty(let wait) = verdict { return bucket.refusal(wait: wait, of: what()) }
        return nil
    }

    /// Is there room for one more request at the upstream?
    func enter() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a place without a route") }
        return route { route in
            // A stored answer needs no room there; what is fetched for the cache comes by again.
            if route.cache != nil, filling == nil, mayBeStored { return .checkBody }
            return Borrowed(generation.upstreams[route.upstream]) { enter(route, $0) }
        }
    }

    private func enter(_ route: Route, _ upstream: UpstreamRuntime) -> Step {
        let left = route.pause.left(at: gateway.now)
        if left > 0 { return refused(route.pause.refusal(left: left, upstream: upstream.settings.name)) }
        let next = filling == nil ? Step.checkBody : .fetch
        guard route.meter?.gate != nil || upstream.isMetered else { return next }
        if let bucket = upstream.meter.rate, !admission.marks.contains(.token) {
            admission.marks.insert(.token)
            if let problem = take(bucket, "'\(upstream.settings.name)'") { return refused(problem) }
        }
        if let gate = route.meter?.gate, !admission.marks.contains(.binding) {
            if let step = stand(at: gate, .binding, route.binding.name) { return step }
        }
        if let gate = upstream.meter.gate, !admission.marks.contains(.upstream) {
            if let step = stand(at: gate, .upstream, "'\(upstream.settings.name)'") { return step }
        }
        return next
    }

    /// Whether the cache is consulted, and asks the upstream by an exchange of its own.
    private var mayBeStored: Bool {
        upstreamMethod == .get && (request.framing == .none || request.framing == .length(0))
    }

    /// - Returns: nil where there was room.
    private func stand(at gate: InFlightGate, _ mark: Admission.Marks, _ what: @autoclosure () -> String) -> Step? {
        if gate.enter() {
            admission.marks.insert(mark)
            return nil
        }
        let ticket = GateTicket(gate, for: self)
        switch gate.queue(ticket) {
        case .entered:
            admission.marks.insert(mark)
            return nil
        case .queued:
            admission.marks.insert(.waiting)
            admission.ticket = ticket
            ticket.wait(gateway)
            return .rest
        case .full:
            return refused(
                Problem(
                    .overloaded,
                    detail: "\(gate.limit.limit) requests are in flight at \(what()), and \(gate.limit.queue) wait."))
        }
    }

    /// The wait is over: the place is ours.
    func gateOpened(_ gate: InFlightGate) {
        admission.marks.remove(.waiting)
        admission.ticket = nil
        admission.marks.insert(route?.meter?.gate === gate ? .binding : .upstream)
        walk(.enter)
        // Its body has been waiting with it.
        sink?.resumeRequestBody()
    }

    func waitedTooLong(_ gate: InFlightGate) {
        admission.marks.remove(.waiting)
        admission.ticket = nil
        fail(
            Problem(
                .overloaded,
                detail:
                    "\(gate.limit.limit) requests are in flight, and its turn did not come in \(gate.limit.wait.words)."
            ))
    }

    /// The exchange is over: its places are for others.
    func leaveGates() {
        if admission.marks.contains(.waiting) {
            admission.ticket?.cancel(gateway)
            admission.ticket = nil
        }
        if admission.marks.contains(.binding), let gate = route?.meter?.gate { gateway.leave(gate) }
        if admission.marks.contains(.upstream), let route {
            if let gate = generation.upstreams[route.upstream].meter.gate { gateway.leave(gate) }
        }
        admission.marks.subtract([.binding, .upstream, .waiting])
    }
}
