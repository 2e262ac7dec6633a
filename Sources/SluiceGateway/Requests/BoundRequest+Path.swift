internal import SluiceContract
internal import SluiceHTTP

extension BoundRequest {
    /// Brings the path to its normal form (RFC 3986 §6.2.2): unreserved characters are not percent-encoded; and refuses
    /// what two programs could read differently: dot segments, plain or encoded, and NUL.
    func readPath() -> Problem? {
        if PathCheck.isPlain(head.path) {
            path.append(head.path)
            return nil
        }
        let check = PathCheck(head.path)
        if check.contains(.dotSegment) {
            return Problem(.badRequest, detail: "The path has '.' or '..' segments; send the path that is meant.")
        }
        if check.contains(.malformed) {
            return Problem(.badRequest, detail: "The path has a '%' without two hexadecimal digits after it.")
        }
        if !check.isDisjoint(with: [.nul, .control, .backslash, .overlong]) {
            return Problem(.badRequest, detail: "The path holds a control character, a backslash or malformed UTF-8.")
        }
        let raw = head.path
        path.withSpare(raw.count) { PercentEncoding.decodeUnreserved(raw, into: $0) }
        return nil
    }

    /// `Max-Forwards: 0` ends here; a higher one is counted down on its way (RFC 9110 §7.6.2).
    func endsHere() -> Bool {
        guard let index = head.fields.firstIndex(of: .maxForwards),
            let left = DecimalNumber.parse(head.fields.value(index))
        else { return false }
        if left == 0 { return true }
        head.fields.mark(index)
        Array(String(left - 1).utf8).withUnsafeBytes { head.fields.append(.maxForwards, value: $0) }
        return false
    }

    var noRoute: Problem {
        let text = Shown.text(path.bytes, most: 200)
        if head.method == .other {
            let name = Shown.text(head.methodName, most: 40)
            return Problem(.unknownMethod, detail: "The method '\(name)' is not known here; a binding may name it.")
        }
        guard match.isPathKnown else {
            return Problem(.unknownRoute, detail: "Nothing is bound to '\(text)'; 'sluice routes' lists what is.")
        }
        if head.connectProtocol != .none {
            // RFC 9220 §3.
            return Problem(
                .unknownMethod,
                detail: "Nothing bound to '\(text)' opens tunnels; a binding with 'upgrade: websocket' would.")
        }
        let allowed = generation.table.trie.methods(for: path.bytes)
        var problem = Problem(
            .methodNotAllowed,
            detail: "\(String(decoding: head.methodName, as: UTF8.self)) is not bound for '\(text)'; use "
                + "\(allowed.joined(separator: " or ")).")
        problem.allow = allowed
        return problem
    }
}
