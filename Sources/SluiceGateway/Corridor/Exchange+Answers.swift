internal import SluiceContract
internal import SluiceHTTP

// Answers that the gateway gives itself, without an upstream.
extension Exchange {
    /// Answers `OPTIONS *` (RFC 9110 §9.3.7): the methods of the server as a whole, and its identity, for `sluice
    /// check`.
    func answerServer() -> Step {
        answerAllow(Method.allCases.filter(\.isServed).map { $0.name.description }, isServer: true)
    }

    func answerAllow(_ methods: [String], isServer: Bool) -> Step {
        var fields = HeaderBlock()
        if isServer { Array("sluice".utf8).withUnsafeBytes { fields.append(.server, value: $0) } }
        Array(methods.joined(separator: ", ").utf8).withUnsafeBytes { fields.append(.allow, value: $0) }
        loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        answer(status: 200, reason: .empty, fields: fields, framing: .length(0))
        answerEnd()
        return .rest
    }

    /// Answers a preflight from the route table; the upstream gets only the actual request (Fetch §3.2.3).
    func answerPreflight(_ rule: CrossOriginRule) -> Step {
        var methods = request.generation.table.trie.methods(for: request.path.bytes)
        let asked = String(decoding: OriginCheck.preflightMethod(of: request.head), as: UTF8.self)
        if !methods.contains(asked) { methods.append(asked) }
        ownFields.append(.accessControlAllowMethods, text: methods.joined(separator: ", "))
        ownFields.append(.vary, "Access-Control-Request-Method, Access-Control-Request-Headers")
        rule.writePreflight(of: request.head.fields, into: &ownFields)
        var fields = HeaderBlock()
        loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        answer(status: 204, reason: .empty, fields: fields, framing: .empty(announcing: nil))
        answerEnd()
        return .rest
    }

    // MARK: - normalise

    /// Answers the problem; or the binding's default, where that may be served for it.
    func normalise() -> Step {
        guard let problem else { preconditionFailure("nothing to normalise") }
        if let route, let body = route.defaultBody, route.servesDefault(for: problem, method: request.head.method),
            !request.isStrict
        {
            answerDefault(body)
            return .rest
        }
        if request.isGRPCCall {
            answerGRPC(problem)
            return .rest
        }
        var head = ResponseHead()
        let bytes = request.generation.table.normaliser.bytes(of: problem, in: request.trace?.id)
        request.generation.table.normaliser.writeFields(of: problem, date: loop.date, into: &head.fields)
        // `Upgrade` is only for HTTP/1.1 connections (RFC 9113 §8.2.2).
        if request.head.version == .http2 { head.fields.markConnectionNominated() }
        appendCacheStatus(&head.fields)
        answer(
            status: problem.status, reason: .empty, fields: head.fields,
            framing: .length(bytes.count))
        bytes.withUnsafeBytes { answerBody($0, lifetime: .call) }
        answerEnd()
        return .rest
    }

    /// Answers a gRPC call with a status alone ("Trailers-Only").
    private func answerGRPC(_ problem: Problem) {
        var head = ResponseHead()
        head.fields.append(.contentType, "application/grpc")
        GRPCCall.append(problem, to: &head.fields)
        loop.date.withUnsafeBytes { head.fields.append(.date, value: $0) }
        answer(status: 200, reason: .empty, fields: head.fields, framing: .empty(announcing: nil))
        answerEnd()
    }
}

extension Route {
    /// Whether `serve:` puts the default before the 202 for an answer that is still loading.
    var servesDefaultWhileLoading: Bool {
        guard let first = binding.serve.firstIndex(of: .default), let loading = binding.serve.firstIndex(of: .loading)
        else { return false }
        return first < loading
    }

    /// A default replaces a value that the upstream could not give; it never hides a client's mistake. A client that
    /// asked for a change has to learn that it failed; where the change was made and its answer has no valid value, the
    /// default is served.
    func servesDefault(for problem: Problem, method: Method) -> Bool {
        let isServed = binding.serve.contains(.default) || problem.kind == .typeMismatch && binding.onDrift == .default
        guard isServed, method.isSafe || problem.kind == .missingValue else { return false }
        switch problem.source {
        case .network: return true
        case .upstream:
            guard let status = problem.upstreamStatus else { return true }
            return status >= 500 || [404, 410].contains(status)
        case .client, .gateway: return false
        }
    }
}
