/// Gives the wrapped properties of a response what they ask of an answer.
///
/// It is handed to `init(from:)` of the response type, and by that to each wrapper.
final class AnswerDecoder: Decoder {
    /// What the properties read so far have taken.
    final class Places {
        /// Whether what may be nil is so, wrapped or not: to see what stands beside it.
        let takesNil: Bool
        var hasErrorBody = false
        /// Whether a wrapped property was read.
        fileprivate(set) var hasParts = false
        /// Whether something else was asked for.
        fileprivate(set) var wantsMembers = false
        /// Where that was by a property that may be nil.
        fileprivate(set) var plain: [any CodingKey]?

        /// Whether the type is that of the body itself: it looked for members, as a dictionary does, and has no wrapped
        /// property.
        var isBody: Bool { wantsMembers && !hasParts }

        init(takesNil: Bool) {
            self.takesNil = takesNil
        }
    }

    let reading: AnswerReading
    let places: Places
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    convenience init(_ reading: AnswerReading, takesNil: Bool = false) {
        self.init(reading, Places(takesNil: takesNil), [])
    }

    fileprivate init(_ reading: AnswerReading, _ places: Places, _ codingPath: [any CodingKey]) {
        self.reading = reading
        self.places = places
        self.codingPath = codingPath
    }

    /// The name of the property that is read, or of its coding key.
    var property: String { codingPath.last?.stringValue ?? "" }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Container<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw PropertyWithoutWrapper(path: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw PropertyWithoutWrapper(path: codingPath)
    }

    private struct Container<Key: CodingKey>: ScalarKeyedContainer {
        let decoder: AnswerDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }
        var allKeys: [Key] {
            decoder.places.wantsMembers = true
            return []
        }

        func contains(_ key: Key) -> Bool { true }

        func decodeNil(forKey key: Key) throws -> Bool {
            let path = codingPath + [key]
            decoder.places.wantsMembers = true
            guard decoder.places.takesNil else { throw PropertyWithoutWrapper(path: path) }
            decoder.places.plain = path
            return true
        }

        func value<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            guard type is any ResponsePart.Type else {
                decoder.places.wantsMembers = true
                throw PropertyWithoutWrapper(path: codingPath + [key])
            }
            decoder.places.hasParts = true
            return try Value(from: AnswerDecoder(decoder.reading, decoder.places, codingPath + [key]))
        }

        func superDecoder() -> any Decoder { decoder }
    }
}

/// A type that is no collection of wrapped properties: it is the type of the body itself, unless it has some beside.
struct PropertyWithoutWrapper: Error {
    /// Where something else was asked for.
    var path: [any CodingKey]
}

/// A wrapped property of a response.
protocol ResponsePart {}
