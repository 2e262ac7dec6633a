internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// May the page that a browser asks for do so?
    /// - Parameters:
    ///   - origin: place of `Origin`, negative where there is none.
    ///   - fetchSite: place of `Sec-Fetch-Site`, likewise.
    /// - Returns: nil where the request may go on.
    func checkOrigin(_ origin: Int, fetchSite: Int, _ route: Route) -> Step? {
        let check = OriginCheck(
            rule: route.crossOrigin, isPreflight: request.isPreflight, isTLS: request.client?.isTLS == true)
        return switch check.verdict(on: request.head, origin: origin, fetchSite: fetchSite, telling: &ownFields) {
        case .admitted: nil
        case .preflight(let rule): answerPreflight(rule)
        case .refused(let problem): refused(problem)
        }
    }

    /// Answered here, from the route table; the upstream hears of the request itself alone (Fetch §3.2.3).
    private func answerPreflight(_ rule: CrossOriginRule) -> Step {
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
}
