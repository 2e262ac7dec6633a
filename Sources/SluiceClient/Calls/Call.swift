/// One request of a program to its gateway, before it is put on a connection.
public struct Call: Sendable {
    public var method: HTTPMethod
    /// The path below the gateway's address, percent-encoded, with or without a `/` in front.
    public var path: String
    public var query: QueryItems
    public var fields: [CallField]
    public var body: CallBody
    /// How long the call may take; the client's own limit where it is nil.
    public var timeout: Duration?

    public init(
        _ method: HTTPMethod, _ path: String, query: QueryItems = QueryItems(), fields: [CallField] = [],
        body: CallBody = .none, timeout: Duration? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.timeout = timeout
    }

    /// The request target in origin form (RFC 9112 §3.2.1).
    var target: String {
        let whole = path.hasPrefix("/") ? path : "/" + path
        return query.isEmpty ? whole : "\(whole)?\(query.text)"
    }
}
