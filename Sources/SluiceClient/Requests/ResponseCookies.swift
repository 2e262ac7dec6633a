/// The cookies that the answer sets: `@ResponseCookies var cookies`.
@propertyWrapper
public struct ResponseCookies: Sendable {
    /// The cookies in the order they came.
    public var wrappedValue: [ResponseCookie]

    /// Cookies of a program's own, for tests.
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
