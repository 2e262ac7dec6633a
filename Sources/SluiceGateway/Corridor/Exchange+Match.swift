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
        if let refusal = request.path.read(request.head) { return refused(refusal) }
        let asked = OriginCheck.preflightMethod(of: request.head)
        request.isPreflight = !asked.isEmpty
        let found = request.path.find(
            in: request.generation.table.trie, method: asked.isEmpty ? request.head.method : Method(asked),
            methodName: asked.isEmpty ? request.head.methodName : asked)
        guard let index = found, request.head.method != .trace else {
            return refused(request.path.noRoute(for: request.head, in: request.generation.table.trie))
        }
        if request.head.method == .options, asked.isEmpty, request.endsHere() {
            return answerAllow(request.generation.table.trie.methods(for: request.path.bytes), isServer: false)
        }
        request.borrowedRoute = Borrowed(request.generation.table.routes[index])
        return .authorise
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
}
