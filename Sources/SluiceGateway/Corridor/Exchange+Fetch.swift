internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// The method the upstream sees. A typed answer to HEAD is that of GET without its body, so that its length is that
    /// of the slice.
    var upstreamMethod: Method {
        guard let route = borrowedRoute else { return request.method }
        return route { route in
            if let name = route.methodName { return name.withUnsafeBytes { Method($0) } }
            return request.method == .head && route.isTyped ? .get : request.method
        }
    }

    /// Whether the request changes something, in the eyes of its client and of the upstream.
    var writes: Bool { !request.method.isSafe && !upstreamMethod.isSafe }

    /// Lease an upstream connection and send.
    func startFetch() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("a fetch without a route") }
        return route { route in
            Borrowed(generation.upstreams[route.upstream]) { startFetch(route, $0) }
        }
    }

    private func startFetch(_ route: Route, _ upstream: UpstreamRuntime) -> Step {
        if route.sendsBearer, upstream.settings.bearer != nil, upstream.token.current == nil {
            return refused(
                Problem(.noBearer, detail: "The bearer token of '\(upstream.settings.name)' could not be read."))
        }
        let fetch = gateway.takeFetch()
        borrowedFetch = fetch
        fetch { $0.start(self, route, upstream) }
        return .rest
    }

    func fetchFailed(_ problem: Problem) {
        borrowedFetch = nil
        fail(problem)
    }

    /// Turn the problem into bytes; or into the binding's default, where that may be served for it.
    func normalise() -> Step {
        guard let problem else { preconditionFailure("nothing to normalise") }
        if let filling {
            filling.failed(problem)
            return .rest
        }
        if let route, let body = route.defaultBody, route.servesDefault(for: problem, method: request.method) {
            var head = ResponseHead()
            head.fields.append(.contentType, "application/json")
            head.fields.append(.via, "1.1 sluice")
            gateway.date.withUnsafeBytes { head.fields.append(.date, value: $0) }
            appendCacheStatus(&head.fields)
            answer(status: 200, reason: .empty, fields: head.fields, framing: .length(body.count))
            body.withUnsafeBytes { answerBody($0, lifetime: .call) }
            answerEnd()
            return .rest
        }
        if isGRPCCall {
            answerGRPC(problem)
            return .rest
        }
        var head = ResponseHead()
        let bytes = generation.table.normaliser.bytes(of: problem)
        generation.table.normaliser.writeFields(of: problem, date: gateway.date, into: &head.fields)
        // `Upgrade` is for connections of HTTP/1.1 (RFC 9113 §8.2.2).
        if request.version == .http2 { head.fields.markConnectionNominated() }
        appendCacheStatus(&head.fields)
        answer(
            status: problem.status, reason: .empty, fields: head.fields,
            framing: .length(bytes.count))
        bytes.withUnsafeBytes { answerBody($0, lifetime: .call) }
        answerEnd()
        return .rest
    }
}

extension Route {
    /// A default stands in for what the upstream could not give, never for what the client got wrong. Who has asked for
    /// a change has to hear that it failed; only where it was made, and its answer has no value, there is the default.
    func servesDefault(for problem: Problem, method: Method) -> Bool {
        guard binding.serve.contains(.default), method.isSafe || problem.kind == .missingValue else { return false }
        switch problem.source {
        case .network: return true
        case .upstream:
            return problem.kind != .upstreamError || problem.status >= 500 || [404, 410].contains(problem.status)
        case .client, .gateway: return false
        }
    }
}
