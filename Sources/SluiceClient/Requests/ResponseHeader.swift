/// A header field of the answer: `@ResponseHeader<DefaultHeaderStrategy> var contentType: String`.
///
/// The property's name stands for the field's, without hyphens and case; a coding key can say another.
@propertyWrapper
public struct ResponseHeader<Strategy: ResponseHeaderDecodingStrategy>: Sendable {
    /// The value, as the strategy has it.
    public var wrappedValue: Strategy.RawValue

    /// A value of a program's own, for tests.
    public init(wrappedValue: Strategy.RawValue) {
        self.wrappedValue = wrappedValue
    }
}

extension ResponseHeader: Decodable, ResponsePart where Strategy.RawValue: Decodable {
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? AnswerDecoder else {
            wrappedValue = try Strategy.RawValue(from: decoder)
            return
        }
        let name = HeaderName.folded(decoder.property)
        let values = decoder.reading.answer.fields.filter { HeaderName.folded($0.name) == name }.map(\.value)
        guard let value = Strategy.value(of: values) else {
            throw DecodingError.valueNotFound(
                Strategy.RawValue.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "the answer has no field '\(HeaderName.of(decoder.property))'"))
        }
        wrappedValue = value
    }
}
