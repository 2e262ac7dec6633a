/// A request of parameters that convert by its method: into the query of a GET or HEAD, into JSON for all others.
///
/// ```swift
/// let fruit = try await client.send(ParameterRequest(.post, "fruits", NewFruit(name: "fig", size: 1), as: Fruit.self))
/// ```
public struct ParameterRequest<Parameters: APIParameters, Response: Decodable & Sendable>: ClientRequest {
    /// The method, which decides where the parameters go.
    public var method: HTTPMethod
    /// The path below the gateway's address, as its author writes it, and without a query.
    public var path: String
    /// What is sent. Names are sent as they are, whatever the client's ``KeyCoding``.
    public var parameters: Parameters

    /// A request whose answer is read as a type.
    public init(_ method: HTTPMethod, _ path: String, _ parameters: Parameters, as response: Response.Type) {
        self.method = method
        self.path = path
        self.parameters = parameters
    }

    public func call(coding: JSONCoding) throws(CallError) -> Call {
        let tree = parameters.value(forHTTPMethod: method)
        var call = Call(method, PercentText.encodedPath(path))
        if method.putsParametersInQuery {
            call.query = try QueryItems(flattening: tree)
        } else {
            call.attach(try .json(tree, coding: JSONCoding()))
        }
        return call
    }

    public func response(from answer: WholeAnswer, coding: JSONCoding) throws(CallError) -> Response {
        try AnswerReading(answer: answer, coding: coding).response(Response.self)
    }
}
