internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The GraphQL request of a binding, without the values of its variables.
struct GraphQLQuery: Sendable {
    /// How the server is told which query to run.
    enum Form {
        /// As configured: the query, its digest, or an identifier of a registered query.
        case usual
        /// The query together with its digest, so that the server can keep it.
        case whole
        /// The query alone, for a server that keeps no queries.
        case plain
    }

    /// The usual body, up to the object with its variables.
    let opening: [UInt8]
    /// For GET: the query of the target, up to the variables. A form other than the usual one goes by POST.
    let targetOpening: [UInt8]?
    /// The persisted query, where the usual form sends only its digest.
    let persisted: PersistedQuery?
    /// Positions of the parameters that are variables.
    let variables: [Int]

    /// nil where the binding has no GraphQL query.
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
        // In a target, strings are written bare and everything else as JSON (GraphQL over HTTP §6.2).
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
