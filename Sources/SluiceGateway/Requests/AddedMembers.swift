internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Members that the configuration adds to the client's body (`{in: body, fixed: …}`), and how far writing them has got.
enum AddedMembers {
    /// There are none, or all of them are written, with the comma if one was needed.
    case none
    /// They will be written behind the opening brace, which has not come yet.
    case awaited
    /// They are written; whether a comma has to follow depends on whether the client sends members of its own.
    case written

    /// - Parameter run: a checked piece of an object; the first piece begins with the brace.
    /// - Returns: the rest of the piece, to be written after the members.
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

    /// - Returns: whether no member was written.
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

    /// - Parameter held: the form so far.
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
