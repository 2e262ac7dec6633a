/// A request with a form as its content.
public protocol FormURLEncodedRequest: Request {
    /// What the content is made of.
    associatedtype Body: Encodable
    /// An object, whose members are the fields.
    var body: Body { get }
}

extension FormURLEncodedRequest {
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? {
        try .form(body, coding: coding)
    }
}
