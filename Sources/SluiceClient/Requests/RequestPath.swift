/// The path of a request, with places for parameters: `@RequestPath var path = "/fruits/{name}"`.
@propertyWrapper
public struct RequestPath: Sendable, RequestPart {
    public var wrappedValue: String

    public init(wrappedValue: String = "/") {
        self.wrappedValue = wrappedValue
    }

    func contribute(as property: String, to parts: inout RequestParts) {
        parts.path = wrappedValue
    }
}
