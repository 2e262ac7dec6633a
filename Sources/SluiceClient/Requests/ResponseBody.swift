/// The body of a success: `@ResponseBody<[Fruit]> var body`; nil where the answer is none, or has no content.
public typealias ResponseBody<Body: Decodable> = ResponseBodyWrapper<Body, DefaultBodyStrategy>

extension ResponseBodyWrapper where Strategy == DefaultBodyStrategy {
    /// With or without content: nil for an empty answer of any status.
    public typealias OptionalContent = ResponseBodyWrapper<Body, OptionalContentStrategy>
    /// Of answers with status 200 alone.
    public typealias Status200 = ResponseBodyWrapper<Body, ValidateStatus200BodyStrategy>
    /// Of answers with status 201 alone.
    public typealias Status201 = ResponseBodyWrapper<Body, ValidateStatus201BodyStrategy>
    /// Of answers with status 303 alone.
    public typealias Status303 = ResponseBodyWrapper<Body, ValidateStatus303BodyStrategy>
}
