public import FoundationEssentials

/// A parameter that is a text where parameters go into the query, and typed JSON where they are a body.
public protocol APIParamConvertible: Sendable {
    /// What is sent with a method: a text for a query, typed JSON for a body.
    func value(forHTTPMethod method: HTTPMethod) -> JSONValue
}

extension APIParamConvertible where Self: ParameterValue {
    /// The text of a scalar, for the query.
    fileprivate func value(_ method: HTTPMethod, typed: JSONValue) -> JSONValue {
        method.putsParametersInQuery ? .text(parameterTexts.first ?? "") : typed
    }
}

extension String: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue { .text(self) }
}

extension Int: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue { value(method, typed: .integer(Int64(self))) }
}

extension Int64: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue { value(method, typed: .integer(self)) }
}

extension Float: APIParamConvertible {
    /// As many digits as the number has of its own: 0.1 stays 0.1.
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue {
        value(method, typed: .number(Double(description) ?? Double(self)))
    }
}

extension Double: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue { value(method, typed: .number(self)) }
}

extension Bool: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue { value(method, typed: .bool(self)) }
}

/// Milliseconds since 1970.
extension Date: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue {
        Int64((timeIntervalSince1970 * 1000).rounded()).value(forHTTPMethod: method)
    }
}

/// As it is: `.null` is sent as `null` in a body, and left out of a query.
extension JSONValue: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue { self }
}

extension Optional: APIParamConvertible where Wrapped: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue { self?.value(forHTTPMethod: method) ?? .null }
}

extension Array: APIParamConvertible where Element: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue {
        .array(map { $0.value(forHTTPMethod: method) })
    }
}

extension APIParamConvertible where Self: RawRepresentable, RawValue: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue { rawValue.value(forHTTPMethod: method) }
}
