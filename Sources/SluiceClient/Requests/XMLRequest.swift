/// A request with an XML document as its content, which goes as it is written.
public protocol XMLRequest: Request {
    /// The document as it is written.
    var body: String { get }
}

extension XMLRequest {
    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? {
        try .text(body, mediaType: "application/xml")
    }
}
