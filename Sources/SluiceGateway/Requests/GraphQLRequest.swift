internal import SluiceContract
internal import SluiceHTTP

/// A query of GraphQL on its way: it travels in the target of a GET or in a body, in one of its forms.
struct GraphQLRequest {
    private let request: BoundRequest
    private let query: GraphQLQuery
    private let variables: QueryVariables

    init(_ request: BoundRequest, _ query: GraphQLQuery, _ route: Route) {
        self.request = request
        self.query = query
        variables = QueryVariables(request, query, route)
    }

    /// A fetch begins: the query is put where it travels. A body with variables of the client's is there already.
    func begin() {
        request.body.form = query.form
        if request.body.held.isEmpty { return write() }
        if request.body.form == .usual, query.persisted != nil, !request.body.isHeldWhole {
            // What goes on after it cannot be sent again.
            request.body.form = .whole
        }
        request.body.replaceOpening(query.opening, by: query.opening(request.body.form))
    }

    /// The server wants the query in another form; the variables stay as they are.
    func change(to form: GraphQLQuery.Form) {
        let last = request.body.form
        request.body.form = form
        guard let opening = query.targetOpening else {
            return request.body.replaceOpening(query.opening(last), by: query.opening(form))
        }
        writeBody(takeVariables(behind: opening))
    }

    /// The same query with another value of the variable that leads on.
    func ask(for page: QueryVariables.Page) {
        request.body.form = query.form
        write(page)
    }

    /// Makes the request of a client that has sent no variables in a body.
    private func write(_ page: QueryVariables.Page? = nil) {
        if let opening = query.targetOpening {
            _ = takeVariables(behind: opening)
            if request.body.form == .usual {
                if !request.body.held.isEmpty { request.body.held.removeAll() }
                request.body.outgoing = .none
                return writeTarget(page)
            }
        }
        writeBody(variables.object(page))
    }

    private func writeBody(_ variables: [UInt8]) {
        request.body.replace(by: query.opening(request.body.form), variables)
        request.head.fields.markAll(.contentType)
        request.head.fields.append(.contentType, "application/json")
    }

    /// The target of a GET (GraphQL over HTTP §6.2).
    func writeTarget(_ page: QueryVariables.Page? = nil) {
        guard let opening = query.targetOpening else { return }
        request.target.append(opening)
        let json = variables.object(page)
        if json.count == 2 { return }
        request.target.append(Self.variablesName)
        request.target.append(PercentEncoding.encoded(json))
    }

    private static let variablesName = Array("&variables=".utf8)

    /// Leaves the path of the target alone.
    /// - Returns: the variables behind it, as JSON.
    private func takeVariables(behind opening: [UInt8]) -> [UInt8] {
        let none = Array("{}".utf8)
        guard let taken = request.target.takeQuery() else { return none }
        let text = Array(taken.dropFirst(opening.count).dropFirst(Self.variablesName.count))
        if text.isEmpty { return none }
        return text.withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: false).map { Array($0) } } ?? none
    }
}
