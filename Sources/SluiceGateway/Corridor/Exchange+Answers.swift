internal import SluiceContract
internal import SluiceHTTP

// What is answered here, without an upstream.
extension Exchange {
    /// Only OPTIONS has this form (RFC 9110 §9.3.7): what the server as a whole can do, and who it is, for `sluice
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

    /// Answered here, from the route table; the upstream hears of the request itself alone (Fetch §3.2.3).
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

    /// Turn the problem into bytes; or into the binding's default, where that may be served for it.
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
        // `Upgrade` is for connections of HTTP/1.1 (RFC 9113 §8.2.2).
        if request.head.version == .http2 { head.fields.markConnectionNominated() }
        appendCacheStatus(&head.fields)
        answer(
            status: problem.status, reason: .empty, fields: head.fields,
            framing: .length(bytes.count))
        bytes.withUnsafeBytes { answerBody($0, lifetime: .call) }
        answerEnd()
        return .rest
    }

    /// An answer that is nothing but its outcome ("Trailers-Only").
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
    /// Whether `serve:` has the default before the word that the answer is on its way.
    var servesDefaultWhileLoading: Bool {
        guard let first = binding.serve.firstIndex(of: .default), let loading = binding.serve.firstIndex(of: .loading)
        else { return false }
        return first < loading
    }

    /// A default stands in for what the upstream could not give, never for what the client got wrong. A client that has
    /// asked for a change has to hear that it failed; where it was made, and its answer has no value, there is the
    /// default.
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
