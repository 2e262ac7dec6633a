/// The cookies that the answer sets: `@ResponseCookies var cookies`.
@propertyWrapper
public struct ResponseCookies: Sendable {
    public var wrappedValue: [ResponseCookie]

    public init(wrappedValue: [ResponseCookie] = []) {
        self.wrappedValue = wrappedValue
    }
}

extension ResponseCookies: Decodable, ResponsePart {
    public init(from decoder: any Decoder) throws {
        guard let answer = (decoder as? AnswerDecoder)?.reading.answer else {
            wrappedValue = try [ResponseCookie](from: decoder)
            return
        }
        wrappedValue = answer.values(of: "Set-Cookie").compactMap(ResponseCookie.init)
    }
}
