/// The body of the answers that a strategy means.
@propertyWrapper
public struct ResponseBodyWrapper<Body: Decodable, Strategy: ResponseBodyDecodingStrategy> {
    /// The body; nil where the answer is not one of those that are meant, or has no content.
    public var wrappedValue: Body?

    /// A body of a program's own, for tests.
    public init(wrappedValue: Body? = nil) {
        self.wrappedValue = wrappedValue
    }
}

extension ResponseBodyWrapper: Decodable, ResponsePart {
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? AnswerDecoder else {
            wrappedValue = try Body(from: decoder)
            return
        }
        let answer = decoder.reading.answer
        guard Strategy.validate(statusCode: answer.status) else { return }
        if answer.status >= 400 { decoder.places.hasErrorBody = true }
        if answer.body.isEmpty, Strategy.allowsEmptyContent(for: answer.status) { return }
        wrappedValue = try decoder.reading.body(Body.self)
    }
}

extension ResponseBodyWrapper: Sendable where Body: Sendable {}
