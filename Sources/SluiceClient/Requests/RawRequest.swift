/// A request with bytes as its content, whole or as a stream that is read as fast as the gateway takes it.
public protocol RawRequest: Request {
    var body: CallBody { get }
    var mediaType: String { get }
}

extension RawRequest {
    public var mediaType: String { "application/octet-stream" }

    public func content(coding: JSONCoding) -> RequestContent? {
        RequestContent(mediaType: mediaType, body: body)
    }
}
