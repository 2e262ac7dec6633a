internal import SluiceJSON

/// JSON of other programs, as values of the command's own types.
enum JSONReading {
    struct Malformed: Error, CustomStringConvertible {
        var description: String { "it is no JSON" }
    }

    /// - Parameter isSnakeCase: whether names of members are `words_like_these`.
    /// - Throws: ``Malformed``, or `DecodingError` where it is something else.
    static func value<Value: Decodable>(
        _ type: Value.Type, of bytes: [UInt8], isSnakeCase: Bool = false, limits: JSONLimits = JSONLimits()
    ) throws -> Value {
        guard let tree = JSONTree(bytes, limits: limits) else { throw Malformed() }
        return try JSONTreeDecoder(tree, isSnakeCase: isSnakeCase).decode(type)
    }
}
