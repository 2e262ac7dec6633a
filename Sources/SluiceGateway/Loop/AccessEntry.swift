public import SluiceContract

/// What the access log says of an exchange.
public struct AccessEntry: ~Copyable {
    public let client: [UInt8]
    public let method: UnsafeRawBufferPointer
    public let target: UnsafeRawBufferPointer
    public let status: Int
    /// Bytes of the answer's body.
    public let bytes: Int
    public let nanoseconds: UInt64
    public let binding: String?
    public let problem: Problem.Kind?
    /// The name under `clients:` whose key came with the request.
    public let clientName: String?
    /// What the upstream was shown for the answer, now or when it was stored.
    public let credential: String?
    /// Where requests are traced.
    public var traceID: TraceID?
}
