/// The body of an error from 400 up: `@ResponseErrorBody<GatewayProblem> var problem`.
///
/// A response with such a property is read at any error, and the property is nil where the error has no content;
/// without one, errors are thrown.
public typealias ResponseErrorBody<Body: Decodable> = ResponseBodyWrapper<Body, DefaultErrorBodyStrategy>

extension ResponseBodyWrapper where Strategy == DefaultErrorBodyStrategy {
    public typealias Status400 = ResponseBodyWrapper<Body, ValidateStatus400ErrorBodyStrategy>
    public typealias Status401 = ResponseBodyWrapper<Body, ValidateStatus401ErrorBodyStrategy>
    public typealias Status403 = ResponseBodyWrapper<Body, ValidateStatus403ErrorBodyStrategy>
    public typealias Status404 = ResponseBodyWrapper<Body, ValidateStatus404ErrorBodyStrategy>
    public typealias Status410 = ResponseBodyWrapper<Body, ValidateStatus410ErrorBodyStrategy>
    public typealias Status422 = ResponseBodyWrapper<Body, ValidateStatus422ErrorBodyStrategy>
}
