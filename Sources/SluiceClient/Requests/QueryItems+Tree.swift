extension QueryItems {
    /// The members of a tree as texts: nested ones under `outer[inner]`, lists repeat their name, `null` is left out.
    ///
    /// - Throws: ``CallError/encode(_:)`` where the tree is no object, or a list in it has objects or lists: which
    ///   member belongs to which of them would be lost.
    init(flattening tree: JSONValue) throws(CallError) {
        self.init()
        switch tree {
        case .null: break
        case .object(let members):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { try add(value, as: name) }
        default: throw .encode("Fields have names, and this is \(tree.kind): put it into an object, under a name.")
        }
    }

    private mutating func add(_ value: JSONValue, as name: String) throws(CallError) {
        switch value {
        case .null: break
        case .bool(let value): append(name, value)
        case .integer(let value): append(name, value)
        case .unsigned(let value): append(name, value)
        case .decimal(let value): append(name, "\(value)")
        case .number(let value): append(name, value)
        case .text(let value): append(name, value)
        case .array(let elements):
            for element in elements {
                switch element {
                case .array, .object: throw .encode("'\(name)' has \(element.kind) in a list: send it as JSON.")
                default: try add(element, as: name)
                }
            }
        case .object(let members):
            for (inner, value) in members.sorted(by: { $0.key < $1.key }) { try add(value, as: "\(name)[\(inner)]") }
        }
    }
}

extension JSONValue {
    /// What it is, in words.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .unsigned, .number, .decimal: "a number"
        case .text: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSONCoding {
    /// A document as a tree, with its names as they stand there.
    func decodeTree(_ bytes: [UInt8]) throws(CallError) -> JSONValue {
        try JSONCoding().decode(JSONValue.self, from: bytes)
    }
}
