public import FoundationEssentials

/// A parameter in a dictionary of parameters, by what it is in the program.
public enum APIParamValue: Sendable {
    case convertible(any APIParamConvertible)
    /// Nil is sent as `null` in a body, and left out of a query.
    case optionalConvertible((any APIParamConvertible)?)
    case arrayConvertible([any APIParamConvertible])
    case null
    case timestampInMillis(Date)
}

extension APIParamValue: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue {
        switch self {
        case .convertible(let value): value.value(forHTTPMethod: method)
        case .optionalConvertible(let value): value?.value(forHTTPMethod: method) ?? .null
        case .arrayConvertible(let values): .array(values.map { $0.value(forHTTPMethod: method) })
        case .null: .null
        case .timestampInMillis(let date): date.value(forHTTPMethod: method)
        }
    }
}
