/// The body of a success: `@ResponseBody<[Fruit]> var body`; nil where the answer is none, or has no content.
@propertyWrapper
public struct ResponseBody<Body: Decodable> {
    public var wrappedValue: Body?

    public init(wrappedValue: Body? = nil) {
        self.wrappedValue = wrappedValue
    }

    /// With or without content: nil for an empty answer of any status.
    public typealias OptionalContent = ResponseBodyWrapper<Body, OptionalContentStrategy>
    /// Of answers with status 200 alone.
    public typealias Status200 = ResponseBodyWrapper<Body, ValidateStatus200BodyStrategy>
    /// Of answers with status 201 alone.
    public typealias Status201 = ResponseBodyWrapper<Body, ValidateStatus201BodyStrategy>
    /// Of answers with status 303 alone.
    public typealias Status303 = ResponseBodyWrapper<Body, ValidateStatus303BodyStrategy>
}

extension ResponseBody: Decodable, ResponsePart {
    public init(from decoder: any Decoder) throws {
        wrappedValue = try ResponseBodyWrapper<Body, DefaultBodyStrategy>(from: decoder).wrappedValue
    }
}

extension ResponseBody: Sendable where Body: Sendable {}
