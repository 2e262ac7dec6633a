/// One request of a program to its gateway, before it is put on a connection.
public struct Call: Sendable {
    /// What is to be done with what is at the path.
    public var method: HTTPMethod
    /// The path below the gateway's address, percent-encoded, with or without a `/` in front.
    public var path: String
    /// What stands behind the `?`.
    public var query: QueryItems
    /// Fields of this call: they take the place of those of the same name that the client sends with every call.
    public var fields: [CallField]
    /// The content, which has no media type of its own: that is a field, `Content-Type`.
    public var body: CallBody
    /// How long the call may take, from looking for a connection to the last byte of its answer, or to the answer's
    /// head where that is read as a stream; the client's own limit where it is nil.
    public var timeout: Duration?

    /// A request; nothing is looked at before it is sent.
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
