/// A request whose wrapped properties say what goes where.
///
/// ```swift
/// struct FindFruits: Request {
///     typealias Response = FruitsResponse
///     @RequestPath var path = "/fruits/{kind}"
///     @RequestPathParameter var kind: String
///     @QueryItem var limit: Int?
/// }
/// ```
///
/// This kind has no content; ``JSONRequest``, ``FormURLEncodedRequest``, ``PlainRequest``, ``XMLRequest``,
/// ``RawRequest`` and ``MultipartRequest`` have a `body`.
public protocol Request: ClientRequest where Response: Decodable {
    /// How names of properties are written in content, query and path; nil for the client's way.
    var keyCoding: KeyCoding? { get }

    /// The content, if the request has any.
    func content(coding: JSONCoding) throws(CallError) -> RequestContent?
}

extension Request {
    public var keyCoding: KeyCoding? { nil }

    public func content(coding: JSONCoding) throws(CallError) -> RequestContent? { nil }

    public func call(coding: JSONCoding) throws(CallError) -> Call {
        let coding = coding.with(keyCoding)
        var parts = RequestParts(keys: coding.keys)
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            for child in level.children {
                guard let part = child.value as? any RequestPart, let label = child.label else { continue }
                try part.contribute(as: String(label.drop { $0 == "_" }), to: &parts)
            }
            mirror = level.superclassMirror
        }
        var call = Call(parts.method, try parts.filledPath(), query: parts.query, fields: parts.fields)
        if let content = try content(coding: coding) { call.attach(content) }
        return call
    }

    public func response(from answer: WholeAnswer, coding: JSONCoding) throws(CallError) -> Response {
        try AnswerReading(answer: answer, coding: coding.with(keyCoding)).response(Response.self)
    }
}

extension JSONCoding {
    fileprivate func with(_ keys: KeyCoding?) -> JSONCoding {
        JSONCoding(dates: dates, keys: keys ?? self.keys)
    }
}

extension Call {
    /// Adds content; a `Content-Type` that the request has said itself stays.
    mutating func attach(_ content: RequestContent) {
        body = content.body
        if fields["Content-Type"] == nil { fields.append(CallField("Content-Type", content.mediaType)) }
    }
}
