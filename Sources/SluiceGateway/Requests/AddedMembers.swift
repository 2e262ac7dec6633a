internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Members that the configuration adds to the client's body (`{in: body, fixed: …}`): how far they have got.
enum AddedMembers {
    /// There are none, or they are behind.
    case none
    /// They stand behind the brace that is about to come.
    case awaited
    /// They are there; whether a comma follows depends on what the client has sent.
    case written

    /// - Parameter run: of an object, checked; the first one begins with its brace.
    /// - Returns: what of it follows.
    mutating func write(
        before run: UnsafeRawBufferPointer, into held: inout Outbox, _ route: Route, _ request: BoundRequest
    ) -> UnsafeRawBufferPointer {
        var rest = run[...]
        switch self {
        case .none: return run
        case .awaited:
            guard !rest.isEmpty else { return run }
            rest = rest.dropFirst()
            let isFirst = Self.writeObject(into: &held, route, request)
            self = isFirst ? .none : .written
            if isFirst { return UnsafeRawBufferPointer(rebasing: rest) }
        case .written: break
        }
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let first = rest.first else { return .empty }
        if first != UInt8(ascii: "}") { held.append(",") }
        self = .none
        return UnsafeRawBufferPointer(rebasing: rest)
    }

    /// - Returns: whether there are none.
    private static func writeObject(into held: inout Outbox, _ route: Route, _ request: BoundRequest) -> Bool {
        held.append("{")
        var isFirst = true
        for member in route.secrets.members {
            if !isFirst { held.append(",") }
            isFirst = false
            let name = String(decoding: member.name, as: UTF8.self)
            held.append(Array((JSONText.quote(name) + ":").utf8))
            held.append(member.json ?? Array(JSONText.quote(secret(member, request)).utf8))
        }
        guard let query = route.graphQL else { return isFirst }
        return QueryVariables(request, query, route).append(to: &held, isFirst: isFirst)
    }

    /// - Parameter held: a form.
    static func write(toForm held: inout Outbox, isEmpty: Bool, _ route: Route, _ request: BoundRequest) {
        var isFirst = isEmpty
        for member in route.secrets.members {
            if !isFirst { held.append("&") }
            isFirst = false
            let value = member.text ?? Array(secret(member, request).utf8)
            held.append(PercentEncoding.encoded(member.name) + [UInt8(ascii: "=")] + PercentEncoding.encoded(value))
        }
    }

    private static func secret(_ member: RouteSecrets.Member, _ request: BoundRequest) -> String {
        String(decoding: member.secret.map(request.secretBytes) ?? [], as: UTF8.self)
    }
}
