internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Parameters as variables of a query of GraphQL.
extension BoundRequest {
    /// Makes the body of a request whose client has sent none; one with a body has it made while that is checked.
    func writeQuery(_ query: GraphQLQuery, _ route: Route) {
        guard body.held.isEmpty else { return }
        body.held.append(query.opening)
        body.held.append("{")
        _ = addVariables(query, route, isFirst: true)
        body.held.append("}}")
        body.outgoing = .length(body.held.count)
        head.fields.markAll(.contentType)
        head.fields.append(.contentType, "application/json")
    }

    /// - Parameter isFirst: whether no other member stands before them.
    /// - Returns: whether none does after them.
    func addVariables(_ query: GraphQLQuery, _ route: Route, isFirst: Bool) -> Bool {
        var isFirst = isFirst
        for index in query.variables {
            let parameter = route.parameters[index]
            guard let json = json(of: index, parameter, route) else { continue }
            if !isFirst { body.held.append(",") }
            isFirst = false
            let name = String(decoding: parameter.fieldName, as: UTF8.self)
            body.held.append(Array((JSONText.quote(name) + ":").utf8) + json)
        }
        return isFirst
    }

    /// nil where the client has left it out.
    private func json(of index: Int, _ parameter: RouteParameter, _ route: Route) -> [UInt8]? {
        if let marker = parameter.marker {
            let secret = secretBytes(route.secrets.inTarget[Int(marker) - 1])
            return Array(JSONText.quote(String(decoding: secret, as: UTF8.self)).utf8)
        }
        var json: [UInt8] = []
        var count = 0
        for entry in values.entries where entry.parameter == index {
            if count > 0 { json.append(UInt8(ascii: ",")) }
            count += 1
            _ = parameter.grammar?.appendJSON(of: values.bytes(entry), to: &json)
        }
        if parameter.isList {
            return count == 0 && parameter.null == .omit ? nil : [UInt8(ascii: "[")] + json + [UInt8(ascii: "]")]
        }
        if count > 0 { return json }
        return parameter.null == .omit ? nil : Array("null".utf8)
    }
}
