public import FoundationEssentials

/// A parameter in a dictionary of parameters, by what it is in the program.
public enum APIParamValue: Sendable {
    /// A value, as it converts.
    case convertible(any APIParamConvertible)
    /// Nil is sent as `null` in a body, and left out of a query.
    case optionalConvertible((any APIParamConvertible)?)
    /// A list: its name repeats in a query.
    case arrayConvertible([any APIParamConvertible])
    /// `null` in a body, and nothing in a query.
    case null
    /// Milliseconds since 1970.
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
