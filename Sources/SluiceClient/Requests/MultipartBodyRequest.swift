/// A plainly written request with a form of several parts: a POST, unless it says another method.
public protocol MultipartBodyRequest: PlainlyWrittenRequest {
    /// What is sent, part by part.
    var body: MultipartForm { get }
}

extension MultipartBodyRequest {
    public var httpMethod: HTTPMethod { .post }
    public func content(coding: JSONCoding) -> RequestContent? { .multipart(body) }
}
