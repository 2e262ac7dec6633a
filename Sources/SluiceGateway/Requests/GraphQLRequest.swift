internal import SluiceContract
internal import SluiceHTTP

/// Puts a GraphQL query into a request: into the target of a GET or into a body, in one of its forms.
struct GraphQLRequest {
    private let request: BoundRequest
    private let query: GraphQLQuery
    private let variables: QueryVariables

    init(_ request: BoundRequest, _ query: GraphQLQuery, _ route: Route) {
        self.request = request
        self.query = query
        variables = QueryVariables(request, query, route)
    }

    /// Called when a fetch begins: writes the query. If the client sent variables in a body, they are in `held`
    /// already.
    func begin() {
        request.body.form = query.form
        if request.body.held.isEmpty { return write() }
        if request.body.form == .usual, query.persisted != nil, !request.body.isHeldWhole {
            // The rest of the body cannot be sent again, so the query has to be sent in full at once.
            request.body.form = .whole
        }
        request.body.replaceOpening(query.opening, by: query.opening(request.body.form))
    }

    /// The server wants the query in another form; the variables do not change.
    func change(to form: GraphQLQuery.Form) {
        let last = request.body.form
        request.body.form = form
        guard let opening = query.targetOpening else {
            return request.body.replaceOpening(query.opening(last), by: query.opening(form))
        }
        writeBody(takeVariables(behind: opening))
    }

    /// The same query with another value of the page variable.
    func ask(for page: QueryVariables.Page) {
        request.body.form = query.form
        write(page)
    }

    /// Writes the request for a client that sent no variables in a body.
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

    /// Removes the query of the target, and keeps the path.
    /// - Returns: the variables that were in the query, as JSON.
    private func takeVariables(behind opening: [UInt8]) -> [UInt8] {
        let none = Array("{}".utf8)
        guard let taken = request.target.takeQuery() else { return none }
        let text = Array(taken.dropFirst(opening.count).dropFirst(Self.variablesName.count))
        if text.isEmpty { return none }
        return text.withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: false).map { Array($0) } } ?? none
    }
}
