/// A plainly written request with JSON as its content: a POST, unless it says another method.
public protocol JSONBodyRequest: PlainlyWrittenRequest {
    associatedtype Body: Encodable
    var body: Body { get }
}

extension JSONBodyRequest {
    public var httpMethod: HTTPMethod { .post }
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? { try .json(body, coding: coding) }
}
