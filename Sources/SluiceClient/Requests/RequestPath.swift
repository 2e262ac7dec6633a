/// The path of a request, with places for parameters: `@RequestPath var path = "/fruits/{name}"`.
@propertyWrapper
public struct RequestPath: Sendable, RequestPart {
    /// The path as its author writes it: `{name}` is a place, and a query stands in ``QueryItem``s.
    public var wrappedValue: String

    /// `/`, where the property has no value.
    public init(wrappedValue: String = "/") {
        self.wrappedValue = wrappedValue
    }

    func contribute(as property: String, to parts: inout RequestParts) {
        parts.path = wrappedValue
    }
}

/// `RenameFruit(path: "/fruits")`, where the property has no path of its own.
extension RequestPath: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(wrappedValue: value)
    }
}

extension RequestPath: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}
