internal import SluiceContract
internal import SluiceJSON

/// The body of a request by which a binding asks an API of GraphQL, but for the values of its variables.
struct GraphQLQuery: Sendable {
    /// The query, up to the object with its variables.
    let opening: [UInt8]
    /// Positions of the parameters that are variables.
    let variables: [Int]

    /// nil where the binding asks for no query.
    init?(_ binding: Binding, _ parameters: [RouteParameter]) {
        guard let text = binding.graphQL else { return nil }
        opening = Array(("{\"query\":" + JSONText.quote(text) + ",\"variables\":").utf8)
        variables = parameters.indices.filter { !parameters[$0].isInPath }
    }
}
