/// The method of a request: `@RequestHTTPMethod var method = .post`.
@propertyWrapper
public struct RequestHTTPMethod: Sendable, RequestPart {
    /// The method.
    public var wrappedValue: HTTPMethod

    /// GET, where the property has no value.
    public init(wrappedValue: HTTPMethod = .get) {
        self.wrappedValue = wrappedValue
    }

    func contribute(as property: String, to parts: inout RequestParts) {
        parts.method = wrappedValue
    }
}

extension RequestHTTPMethod: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.rawValue.encode(to: encoder)
    }
}
