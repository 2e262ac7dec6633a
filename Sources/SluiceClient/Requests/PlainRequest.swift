/// A request with a text as its content.
public protocol PlainRequest: Request {
    /// How the charset is said: ``TextEncoding``, or `String.Encoding` of Foundation.
    associatedtype Encoding: TextCharset = TextEncoding
    /// What is sent, in the ``encoding``.
    var body: String { get }
    /// The charset of the text, which the request says.
    var encoding: Encoding { get }
}

extension PlainRequest where Encoding == TextEncoding {
    public var encoding: TextEncoding { .utf8 }
}

extension PlainRequest {
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? {
        try .text(body, encoding)
    }
}
