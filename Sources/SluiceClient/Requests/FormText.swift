/// One value of a form, read as what a type wants of it.
struct FormText: SingleValueDecodingContainer, Decoder {
    let text: String
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let scalar = type as? any LosslessStringConvertible.Type {
            guard let value = scalar.init(text) as? Value else {
                throw DecodingError.typeMismatch(
                    type, DecodingError.Context(codingPath: codingPath, debugDescription: "'\(text)' is no \(type)"))
            }
            return value
        }
        return try Value(from: self)
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch text {
        case "true", "1", "on": true
        case "false", "0", "off": false
        default:
            throw DecodingError.typeMismatch(
                type, DecodingError.Context(codingPath: codingPath, debugDescription: "'\(text)' is no Bool"))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw DecodingError.typeMismatch(
            [String: String].self,
            DecodingError.Context(codingPath: codingPath, debugDescription: "'\(text)' has no fields"))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { FormList(texts: [text], codingPath: codingPath) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
