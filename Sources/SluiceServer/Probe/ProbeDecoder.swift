internal import SluiceClient

/// A decoder without a document: see ``ProbeRun``.
struct ProbeDecoder: Decoder {
    let run: ProbeRun
    var path: [ProbeStep] = []
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ run: ProbeRun) {
        self.run = run
    }

    /// The decoder of a part.
    func part(_ step: ProbeStep, _ key: any CodingKey) -> ProbeDecoder {
        var part = self
        part.path.append(step)
        part.codingPath.append(key)
        return part
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        run.note(.keyed, at: path)
        return KeyedDecodingContainer(ProbeKeyedContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        run.note(.list, at: path)
        return ProbeList(decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        run.note(.single, at: path)
        return ProbeSingleValue(decoder: self)
    }
}

extension WireKey {
    /// What stands for every key of an object with free keys.
    static let any = WireKey("\u{1}any key")
}

/// One value that is no object and no list.
struct ProbeSingleValue: SingleValueDecodingContainer {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.run.isNull(at: decoder.path) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.run.value(type, at: decoder.path, codingPath)
    }
}

/// A list of one element; a type that asks for more gets more.
struct ProbeList: UnkeyedDecodingContainer {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { 1 }
    private(set) var currentIndex = 0
    var isAtEnd: Bool { currentIndex >= 1 }

    init(decoder: ProbeDecoder) {
        self.decoder = decoder
    }

    private mutating func next() -> ProbeDecoder {
        defer { currentIndex += 1 }
        return decoder.part(.element, WireKey(index: currentIndex))
    }

    mutating func decodeNil() -> Bool {
        let isNull = decoder.run.isNull(at: decoder.path + [.element])
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let element = next()
        return try element.run.value(type, at: element.path, element.codingPath)
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        let element = next()
        return try element.run.optional(type, at: element.path)
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { next() }
}

/// An object that has every key it is asked for.
struct ProbeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    /// One key where the type takes any; none where it knows its keys.
    var allKeys: [Key] {
        decoder.run.noteKeys()
        return Key(stringValue: WireKey.any.stringValue).map { [$0] } ?? []
    }

    private func part(_ key: any CodingKey) -> ProbeDecoder {
        let isAny = key.stringValue == WireKey.any.stringValue && decoder.run.looksForKeys
        return decoder.part(isAny ? .anyKey : .key(key.stringValue), key)
    }

    func contains(_ key: Key) -> Bool { decoder.run.contains(at: part(key).path) }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.run.isNull(at: part(key).path) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let part = part(key)
        return try decoder.run.value(type, at: part.path, part.codingPath)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try decoder.run.optional(type, at: part(key).path)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try part(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try part(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { part(WireKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { part(key) }
}
