/// Tells a value that is missing in its parent from one that is there and wrong inside.
enum ParentPlace {
    /// The error of decoding a parent, with the place of the value in mind. The parent says by `wrap` where that is: it is
    /// looked up in what would be sent.
    static func explained<Parent: ParentCodable>(
        _ error: CallError, in parent: Parent.Type, holding value: Parent.ChildCodable, _ coding: JSONCoding
    ) -> CallError {
        guard case .decode(let fault) = error, fault.reason == .absent,
            let child = tree(of: value, coding), let whole = tree(of: Parent.wrap(child: value), coding)
        else { return error }
        let isOnTheWay = whole.places(of: child).contains { "\($0).".hasPrefix("\(fault.path).") }
        return isOnTheWay ? .missingPath(fault) : error
    }

    private static func tree(of value: some Encodable, _ coding: JSONCoding) -> JSONValue? {
        guard let bytes = try? coding.encode(value) else { return nil }
        return try? coding.decode(JSONValue.self, from: bytes)
    }
}
