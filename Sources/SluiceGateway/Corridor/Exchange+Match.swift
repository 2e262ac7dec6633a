internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// Which route is it?
    func match() -> Step {
        switch request.targetForm {
        case .asterisk: return answerServer()
        case .authority:
            return refused(
                Problem(
                    .methodNotAllowed, detail: "This request target is for proxies and servers as a whole; use a path.")
            )
        case .absolute where request.isTargetSecure && sink?.client.isTLS != true:
            // RFC 9110 §7.4: whoever means the secured resource shall not get another one.
            return refused(
                Problem(.hostNotServed, detail: "An https target is served over TLS alone; this connection is plain."))
        case .absolute where request.method == .options && request.path.elementsEqual("*".utf8):
            // Written without a path, it is meant for the server as well (RFC 9112 §3.2.4).
            return answerServer()
        case .origin, .absolute: break
        }
        if let refusal = readPath() { return refused(refusal) }
        let asked = preflightMethod
        if asked.isEmpty {
            generation.table.trie.find(
                path.bytes, method: request.method, methodName: request.methodName, into: &found)
        } else {
            admission.marks.insert(.preflight)
            generation.table.trie.find(path.bytes, method: Method(asked), methodName: asked, into: &found)
        }
        guard let index = found.route, request.method != .trace else { return refused(noRoute()) }
        if request.method == .options, asked.isEmpty, isLastHop() {
            return answerAllow(generation.table.trie.methods(for: path.bytes), isServer: false)
        }
        borrowedRoute = Borrowed(generation.table.routes[index])
        return .authorise
    }

    /// Brings the path to its normal form (RFC 3986 §6.2.2): unreserved characters are not percent-encoded; and refuses
    /// what two programs could read differently: dot segments, plain or encoded, and NUL.
    private func readPath() -> Problem? {
        if PathCheck.isPlain(request.path) {
            path.append(request.path)
            return nil
        }
        let check = PathCheck(request.path)
        if check.contains(.dotSegment) {
            return Problem(.badRequest, detail: "The path has '.' or '..' segments; send the path that is meant.")
        }
        if check.contains(.malformed) {
            return Problem(.badRequest, detail: "The path has a '%' without two hexadecimal digits after it.")
        }
        if !check.isDisjoint(with: [.nul, .control, .backslash, .overlong]) {
            return Problem(.badRequest, detail: "The path holds a control character, a backslash or malformed UTF-8.")
        }
        let raw = request.path
        path.withSpare(raw.count) { PercentEncoding.decodeUnreserved(raw, into: $0) }
        return nil
    }

    /// `Max-Forwards: 0` ends here; a higher one is counted down on its way (RFC 9110 §7.6.2).
    private func isLastHop() -> Bool {
        guard let index = request.fields.firstIndex(of: .maxForwards),
            let left = DecimalNumber.parse(request.fields.value(index))
        else { return false }
        if left == 0 { return true }
        request.fields.mark(index)
        Array(String(left - 1).utf8).withUnsafeBytes { request.fields.append(.maxForwards, value: $0) }
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
        gateway.date.withUnsafeBytes { fields.append(.date, value: $0) }
        answer(status: 200, reason: .empty, fields: fields, framing: .length(0))
        answerEnd()
        return .rest
    }

    private func noRoute() -> Problem {
        let text = Shown.text(path.bytes, most: 200)
        if request.method == .other {
            let name = Shown.text(request.methodName, most: 40)
            return Problem(.unknownMethod, detail: "The method '\(name)' is not known here; a binding may name it.")
        }
        guard found.isPathKnown else {
            return Problem(.unknownRoute, detail: "Nothing is bound to '\(text)'; 'sluice routes' lists what is.")
        }
        if request.connectProtocol != .none {
            // RFC 9220 §3.
            return Problem(
                .unknownMethod,
                detail: "Nothing bound to '\(text)' opens tunnels; a binding with 'upgrade: websocket' would.")
        }
        let allowed = generation.table.trie.methods(for: path.bytes)
        var problem = Problem(
            .methodNotAllowed,
            detail: "\(String(decoding: request.methodName, as: UTF8.self)) is not bound for '\(text)'; use "
                + "\(allowed.joined(separator: " or ")).")
        problem.allow = allowed
        return problem
    }
}
