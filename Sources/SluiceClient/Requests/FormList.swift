/// The values of a name that repeats in a form.
struct FormList: UnkeyedDecodingContainer {
    let texts: [String]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { texts.count }
    var isAtEnd: Bool { currentIndex >= texts.count }

    init(texts: [String], codingPath: [any CodingKey]) {
        self.texts = texts
        self.codingPath = codingPath
    }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().decode(type)
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try next().decode(type)
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> FormText {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                String.self, DecodingError.Context(codingPath: codingPath, debugDescription: "the list is at its end"))
        }
        guard codingPath.count < FormFields.depthMax else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: codingPath, debugDescription: "the type goes on without end"))
        }
        defer { currentIndex += 1 }
        return FormText(text: texts[currentIndex], codingPath: codingPath + [WireKey(index: currentIndex)])
    }
}
