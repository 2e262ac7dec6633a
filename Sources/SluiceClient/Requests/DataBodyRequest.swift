/// A plainly written request with bytes as its content, whole or streamed: a POST, unless it says another method.
public protocol DataBodyRequest: PlainlyWrittenRequest {
    var body: CallBody { get }
    var mediaType: String { get }
}

extension DataBodyRequest {
    public var httpMethod: HTTPMethod { .post }
    public var mediaType: String { "application/octet-stream" }
    public func content(coding: JSONCoding) -> RequestContent? { RequestContent(mediaType: mediaType, body: body) }
}
