/// A plainly written request with a text as its content: a POST, unless it says another method.
public protocol StringBodyRequest: PlainlyWrittenRequest {
    var body: String { get }
    var encoding: TextEncoding { get }
}

extension StringBodyRequest {
    public var httpMethod: HTTPMethod { .post }
    public var encoding: TextEncoding { .utf8 }
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? { try .text(body, encoding) }
}
