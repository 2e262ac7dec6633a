extension QueryItems {
    /// The members of a tree as texts: nested ones under `outer[inner]`, lists repeat their name, `null` is left out.
    init(flattening tree: JSONValue) {
        self.init()
        guard case .object(let members) = tree else { return }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { add(value, as: name) }
    }

    private mutating func add(_ value: JSONValue, as name: String) {
        switch value {
        case .null: break
        case .bool(let value): append(name, value)
        case .integer(let value): append(name, value)
        case .unsigned(let value): append(name, value)
        case .decimal(let value): append(name, "\(value)")
        case .number(let value): append(name, value)
        case .text(let value): append(name, value)
        case .array(let elements): for element in elements { add(element, as: name) }
        case .object(let members):
            for (inner, value) in members.sorted(by: { $0.key < $1.key }) { add(value, as: "\(name)[\(inner)]") }
        }
    }
}

extension JSONCoding {
    /// A document as a tree, with its names as they stand there.
    func decodeTree(_ bytes: [UInt8]) throws(CallError) -> JSONValue {
        try JSONCoding().decode(JSONValue.self, from: bytes)
    }
}
