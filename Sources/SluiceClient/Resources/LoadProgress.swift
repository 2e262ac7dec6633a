/// How much of an answer has come.
public struct LoadProgress: Hashable, Sendable {
    /// Bytes so far.
    public var received: Int
    /// Bytes in all, where the answer says so (RFC 9110 §8.6).
    public var expected: Int?

    /// So many bytes, of how many.
    public init(received: Int = 0, expected: Int? = nil) {
        self.received = received
        self.expected = expected
    }

    /// Between 0 and 1; nil if the length is unknown.
    public var fraction: Double? {
        expected.map { $0 > 0 ? min(Double(received) / Double($0), 1) : 1 }
    }
}
