/// Parameters by name. ``KeyedAPIParameters`` has a closed set of names.
public protocol APIParameters: APIParamConvertible {
    /// What stands beside a name: anything that converts, or an ``APIParamValue``.
    associatedtype ParamValue = any APIParamConvertible

    /// The parameters by their names on the wire.
    func toParamDictionary() -> [String: ParamValue]
}

extension APIParameters where ParamValue == any APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue {
        .object(toParamDictionary().mapValues { $0.value(forHTTPMethod: method) })
    }
}

extension APIParameters where ParamValue: APIParamConvertible {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue {
        .object(toParamDictionary().mapValues { $0.value(forHTTPMethod: method) })
    }
}
