/// A request with a text as its content.
public protocol PlainRequest: Request {
    var body: String { get }
    /// The charset of the text, which the request says.
    var encoding: TextEncoding { get }
}

extension PlainRequest {
    public var encoding: TextEncoding { .utf8 }

    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? {
        try .text(body, encoding)
    }
}
