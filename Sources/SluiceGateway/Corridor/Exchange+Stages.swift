internal import SluiceContract
internal import SluiceHTTP

// The stages of a request on its way to the cache and the upstream (``Step``). Each returns the next one.
extension Exchange {
    // MARK: - match

    /// Finds the route. The host is checked first, so that a web page whose name resolves to the gateway (DNS
    /// rebinding) learns nothing about the bindings.
    func match() -> Step { request.generation.borrowedTable { match(in: $0) } }

    private func match(in table: RouteTable) -> Step {
        if let problem = table.hosts.refusal(of: request.head.authority) { return refused(problem) }
        switch request.head.targetForm {
        case .asterisk: return answerServer()
        case .authority:
            return refused(
                Problem(
                    .methodNotAllowed, detail: "This request target is for proxies and servers as a whole; use a path.")
            )
        case .absolute where request.head.isTargetSecure && request.client?.isTLS != true:
            // RFC 9110 §7.4: a request for an https target must not be answered over plain HTTP.
            return refused(
                Problem(.hostNotServed, detail: "An https target is served over TLS alone; this connection is plain."))
        case .absolute where request.head.method == .options && request.head.path.elementsEqual("*".utf8):
            // Without a path, an absolute target of OPTIONS means the server as a whole, too (RFC 9112 §3.2.4).
            return answerServer()
        case .origin, .absolute: break
        }
        if let refusal = request.path.read(request.head) { return refused(refusal) }
        let asked = OriginCheck.preflightMethod(of: request.head)
        request.isPreflight = !asked.isEmpty
        let found = request.path.find(
            in: table.trie, method: asked.isEmpty ? request.head.method : Method(asked),
            methodName: asked.isEmpty ? request.head.methodName : asked)
        guard let index = found, request.head.method != .trace, !request.path.leadsElsewhere else {
            return refused(request.path.noRoute(for: request.head, in: table.trie))
        }
        if request.head.method == .options, asked.isEmpty, request.endsHere() {
            return answerAllow(table.trie.methods(for: request.path.bytes), isServer: false)
        }
        request.borrowedRoute = Borrowed(table.routes[index])
        return .authorise
    }

    // MARK: - authorise

    /// May this client make the request? Checks the page's origin first where a browser sends it, then the client
    /// itself.
    func authorise() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a check without a route") }
        return route { authorise($0) }
    }

    private func authorise(_ route: Route) -> Step {
        var origin = -1
        var fetchSite = -1
        for index in 0..<request.head.fields.count {
            switch request.head.fields[index].id {
            case .origin: origin = index
            case .secFetchSite: fetchSite = index
            default: break
            }
        }
        if origin >= 0 || fetchSite >= 0 || route.crossOrigin != nil {
            let check = OriginCheck(
                rule: route.crossOrigin, isPreflight: request.isPreflight, isTLS: request.client?.isTLS == true)
            switch check.verdict(on: request.head, origin: origin, fetchSite: fetchSite, telling: &ownFields) {
            case .admitted: break
            case .preflight(let rule): return answerPreflight(rule)
            case .refused(let problem): return refused(problem)
            }
        }
        if route.isGuarded, let problem = request.checkGrants(route) {
            return refused(problem)
        }
        return route.isMetered ? .admit : .readParameters
    }

    // MARK: - admit

    /// Is the rate of this client, or of this binding, used up? These rates are checked before anything else is done;
    /// the rates, pauses and in-flight limits of an upstream only right before it is asked (``enter()``).
    func admit() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a limit without a route") }
        return route { route in
            // A client's request counts once, however many parts its answer is composed of.
            if !request.isPart, let bucket = clientBucket(), let problem = take(bucket, "This client") {
                return refused(problem)
            }
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

    // MARK: - readParameters

    /// Are the parameters as declared? All faults of the request are reported together.
    func readParameters() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("parameters without a route") }
        return route { route in
            let faults = request.readParameters(route)
            guard faults.isEmpty else { return refused(.badParameters(faults, of: route.binding.name)) }
            if route.editsFields {
                request.editFields(route, &loop.random)
                if let problem = chooseExample(route) { return refused(problem) }
                request.writeTarget(route)
                if let fault = PageStart.fault(of: request, route) {
                    return refused(.badParameters([fault], of: route.binding.name))
                }
                return route.watch == nil ? .enter : .watch
            }
            request.writeTarget(route)
            return .enter
        }
    }

    // MARK: - enter

    /// Is there room for one more request at the upstream?
    func enter() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a place without a route") }
        return route { route in
            request.entersLate(route) ? .checkBody : takeRoom(route) ?? .checkBody
        }
    }

    /// - Returns: nil where there is room; the place is taken then.
    private func takeRoom(_ route: Route) -> Step? {
        Borrowed(request.generation.upstreams[route.upstream]) { upstream in
            switch admission.enter(route, upstream, loop, for: self, telling: &ownFields) {
            case .open: nil
            case .waiting: .rest
            case .refused(let problem): refused(problem)
            }
        }
    }

    // MARK: - checkBody

    /// Does the body have to be validated before anything is sent to the upstream?
    func checkBody() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a body without a route") }
        return route { intake.begin($0, self) }
    }

    // MARK: - fetch

    /// Lease an upstream connection and send.
    func startFetch() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a fetch without a route") }
        return route { route in
            if request.entersLate(route), let step = takeRoom(route) { return step }
            if let then = route.then { writeThrough.begin(then, route, self) }
            return Borrowed(request.generation.upstreams[route.upstream]) { upstream in
                corridor.fetches.begin(for: self, route, upstream).map { refused($0) } ?? .rest
            }
        }
    }

    // MARK: - administer

    /// Answers a request on the admin socket.
    func administer() -> Step {
        guard let administration = corridor.administration else { preconditionFailure("no admin socket") }
        do throws(Problem) {
            try administration.administer(self)
            return .rest
        } catch {
            return refused(error)
        }
    }
}

extension Exchange: GateWaiter {
    /// The wait is over: the in-flight limit has room.
    func gateOpened(_ gate: InFlightGate) {
        admission.opened(gate, of: route)
        walk(route.map(request.entersLate) == true ? .fetch : .enter)
        // The request's body has been waiting, too.
        answer.resumeRequestBody()
    }

    func waitedTooLong(_ gate: InFlightGate) { fail(admission.waitedTooLong(gate)) }
}
