/// A request with bytes as its content, whole or as a stream that is read as fast as the gateway takes it.
public protocol RawRequest: Request {
    /// What is sent.
    var body: CallBody { get }
    /// What it is; `application/octet-stream` where nothing is said.
    var mediaType: String { get }
}

extension RawRequest {
    public var mediaType: String { "application/octet-stream" }

    public func content(coding: JSONCoding) -> RequestContent? {
        RequestContent(mediaType: mediaType, body: body)
    }
}
