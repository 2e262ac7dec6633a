/// The same answer, read once more as another response: what many responses have in common, such as their paging.
@propertyWrapper
public struct NestedResponse<Response: Decodable> {
    /// The response.
    public var wrappedValue: Response

    /// A response of a program's own, for tests.
    public init(wrappedValue: Response) {
        self.wrappedValue = wrappedValue
    }
}

extension NestedResponse: Decodable, ResponsePart {
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Response(from: decoder)
    }
}

extension NestedResponse: Sendable where Response: Sendable {}
