/// A request with a form of several parts as its content.
public protocol MultipartRequest: Request {
    /// What is sent, part by part.
    var body: MultipartForm { get }
}

extension MultipartRequest {
    public func content(coding: JSONCoding) -> RequestContent? {
        .multipart(body)
    }
}
