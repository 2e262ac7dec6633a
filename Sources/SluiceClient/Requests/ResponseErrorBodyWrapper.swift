/// The body of the errors that a strategy means.
@propertyWrapper
public struct ResponseErrorBodyWrapper<Body: Decodable, Strategy: ResponseErrorBodyDecodingStrategy> {
    public var wrappedValue: Body?

    public init(wrappedValue: Body? = nil) {
        self.wrappedValue = wrappedValue
    }
}

extension ResponseErrorBodyWrapper: Decodable, ResponsePart {
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? AnswerDecoder else {
            wrappedValue = try Body(from: decoder)
            return
        }
        let answer = decoder.reading.answer
        guard Strategy.isError(statusCode: answer.status) else { return }
        decoder.places.hasErrorBody = true
        if !answer.body.isEmpty { wrappedValue = try decoder.reading.body(Body.self) }
    }
}

extension ResponseErrorBodyWrapper: Sendable where Body: Sendable {}
