internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The request by which a binding asks an API of GraphQL, but for the values of its variables.
struct GraphQLQuery: Sendable {
    /// How its server is told which query is meant.
    enum Form {
        /// As the binding says: the query, its digest, or the identifier of one.
        case usual
        /// The query with its digest, by which the server knows it from then on.
        case whole
        /// The query alone, for a server that keeps none.
        case plain
    }

    /// The usual body, up to the object with its variables.
    let opening: [UInt8]
    /// Where a GET asks: the query of its target, up to the variables. A form that is not the usual one goes by POST.
    let targetOpening: [UInt8]?
    /// Where the usual form has the digest alone.
    let persisted: PersistedQuery?
    /// Positions of the parameters that are variables.
    let variables: [Int]

    /// nil where the binding asks for no query.
    init?(_ binding: Binding, _ parameters: [RouteParameter]) {
        guard let document = binding.graphQL else { return nil }
        let member: (name: String, json: String)
        switch document {
        case .query(let text):
            member = ("query", JSONText.quote(text))
            persisted = nil
        case .persisted(let text):
            let query = PersistedQuery(text)
            member = ("extensions", query.extensions)
            persisted = query
        case .registered(let id, GraphQLDocument.extensionMember):
            member = ("extensions", PersistedQuery.extensions(digest: id))
            persisted = nil
        case .registered(let id, let name):
            member = (name, JSONText.quote(id))
            persisted = nil
        }
        opening = Array("{\(JSONText.quote(member.name)):\(member.json),\"variables\":".utf8)
        // In a target texts are what they are, and all else is JSON (GraphQL over HTTP §6.2).
        let text = JSONText.unquote(member.json) ?? member.json
        let pair = [UInt8(ascii: "?")] + PercentEncoding.encoded(Array(member.name.utf8)) + [UInt8(ascii: "=")]
        targetOpening = binding.upstreamMethod == "GET" ? pair + PercentEncoding.encoded(Array(text.utf8)) : nil
        variables = parameters.indices.filter { !parameters[$0].isInPath }
    }

    /// A body of this form, up to the object with its variables.
    func opening(_ form: Form) -> [UInt8] {
        switch form {
        case .usual: opening
        case .whole: persisted?.wholeOpening ?? opening
        case .plain: persisted?.plainOpening ?? opening
        }
    }

    /// The form of a request that has not been sent.
    var form: Form { persisted?.isUnsupported == true ? .plain : .usual }
}
