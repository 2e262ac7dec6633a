/// Parameters by name. ``KeyedAPIParameters`` has a closed set of names.
public protocol APIParameters: APIParamConvertible {
    func toParamDictionary() -> [String: any APIParamConvertible]
}

extension APIParameters {
    public func value(forHTTPMethod method: HTTPMethod) -> JSONValue {
        .object(toParamDictionary().mapValues { $0.value(forHTTPMethod: method) })
    }
}
