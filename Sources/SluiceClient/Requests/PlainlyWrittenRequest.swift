/// A request whose parts are plain properties.
///
/// A request takes one kind of content (``BodilessRequest``, ``JSONBodyRequest``, ``StringBodyRequest``,
/// ``DataBodyRequest``, ``MultipartBodyRequest``) and one kind of answer (``StatusResponseRequest``,
/// ``JSONResponseRequest``, ``StringResponseRequest``, ``DataResponseRequest``); ``GetJSONRequest``,
/// ``JSONJSONRequest`` and others name two at once.
///
/// ```swift
/// struct FindFruits: GetJSONRequest {
///     typealias Response = [Fruit]
///     var start = 0
///     var end: Int?
///     var path: String { "/fruits" }
///     var urlParams: [URLParameter] {
///         ("start", start)
///         if let end { ("end", end) }
///     }
/// }
/// ```
public protocol PlainlyWrittenRequest: ClientRequest {
    /// The path; a value within it goes through `encodedSegment`, so that a `/` in it splits nothing.
    var path: String { get }
    /// The method; what it is by default, the kind of content says.
    var httpMethod: HTTPMethod { get }
    /// The items of the query; names are sent as they are, whatever the client's ``KeyCoding``.
    @QueryBuilder var urlParams: [URLParameter] { get }
    /// Header fields beside those of content and client.
    var headers: [CallField] { get }

    /// The content, if the request has any; the kinds of content write it.
    func content(coding: JSONCoding) throws(CallError) -> RequestContent?
    /// The response in an answer that is a success.
    func decode(_ answer: WholeAnswer, coding: JSONCoding) throws(CallError) -> Response
}

extension PlainlyWrittenRequest {
    public var urlParams: [URLParameter] { [] }
    public var headers: [CallField] { [] }

    public func call(coding: JSONCoding) throws(CallError) -> Call {
        var call = Call(httpMethod, PercentText.encodedPath(path), query: QueryItems(urlParams), fields: headers)
        if let content = try content(coding: coding) { call.attach(content) }
        return call
    }

    public func response(from answer: WholeAnswer, coding: JSONCoding) throws(CallError) -> Response {
        guard answer.isSuccess else { throw GatewayClient.failure(in: answer) }
        return try decode(answer, coding: coding)
    }
}
