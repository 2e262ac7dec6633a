internal import SluiceContract
internal import SluiceHTTP

/// How a further page of a list is requested.
enum PageAddress: Hashable {
    /// Another target.
    case target([UInt8])
    /// The same GraphQL query with this value (JSON) of the page variable.
    case variable([UInt8])
}

extension BoundRequest {
    /// Becomes the request for another page of the list.
    func ask(for page: PageAddress, _ rule: PageRule, _ route: Route) {
        switch page {
        case .target(let bytes):
            target.replace(by: bytes)
        case .variable(let json):
            guard let query = route.graphQL, let variable = rule.variable else { return }
            GraphQLRequest(self, query, route).ask(for: (variable, json))
        }
    }
}
