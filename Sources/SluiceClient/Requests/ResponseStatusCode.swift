/// The status of the answer: `@ResponseStatusCode var statusCode`.
@propertyWrapper
public struct ResponseStatusCode: Sendable {
    /// 200 to 599.
    public var wrappedValue: Int

    /// A status of a program's own, for tests.
    public init(wrappedValue: Int = 0) {
        self.wrappedValue = wrappedValue
    }
}

extension ResponseStatusCode: Decodable, ResponsePart {
    public init(from decoder: any Decoder) throws {
        wrappedValue = try (decoder as? AnswerDecoder)?.reading.answer.status ?? Int(from: decoder)
    }
}
