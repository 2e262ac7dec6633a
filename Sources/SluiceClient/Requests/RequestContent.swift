/// The content of a request with its media type.
public struct RequestContent: Sendable {
    /// What `Content-Type` says, unless the request says it itself.
    public var mediaType: String
    /// What is sent.
    public var body: CallBody

    /// Content of any kind.
    public init(mediaType: String, body: CallBody) {
        self.mediaType = mediaType
        self.body = body
    }

    /// A value as JSON.
    ///
    /// - Throws: ``CallError/encode(_:)`` where it cannot be written.
    public static func json(_ value: some Encodable, coding: JSONCoding) throws(CallError) -> RequestContent {
        RequestContent(mediaType: "application/json", body: .bytes(try coding.encode(value)))
    }

    /// A form (WHATWG URL §5.2, with `%20` for a space): members are fields, lists repeat their name, `null` is left
    /// out.
    ///
    /// - Throws: ``CallError/encode(_:)`` where the value is no object, or has objects or lists in a list.
    public static func form(_ value: some Encodable, coding: JSONCoding) throws(CallError) -> RequestContent {
        let tree = try coding.decodeTree(coding.encode(value))
        let text = try QueryItems(flattening: tree).text
        return RequestContent(mediaType: "application/x-www-form-urlencoded", body: .bytes(Array(text.utf8)))
    }

    /// A text, with its charset said.
    ///
    /// - Throws: ``CallError/encode(_:)`` where the charset lacks one of its characters.
    public static func text(
        _ text: String, _ encoding: TextEncoding = .utf8, mediaType: String = "text/plain"
    ) throws(CallError) -> RequestContent {
        guard let bytes = encoding.bytes(of: text) else {
            throw .encode("The text has characters that \(encoding.rawValue) lacks: send it as utf-8.")
        }
        return RequestContent(mediaType: "\(mediaType); charset=\(encoding.rawValue)", body: .bytes(bytes))
    }

    /// A text in a charset by any of its names.
    ///
    /// - Throws: ``CallError/encode(_:)`` also where no text is sent in that charset.
    static func text(_ text: String, _ charset: some TextCharset) throws(CallError) -> RequestContent {
        guard let encoding = charset.textEncoding else {
            let known = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw .encode("No text is sent in the charset '\(charset)': take one of \(known).")
        }
        return try .text(text, encoding)
    }

    /// A form of several parts.
    public static func multipart(_ form: MultipartForm) -> RequestContent {
        RequestContent(mediaType: form.mediaType, body: form.body)
    }
}
