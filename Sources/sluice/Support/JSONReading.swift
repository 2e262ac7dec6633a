internal import FoundationEssentials

/// What other programs say in JSON, as values of the command's own types.
enum JSONReading {
    /// - Parameter isSnakeCase: whether names of members are `words_like_these`.
    /// - Throws: `DecodingError` where it is something else.
    static func value<Value: Decodable>(
        _ type: Value.Type, of bytes: [UInt8], isSnakeCase: Bool = false
    ) throws -> Value {
        let decoder = JSONDecoder()
        if isSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        return try decoder.decode(type, from: Data(bytes))
    }
}
