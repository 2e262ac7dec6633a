/// A request with JSON as its content.
public protocol JSONRequest: Request {
    /// What the content is made of.
    associatedtype Body: Encodable
    /// What is sent as JSON.
    var body: Body { get }
}

extension JSONRequest {
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? {
        try .json(body, coding: coding)
    }
}
