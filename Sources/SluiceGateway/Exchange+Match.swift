internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// Which route is it?
    func match() -> Step {
        switch request.targetForm {
        case .asterisk, .authority:
            return refused(
                Problem(
                    .methodNotAllowed, detail: "This request target is for proxies and servers as a whole; use a path."))
        case .origin, .absolute: break
        }
        if PathCheck.isPlain(request.path) {
            path.append(request.path)
        } else if let refusal = decodePath() {
            return refused(refusal)
        }
        table.trie.find(path.bytes, method: request.method, methodName: request.methodName, into: &found)
        guard let index = found.route else { return refused(noRoute()) }
        route = table.routes[index]
        return .authorise
    }

    /// Brings the path to its normal form (RFC 3986 §6.2.2): unreserved characters are not percent-encoded; and refuses
    /// what two programs could read differently: dot segments, plain or encoded, and NUL.
    private func decodePath() -> Problem? {
        if PathCheck.hasDotSegment(request.path) {
            return Problem(.badRequest, detail: "The path has '.' or '..' segments; send the path that is meant.")
        }
        let raw = request.path
        let written = path.withSpare(raw.count) { PathCheck.normalise(raw, into: $0) }
        if written == nil {
            return Problem(.badRequest, detail: "The path has a '%' that is not followed by two hexadecimal digits, or holds a NUL.")
        }
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
        problem.allow = table.trie.methods(for: path.bytes)
        return problem
    }
}
