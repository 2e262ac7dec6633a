/// A request with a form as its content.
public protocol FormURLEncodedRequest: Request {
    associatedtype Body: Encodable
    var body: Body { get }
}

extension FormURLEncodedRequest {
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? {
        try .form(body, coding: coding)
    }
}
