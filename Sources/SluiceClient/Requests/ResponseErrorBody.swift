/// The body of an error from 400 up: `@ResponseErrorBody<GatewayProblem> var problem`.
///
/// A response with such a property is read at any error, and the property is nil where the error has no content; without
/// one, errors are thrown.
@propertyWrapper
public struct ResponseErrorBody<Body: Decodable> {
    public var wrappedValue: Body?

    public init(wrappedValue: Body? = nil) {
        self.wrappedValue = wrappedValue
    }

    public typealias Status400 = ResponseErrorBodyWrapper<Body, ValidateStatus400ErrorBodyStrategy>
    public typealias Status401 = ResponseErrorBodyWrapper<Body, ValidateStatus401ErrorBodyStrategy>
    public typealias Status403 = ResponseErrorBodyWrapper<Body, ValidateStatus403ErrorBodyStrategy>
    public typealias Status404 = ResponseErrorBodyWrapper<Body, ValidateStatus404ErrorBodyStrategy>
    public typealias Status410 = ResponseErrorBodyWrapper<Body, ValidateStatus410ErrorBodyStrategy>
    public typealias Status422 = ResponseErrorBodyWrapper<Body, ValidateStatus422ErrorBodyStrategy>
}

extension ResponseErrorBody: Decodable, ResponsePart {
    public init(from decoder: any Decoder) throws {
        wrappedValue = try ResponseErrorBodyWrapper<Body, DefaultErrorBodyStrategy>(from: decoder).wrappedValue
    }
}

extension ResponseErrorBody: Sendable where Body: Sendable {}
