/// The method of a request: `@RequestHTTPMethod var method = .post`.
@propertyWrapper
public struct RequestHTTPMethod: Sendable, RequestPart {
    public var wrappedValue: HTTPMethod

    public init(wrappedValue: HTTPMethod = .get) {
        self.wrappedValue = wrappedValue
    }

    func contribute(as property: String, to parts: inout RequestParts) {
        parts.method = wrappedValue
    }
}
