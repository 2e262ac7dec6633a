/// A response that nothing is read from: the call has succeeded.
public struct EmptyResponse: Decodable, Sendable {
    /// The response of every success.
    public init() {}
}
