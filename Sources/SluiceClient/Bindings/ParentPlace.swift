/// Tells a value that is missing in its parent from one that is there and wrong inside.
enum ParentPlace {
    /// The error of decoding a parent, with the place of the value in mind. The parent says by `wrap` where that is: it
    /// is looked up in what would be sent.
    static func explained<Parent: ParentCodable>(
        _ error: CallError, in parent: Parent.Type, holding value: Parent.ChildCodable, _ coding: JSONCoding
    ) -> CallError {
        guard case .decode(let fault) = error, fault.reason == .absent,
            let child = tree(of: value, coding), let whole = tree(of: Parent.wrap(child: value), coding)
        else { return error }
        let isOnTheWay = whole.places(of: child).contains { "\($0).".hasPrefix("\(fault.path).") }
        return isOnTheWay ? .missingPath(fault) : error
    }

    /// Whether a document is a value without its parent, and not an object that the value knows nothing of: one whose
    /// members are all optional can be read from any, and so can a dictionary.
    static func isAccounted<Value: Encodable>(_ document: [UInt8], by value: Value, _ coding: JSONCoding) -> Bool {
        if value is any OpenObject { return false }
        guard let found = try? coding.decode(JSONValue.self, from: document), case .object(let members) = found,
            case .object(let known)? = tree(of: value, coding)
        else { return true }
        return !Set(known.keys).isDisjoint(with: members.keys)
    }

    private static func tree(of value: some Encodable, _ coding: JSONCoding) -> JSONValue? {
        guard let bytes = try? coding.encode(value) else { return nil }
        return try? coding.decode(JSONValue.self, from: bytes)
    }
}

/// What can be read from every object.
private protocol OpenObject {}

extension Dictionary: OpenObject {}
extension JSONValue: OpenObject {}
