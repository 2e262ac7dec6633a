/// Reads `Decodable` values out of a ``JSONTree``. The command's few small answers are not worth the megabytes that
/// Foundation's decoder would bring (docs/decisions/weight-of-the-binary.md).
struct JSONTreeDecoder: Decoder {
    let tree: JSONTree
    /// Whether members have names `like_these` where the keys of types have names `likeThese`.
    let isSnakeCase: Bool
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ tree: JSONTree, isSnakeCase: Bool, at codingPath: [any CodingKey] = []) {
        self.tree = tree
        self.isSnakeCase = isSnakeCase
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = tree else { throw mismatch([String: Any].self, "an object") }
        return KeyedDecodingContainer(Members(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let items) = tree else { throw mismatch([Any].self, "an array") }
        return Items(decoder: self, items: items)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "\(expected) was expected"))
    }

    /// The decoder of a value inside.
    func inside(_ tree: JSONTree, _ key: any CodingKey) -> JSONTreeDecoder {
        JSONTreeDecoder(tree, isSnakeCase: isSnakeCase, at: codingPath + [key])
    }

    /// The place of an element.
    struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { intValue.map { "[\($0)]" } ?? "" }

        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }
}

extension JSONTreeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if case .null = tree { true } else { false }
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let bool) = tree else { throw mismatch(type, "true or false") }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let string) = tree else { throw mismatch(type, "a string") }
        return string
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard case .number(let text) = tree, let number = Double(text) else { throw mismatch(type, "a number") }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let integer = type as? any (FixedWidthInteger & Decodable).Type else { return try Value(from: self) }
        guard case .number(let text) = tree, let number = integer.init(text) as? Value else {
            throw mismatch(type, "a whole number")
        }
        return number
    }
}

extension JSONTreeDecoder {
    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: JSONTreeDecoder
        let members: [String: JSONTree]

        var codingPath: [any CodingKey] { decoder.codingPath }
        var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

        private func member(_ key: some CodingKey) -> JSONTree? {
            members[decoder.isSnakeCase ? key.stringValue.snakeCase : key.stringValue]
        }

        private func inside(_ key: some CodingKey) throws -> JSONTreeDecoder {
            guard let member = member(key) else {
                throw DecodingError.keyNotFound(
                    key, .init(codingPath: codingPath, debugDescription: "'\(key.stringValue)' is missing"))
            }
            return decoder.inside(member, key)
        }

        func contains(_ key: Key) -> Bool { member(key) != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try inside(key).decodeNil() }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try inside(key).decode(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try inside(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try inside(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { decoder }
        func superDecoder(forKey key: Key) throws -> any Decoder { try inside(key) }
    }

    private struct Items: UnkeyedDecodingContainer {
        let decoder: JSONTreeDecoder
        let items: [JSONTree]
        private(set) var currentIndex = 0

        var codingPath: [any CodingKey] { decoder.codingPath }
        var count: Int? { items.count }
        var isAtEnd: Bool { currentIndex >= items.count }

        private func current() throws -> JSONTreeDecoder {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    JSONTree.self, .init(codingPath: codingPath, debugDescription: "there are no more elements"))
            }
            return decoder.inside(items[currentIndex], Index(intValue: currentIndex))
        }

        private mutating func take<Value>(_ read: (JSONTreeDecoder) throws -> Value) throws -> Value {
            let value = try read(try current())
            currentIndex += 1
            return value
        }

        mutating func decodeNil() throws -> Bool {
            guard try current().decodeNil() else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try take { try $0.decode(type) } }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { try take { try $0.container(keyedBy: type) } }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try take { try $0.unkeyedContainer() }
        }

        mutating func superDecoder() throws -> any Decoder { try take { $0 } }
    }
}

extension String {
    /// `lastUsedAt` as `last_used_at`.
    fileprivate var snakeCase: String {
        reduce(into: "") { text, character in
            text += character.isUppercase ? "_" + character.lowercased() : String(character)
        }
    }
}
