/// The body of an error from 400 up: `@ResponseErrorBody<GatewayProblem> var problem`.
///
/// A response with such a property is read at any error, and the property is nil where the error has no content;
/// without one, errors are thrown.
public typealias ResponseErrorBody<Body: Decodable> = ResponseBodyWrapper<Body, DefaultErrorBodyStrategy>

extension ResponseBodyWrapper where Strategy == DefaultErrorBodyStrategy {
    /// Of errors with status 400 alone.
    public typealias Status400 = ResponseBodyWrapper<Body, ValidateStatus400ErrorBodyStrategy>
    /// Of errors with status 401 alone.
    public typealias Status401 = ResponseBodyWrapper<Body, ValidateStatus401ErrorBodyStrategy>
    /// Of errors with status 403 alone.
    public typealias Status403 = ResponseBodyWrapper<Body, ValidateStatus403ErrorBodyStrategy>
    /// Of errors with status 404 alone.
    public typealias Status404 = ResponseBodyWrapper<Body, ValidateStatus404ErrorBodyStrategy>
    /// Of errors with status 410 alone.
    public typealias Status410 = ResponseBodyWrapper<Body, ValidateStatus410ErrorBodyStrategy>
    /// Of errors with status 422 alone.
    public typealias Status422 = ResponseBodyWrapper<Body, ValidateStatus422ErrorBodyStrategy>
}
