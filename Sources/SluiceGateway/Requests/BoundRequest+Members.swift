internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Members that the configuration adds to the client's body (`{in: body, fixed: …}`).
extension BoundRequest {
    /// - Parameter run: of an object, checked; the first one begins with its brace.
    /// - Returns: what of it follows.
    func addMembers(before run: UnsafeRawBufferPointer, _ route: Route) -> UnsafeRawBufferPointer {
        var rest = run[...]
        if body.members == .awaited {
            guard !rest.isEmpty else { return run }
            rest = rest.dropFirst()
            body.held.append("{")
            var isFirst = true
            for member in route.secrets.members {
                if !isFirst { body.held.append(",") }
                isFirst = false
                let name = String(decoding: member.name, as: UTF8.self)
                body.held.append(Array((JSONText.quote(name) + ":").utf8))
                body.held.append(member.json ?? Array(JSONText.quote(secret(member)).utf8))
            }
            if let query = route.graphQL { isFirst = addVariables(query, route, isFirst: isFirst) }
            body.members = isFirst ? .none : .written
            if isFirst { return UnsafeRawBufferPointer(rebasing: rest) }
        }
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let first = rest.first else { return .empty }
        if first != UInt8(ascii: "}") { body.held.append(",") }
        body.members = .none
        return UnsafeRawBufferPointer(rebasing: rest)
    }

    func addMembers(toForm route: Route, isEmpty: Bool) {
        var isFirst = isEmpty
        for member in route.secrets.members {
            if !isFirst { body.held.append("&") }
            isFirst = false
            let value = member.text ?? Array(secret(member).utf8)
            body.held.append(
                PercentEncoding.encoded(member.name) + [UInt8(ascii: "=")] + PercentEncoding.encoded(value))
        }
    }

    private func secret(_ member: RouteSecrets.Member) -> String {
        String(decoding: member.secret.map(secretBytes) ?? [], as: UTF8.self)
    }
}
