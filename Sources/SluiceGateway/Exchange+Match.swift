internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// Which route is it?
    func match() -> Step {
        switch request.targetForm {
        case .asterisk, .authority:
            return refused(
                Problem(
                    .methodNotAllowed, detail: "This request target is for proxies and servers as a whole; use a path.")
            )
        case .origin, .absolute: break
        }
        if let refusal = readPath() { return refused(refusal) }
        generation.table.trie.find(path.bytes, method: request.method, methodName: request.methodName, into: &found)
        guard let index = found.route else { return refused(noRoute()) }
        route = generation.table.routes[index]
        return .authorise
    }

    /// Brings the path to its normal form (RFC 3986 §6.2.2): unreserved characters are not percent-encoded; and refuses
    /// what two programs could read differently: dot segments, plain or encoded, and NUL.
    private func readPath() -> Problem? {
        let check = PathCheck(request.path)
        if check.contains(.dotSegment) {
            return Problem(.badRequest, detail: "The path has '.' or '..' segments; send the path that is meant.")
        }
        if check.contains(.malformed) {
            return Problem(.badRequest, detail: "The path has a '%' without two hexadecimal digits after it.")
        }
        if !check.isDisjoint(with: [.nul, .control, .backslash]) {
            return Problem(.badRequest, detail: "The path holds a control character or a backslash.")
        }
        let raw = request.path
        path.withSpare(raw.count) { PercentEncoding.decodeUnreserved(raw, into: $0) }
        return nil
    }

    private func noRoute() -> Problem {
        let text = String(decoding: path.bytes.prefix(200), as: UTF8.self)
        guard found.isPathKnown else {
            return Problem(.unknownRoute, detail: "Nothing is bound to '\(text)'; 'sluice routes' lists what is.")
        }
        var problem = Problem(
            .methodNotAllowed,
            detail: "\(String(decoding: request.methodName, as: UTF8.self)) is not bound for '\(text)'.")
        problem.allow = generation.table.trie.methods(for: path.bytes)
        return problem
    }
}
