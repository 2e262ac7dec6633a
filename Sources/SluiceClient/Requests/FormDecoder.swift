/// Reads a type from the fields of a form: nested names as `outer[inner]`, lists as a name that repeats.
struct FormDecoder: Decoder {
    private let items: QueryItems
    private let keys: KeyCoding
    /// The name under which all of this stands; empty for the whole form.
    private let name: String
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ items: QueryItems, keys: KeyCoding) {
        self.init(items, keys, "", [])
    }

    private init(_ items: QueryItems, _ keys: KeyCoding, _ name: String, _ codingPath: [any CodingKey]) {
        self.items = items
        self.keys = keys
        self.name = name
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields<Key>(form: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        FormList(texts: texts, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard let text = texts.last else {
            throw DecodingError.valueNotFound(
                String.self, DecodingError.Context(codingPath: codingPath, debugDescription: "no field '\(name)'"))
        }
        return FormText(text: text, codingPath: codingPath)
    }

    private var texts: [String] {
        items.items.filter { $0.name == name || $0.name == "\(name)[]" }.map(\.value)
    }

    private func below(_ key: any CodingKey) -> FormDecoder {
        let field = keys.name(key.stringValue)
        return FormDecoder(items, keys, name.isEmpty ? field : "\(name)[\(field)]", codingPath + [key])
    }

    private var isPresent: Bool {
        items.items.contains { $0.name == name || $0.name.hasPrefix("\(name)[") }
    }

    private struct Fields<Key: CodingKey>: ScalarKeyedContainer {
        let form: FormDecoder
        var codingPath: [any CodingKey] { form.codingPath }

        var allKeys: [Key] {
            var seen: Set<String> = []
            return form.items.items.compactMap { item in
                let inner = form.name.isEmpty ? item.name[...] : item.name.dropFirst(form.name.count + 1)
                let field = String(inner.prefix { $0 != "[" && $0 != "]" })
                guard item.name.hasPrefix(form.name), seen.insert(field).inserted else { return nil }
                return Key(stringValue: form.keys.property(field))
            }
        }

        func contains(_ key: Key) -> Bool { form.below(key).isPresent }

        func decodeNil(forKey key: Key) -> Bool { !contains(key) }

        func value<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            guard contains(key) else {
                throw DecodingError.keyNotFound(
                    key,
                    DecodingError.Context(codingPath: codingPath, debugDescription: "no field '\(key.stringValue)'"))
            }
            return try Value(from: form.below(key))
        }

        func superDecoder() -> any Decoder { form }

        func superDecoder(forKey key: Key) -> any Decoder { form.below(key) }
    }
}
