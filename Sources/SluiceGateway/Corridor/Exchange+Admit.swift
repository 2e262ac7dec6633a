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
        let table = request.generation.table
        if request.asker.index >= 0 { return table.clients[Int(request.asker.index)].bucket }
        guard let buckets = table.clientBuckets, let client = request.client else { return nil }
        if let standing = client.standing { return standing.bucket(in: buckets, of: client, at: loop.now) }
        return buckets.bucket(of: ClientIdentity(client), at: loop.now)
    }

    private func take(_ bucket: RateBucket, _ what: @autoclosure () -> String) -> Problem? {
        bucket.refusal(at: loop.now, of: what(), telling: &ownFields)
    }

    /// Is there room for one more request at the upstream?
    func enter() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a place without a route") }
        return route { route in
            // A stored answer needs no room there; what is fetched for the cache asks by itself.
            if route.cache != nil, mayBeStored { return .checkBody }
            return Borrowed(request.generation.upstreams[route.upstream]) { upstream in
                switch admission.enter(route, upstream, loop, for: self, telling: &ownFields) {
                case .open: .checkBody
                case .waiting: .rest
                case .refused(let problem): refused(problem)
                }
            }
        }
    }

    /// Whether the cache is consulted, and asks the upstream by a request of its own.
    private var mayBeStored: Bool {
        request.upstreamMethod == .get && (request.head.framing == .none || request.head.framing == .length(0))
    }
}

extension Exchange: GateWaiter {
    /// The wait is over: there is room.
    func gateOpened(_ gate: InFlightGate) {
        admission.opened(gate, of: route)
        walk(.enter)
        // Its body has been waiting with it.
        sink?.resumeRequestBody()
    }

    func waitedTooLong(_ gate: InFlightGate) { fail(admission.waitedTooLong(gate)) }
}
