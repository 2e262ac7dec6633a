internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Parameters as variables of a GraphQL query: each is a member of a JSON object.
struct QueryVariables {
    let request: BoundRequest
    let query: GraphQLQuery
    let route: Route

    /// A variable with this value (JSON), which overrides the client's.
    typealias Page = (name: [UInt8], json: [UInt8])

    init(_ request: BoundRequest, _ query: GraphQLQuery, _ route: Route) {
        self.request = request
        self.query = query
        self.route = route
    }

    /// The object with all variables.
    func object(_ page: Page?) -> [UInt8] {
        var members: [[UInt8]] = []
        for index in query.variables where route.parameters[index].fieldName != page?.name {
            if let member = member(index) { members.append(member) }
        }
        if let page { members.append(Self.member(page.name, page.json)) }
        return [UInt8(ascii: "{")] + members.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    /// - Parameter isFirst: whether no other member was written before.
    /// - Returns: whether still none was written.
    func append(to held: inout Outbox, isFirst: Bool) -> Bool {
        var isFirst = isFirst
        for index in query.variables {
            guard let member = member(index) else { continue }
            if !isFirst { held.append(",") }
            isFirst = false
            held.append(member)
        }
        return isFirst
    }

    /// The client's value of a variable; nil where it gave none, or no parameter is this variable.
    func value(of name: [UInt8]) -> [UInt8]? {
        guard let index = query.variables.first(where: { route.parameters[$0].fieldName == name }) else { return nil }
        return request.values.entries.first { $0.parameter == index }.map { Array(request.values.bytes($0)) }
    }

    private func member(_ index: Int) -> [UInt8]? {
        let parameter = route.parameters[index]
        return json(of: index, parameter).map { Self.member(parameter.fieldName, $0) }
    }

    private static func member(_ name: [UInt8], _ json: [UInt8]) -> [UInt8] {
        Array((JSONText.quote(String(decoding: name, as: UTF8.self)) + ":").utf8) + json
    }

    /// nil where the client has left the variable out.
    private func json(of index: Int, _ parameter: RouteParameter) -> [UInt8]? {
        if let marker = parameter.marker {
            let secret = request.secretBytes(route.secrets.inTarget[Int(marker) - 1])
            return Array(JSONText.quote(String(decoding: secret, as: UTF8.self)).utf8)
        }
        var json: [UInt8] = []
        var count = 0
        for entry in request.values.entries where entry.parameter == index {
            if count > 0 { json.append(UInt8(ascii: ",")) }
            count += 1
            _ = parameter.grammar?.appendJSON(of: request.values.bytes(entry), to: &json)
        }
        if count > 0 { return parameter.isList ? [UInt8(ascii: "[")] + json + [UInt8(ascii: "]")] : json }
        switch parameter.null {
        case .omit: return nil
        case .empty where parameter.isList: return Array("[]".utf8)
        case .empty, .literal: return Array("null".utf8)
        }
    }
}
