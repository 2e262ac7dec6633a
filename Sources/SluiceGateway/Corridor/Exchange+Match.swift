internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// Which route is it?
    func match() -> Step {
        switch request.head.targetForm {
        case .asterisk: return answerServer()
        case .authority:
            return refused(
                Problem(
                    .methodNotAllowed, detail: "This request target is for proxies and servers as a whole; use a path.")
            )
        case .absolute where request.head.isTargetSecure && request.client?.isTLS != true:
            // RFC 9110 §7.4: whoever means the secured resource shall not get another one.
            return refused(
                Problem(.hostNotServed, detail: "An https target is served over TLS alone; this connection is plain."))
        case .absolute where request.head.method == .options && request.head.path.elementsEqual("*".utf8):
            // Written without a path, it is meant for the server as well (RFC 9112 §3.2.4).
            return answerServer()
        case .origin, .absolute: break
        }
        if let refusal = readPath() { return refused(refusal) }
        let asked = preflightMethod
        if asked.isEmpty {
            request.generation.table.trie.find(
                request.path.bytes, method: request.head.method, methodName: request.head.methodName,
                into: &request.match)
        } else {
            admission.marks.insert(.preflight)
            request.generation.table.trie.find(
                request.path.bytes, method: Method(asked), methodName: asked, into: &request.match)
        }
        guard let index = request.match.route, request.head.method != .trace else { return refused(noRoute()) }
        if request.head.method == .options, asked.isEmpty, isLastHop() {
            return answerAllow(request.generation.table.trie.methods(for: request.path.bytes), isServer: false)
        }
        request.borrowedRoute = Borrowed(request.generation.table.routes[index])
        return .authorise
    }

    /// Brings the path to its normal form (RFC 3986 §6.2.2): unreserved characters are not percent-encoded; and refuses
    /// what two programs could read differently: dot segments, plain or encoded, and NUL.
    private func readPath() -> Problem? {
        if PathCheck.isPlain(request.head.path) {
            request.path.append(request.head.path)
            return nil
        }
        let check = PathCheck(request.head.path)
        if check.contains(.dotSegment) {
            return Problem(.badRequest, detail: "The path has '.' or '..' segments; send the path that is meant.")
        }
        if check.contains(.malformed) {
            return Problem(.badRequest, detail: "The path has a '%' without two hexadecimal digits after it.")
        }
        if !check.isDisjoint(with: [.nul, .control, .backslash, .overlong]) {
            return Problem(.badRequest, detail: "The path holds a control character, a backslash or malformed UTF-8.")
        }
        let raw = request.head.path
        request.path.withSpare(raw.count) { PercentEncoding.decodeUnreserved(raw, into: $0) }
        return nil
    }

    /// `Max-Forwards: 0` ends here; a higher one is counted down on its way (RFC 9110 §7.6.2).
    private func isLastHop() -> Bool {
        guard let index = request.head.fields.firstIndex(of: .maxForwards),
            let left = DecimalNumber.parse(request.head.fields.value(index))
        else { return false }
        if left == 0 { return true }
        request.head.fields.mark(index)
        Array(String(left - 1).utf8).withUnsafeBytes { request.head.fields.append(.maxForwards, value: $0) }
        return false
    }

    /// Only OPTIONS has this form (RFC 9110 §9.3.7): what the server as a whole can do, and who it is, for `sluice
    /// check`.
    private func answerServer() -> Step {
        answerAllow(Method.allCases.filter(\.isServed).map { $0.name.description }, isServer: true)
    }

    private func answerAllow(_ methods: [String], isServer: Bool) -> Step {
        var fields = HeaderBlock()
        if isServer { Array("sluice".utf8).withUnsafeBytes { fields.append(.server, value: $0) } }
        Array(methods.joined(separator: ", ").utf8).withUnsafeBytes { fields.append(.allow, value: $0) }
        loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        answer(status: 200, reason: .empty, fields: fields, framing: .length(0))
        answerEnd()
        return .rest
    }

    private func noRoute() -> Problem {
        let text = Shown.text(request.path.bytes, most: 200)
        if request.head.method == .other {
            let name = Shown.text(request.head.methodName, most: 40)
            return Problem(.unknownMethod, detail: "The method '\(name)' is not known here; a binding may name it.")
        }
        guard request.match.isPathKnown else {
            return Problem(.unknownRoute, detail: "Nothing is bound to '\(text)'; 'sluice routes' lists what is.")
        }
        if request.head.connectProtocol != .none {
            // RFC 9220 §3.
            return Problem(
                .unknownMethod,
                detail: "Nothing bound to '\(text)' opens tunnels; a binding with 'upgrade: websocket' would.")
        }
        let allowed = request.generation.table.trie.methods(for: request.path.bytes)
        var problem = Problem(
            .methodNotAllowed,
            detail: "\(String(decoding: request.head.methodName, as: UTF8.self)) is not bound for '\(text)'; use "
                + "\(allowed.joined(separator: " or ")).")
        problem.allow = allowed
        return problem
    }
}
