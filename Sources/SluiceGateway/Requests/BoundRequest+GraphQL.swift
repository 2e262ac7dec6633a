internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Parameters as variables of a query of GraphQL.
extension BoundRequest {
    /// A variable that has this value (JSON), whatever the client says of it.
    typealias PageVariable = (name: [UInt8], json: [UInt8])

    /// A fetch begins: the query is put where it travels. A body with variables of the client's is there already.
    func beginQuery(_ query: GraphQLQuery, _ route: Route) {
        body.form = query.form
        if body.held.isEmpty { return writeQuery(query, route) }
        if body.form == .usual, query.persisted != nil, !body.isHeldWhole {
            // What goes on after it cannot be sent again.
            body.form = .whole
        }
        replaceOpening(query.opening, by: query.opening(body.form))
    }

    /// The server wants the query in another form; the variables stay as they are.
    func change(to form: GraphQLQuery.Form, _ query: GraphQLQuery) {
        let last = body.form
        body.form = form
        guard let opening = query.targetOpening else {
            return replaceOpening(query.opening(last), by: query.opening(form))
        }
        let variables = takeVariables(behind: opening)
        writeBody(query, variables)
    }

    /// Makes the request of a client that has sent no variables in a body.
    func writeQuery(_ query: GraphQLQuery, _ route: Route, page: PageVariable? = nil) {
        if let opening = query.targetOpening {
            _ = takeVariables(behind: opening)
            if body.form == .usual {
                if !body.held.isEmpty { body.held.removeAll() }
                body.outgoing = .none
                return writeQuery(toTarget: query, route, page: page)
            }
        }
        writeBody(query, variables(query, route, page))
    }

    private func writeBody(_ query: GraphQLQuery, _ variables: [UInt8]) {
        if !body.held.isEmpty { body.held.removeAll() }
        body.held.append(query.opening(body.form))
        body.held.append(variables)
        body.held.append("}")
        body.outgoing = .length(body.held.count)
        head.fields.markAll(.contentType)
        head.fields.append(.contentType, "application/json")
    }

    /// The target of a GET (GraphQL over HTTP §6.2).
    func writeQuery(toTarget query: GraphQLQuery, _ route: Route, page: PageVariable? = nil) {
        guard let opening = query.targetOpening else { return }
        target.append(opening)
        let json = variables(query, route, page)
        if json.count == 2 { return }
        target.append(Self.variablesName)
        target.append(PercentEncoding.encoded(json))
    }

    private static let variablesName = Array("&variables=".utf8)

    /// Leaves the path of the target alone.
    /// - Returns: the variables behind it, as JSON.
    private func takeVariables(behind opening: [UInt8]) -> [UInt8] {
        guard let mark = target.bytes.firstIndex(of: UInt8(ascii: "?")) else { return Array("{}".utf8) }
        let pair = target.bytes(min(mark + opening.count, target.count)..<target.count)
        let text = UnsafeRawBufferPointer(rebasing: pair.dropFirst(Self.variablesName.count))
        let json = text.isEmpty ? nil : PercentEncoding.decoded(text, plusIsSpace: false)
        defer { target.removeLast(target.count - mark) }
        return json.map { Array($0) } ?? Array("{}".utf8)
    }

    private func replaceOpening(_ old: [UInt8], by new: [UInt8]) {
        if old == new { return }
        var whole = Outbox()
        whole.append(new)
        var left = old.count
        body.held.forEachRun { run, _ in
            let skipped = min(left, run.count)
            left -= skipped
            whole.append(UnsafeRawBufferPointer(rebasing: run.dropFirst(skipped)))
        }
        swap(&body.held, &whole)
        if case .length = body.outgoing { body.outgoing = .length(body.held.count) }
    }

    /// The target of what is asked for. A query in the target of a GET is about the same as a mutation in a POST.
    func resource(_ route: Route) -> UnsafeRawBufferPointer {
        guard route.graphQL?.targetOpening != nil else { return target.bytes }
        return UnsafeRawBufferPointer(rebasing: target.bytes.prefix { $0 != UInt8(ascii: "?") })
    }

    // MARK: - Variables

    private func variables(_ query: GraphQLQuery, _ route: Route, _ page: PageVariable?) -> [UInt8] {
        var members: [[UInt8]] = []
        for index in query.variables where route.parameters[index].fieldName != page?.name {
            if let member = member(index, route) { members.append(member) }
        }
        if let page { members.append(Self.member(page.name, page.json)) }
        return [UInt8(ascii: "{")] + members.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    /// - Parameter isFirst: whether no other member stands before them.
    /// - Returns: whether none does after them.
    func addVariables(_ query: GraphQLQuery, _ route: Route, isFirst: Bool) -> Bool {
        var isFirst = isFirst
        for index in query.variables {
            guard let member = member(index, route) else { continue }
            if !isFirst { body.held.append(",") }
            isFirst = false
            body.held.append(member)
        }
        return isFirst
    }

    private func member(_ index: Int, _ route: Route) -> [UInt8]? {
        let parameter = route.parameters[index]
        return json(of: index, parameter, route).map { Self.member(parameter.fieldName, $0) }
    }

    private static func member(_ name: [UInt8], _ json: [UInt8]) -> [UInt8] {
        Array((JSONText.quote(String(decoding: name, as: UTF8.self)) + ":").utf8) + json
    }

    /// What the client says of a variable; nil where it says nothing, and where no parameter is one.
    func value(ofVariable name: [UInt8]) -> [UInt8]? {
        guard let route, let query = route.graphQL,
            let index = query.variables.first(where: { route.parameters[$0].fieldName == name })
        else { return nil }
        return values.entries.first { $0.parameter == index }.map { Array(values.bytes($0)) }
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
