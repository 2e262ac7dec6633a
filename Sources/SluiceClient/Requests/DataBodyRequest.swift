/// A plainly written request with bytes as its content, whole or streamed: a POST, unless it says another method.
public protocol DataBodyRequest: PlainlyWrittenRequest {
    /// What is sent.
    var body: CallBody { get }
    /// What it is; `application/octet-stream` where nothing is said.
    var mediaType: String { get }
}

extension DataBodyRequest {
    public var httpMethod: HTTPMethod { .post }
    public var mediaType: String { "application/octet-stream" }
    public func content(coding: JSONCoding) -> RequestContent? { RequestContent(mediaType: mediaType, body: body) }
}
