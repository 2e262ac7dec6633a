internal import SluiceHTTP
internal import SluiceJSON

/// The answers of `/broken/{kind}`: everything that an upstream can do wrong.
enum BrokenAnswer: String, CaseIterable {
    /// The connection ends in the middle of the body.
    case truncated
    /// The connection is reset before the answer.
    case reset
    /// JSON of another type than documented.
    case type
    /// A page that is no JSON.
    case text
    /// A 500 with an error body.
    case error
    /// Some 60 MB of fruits.
    case huge
    /// A chunked body with a trailer; nothing is wrong with it.
    case trailers

    static var names: [String] { allCases.map(\.rawValue) }

    /// What happens below the level of an answer.
    enum Wire {
        case reset
        case truncated(String, announced: Int)
        case trailers(String)
        /// An array of `count` equal elements.
        case huge(opening: String, element: String, closing: String, count: Int)
    }

    var response: DemoResponse {
        let fruit = Fruit(name: "apple", size: 7, color: .red, ripe: true)
        let page = JSONValue.object([("values", .array([fruit.json(id: 1)]))]).text
        switch self {
        case .truncated: return wire(.truncated(String(page.dropLast(20)), announced: page.utf8.count))
        case .reset: return wire(.reset)
        case .type:
            return .json(.verbatim(#"{"values":[{"id":1,"name":"apple","size":"big","color":"blue"}]}"#))
        case .text:
            return DemoResponse(
                fields: [(.contentType, "text/html")], body: .bytes(Array("<h1>Under maintenance</h1>\n".utf8)))
        case .error:
            return .error(500, "rotten", "The basket fell over.").with(.retryAfter, "5")
        case .huge:
            return wire(
                .huge(opening: #"{"values":["#, element: fruit.json(id: 1).text, closing: "]}", count: 1 << 20))
        case .trailers: return wire(.trailers(page))
        }
    }

    private func wire(_ wire: Wire) -> DemoResponse {
        DemoResponse(fields: [(.contentType, "application/json")], body: .broken(wire))
    }
}
