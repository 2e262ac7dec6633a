/// A request with JSON as its content.
public protocol JSONRequest: Request {
    associatedtype Body: Encodable
    var body: Body { get }
}

extension JSONRequest {
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? {
        try .json(body, coding: coding)
    }
}
