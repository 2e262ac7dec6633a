internal import SluiceHTTP
internal import SluiceJSON

/// An answer of the demo API.
struct DemoResponse {
    var status = 200
    var fields: [(id: FieldID, value: String)] = []
    var body: Body

    enum Body {
        case bytes([UInt8])
        case broken(BrokenAnswer.Wire)
    }

    static func json(_ value: JSONValue, status: Int = 200) -> DemoResponse {
        DemoResponse(
            status: status, fields: [(.contentType, "application/json")], body: .bytes(Array(value.text.utf8)))
    }

    static func noContent() -> DemoResponse {
        DemoResponse(status: 204, body: .bytes([]))
    }

    /// As this API writes its errors.
    static func error(_ status: Int, _ code: String, _ message: String) -> DemoResponse {
        json(
            .object([("error", .object([("message", .string(message)), ("code", .string(code))]))]), status: status)
    }

    func with(_ id: FieldID, _ value: String) -> DemoResponse {
        var response = self
        response.fields.append((id, value))
        return response
    }
}
