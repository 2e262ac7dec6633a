/// A plainly written request with JSON as its content: a POST, unless it says another method.
public protocol JSONBodyRequest: PlainlyWrittenRequest {
    /// What the content is made of.
    associatedtype Body: Encodable
    /// What is sent as JSON.
    var body: Body { get }
}

extension JSONBodyRequest {
    public var httpMethod: HTTPMethod { .post }
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? { try .json(body, coding: coding) }
}
