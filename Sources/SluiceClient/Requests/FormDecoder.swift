/// Reads a type from the fields of a form.
struct FormDecoder: Decoder {
    private let fields: FormFields
    private let keys: KeyCoding
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// - Throws: `DecodingError` where names nest too deep.
    init(_ items: QueryItems, keys: KeyCoding) throws {
        guard let fields = FormFields(items) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: "names nest deeper than \(FormFields.depthMax) levels"))
        }
        self.init(fields, keys, [])
    }

    private init(_ fields: FormFields, _ keys: KeyCoding, _ codingPath: [any CodingKey]) {
        self.fields = fields
        self.keys = keys
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields<Key>(form: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        FormList(texts: fields.texts, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard let text = fields.texts.last else {
            let name = codingPath.last?.stringValue ?? ""
            throw DecodingError.valueNotFound(
                String.self, DecodingError.Context(codingPath: codingPath, debugDescription: "no field '\(name)'"))
        }
        return FormText(text: text, codingPath: codingPath)
    }

    private func below(_ key: any CodingKey) -> FormDecoder? {
        fields[keys.name(key.stringValue)].map { FormDecoder($0, keys, codingPath + [key]) }
    }

    private struct Fields<Key: CodingKey>: ScalarKeyedContainer {
        let form: FormDecoder
        var codingPath: [any CodingKey] { form.codingPath }

        var allKeys: [Key] { form.fields.names.compactMap { Key(stringValue: form.keys.property($0)) } }

        func contains(_ key: Key) -> Bool { form.below(key) != nil }

        func decodeNil(forKey key: Key) -> Bool { !contains(key) }

        func value<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try Value(from: superDecoder(forKey: key))
        }

        func superDecoder() -> any Decoder { form }

        func superDecoder(forKey key: Key) throws -> any Decoder {
            guard let inner = form.below(key) else {
                throw DecodingError.keyNotFound(
                    key,
                    DecodingError.Context(codingPath: codingPath, debugDescription: "no field '\(key.stringValue)'"))
            }
            return inner
        }
    }
}
