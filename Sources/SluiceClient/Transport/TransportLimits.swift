internal import SluiceContract
internal import SluiceHTTP

/// How much a transport keeps and waits for.
public struct TransportLimits: Sendable, Hashable {
    /// Connections to the gateway at a time; so many calls are on their way at once.
    public var connections = 64
    /// Calls that may wait for a connection.
    public var waiting = 65_536
    /// How long an unused connection is kept. The gateway itself closes them after `limits.keep-alive` (75 s).
    public var idle = Duration.seconds(30)
    /// How long the gateway may take to accept a connection.
    public var connect = Duration.seconds(5)
    /// How long an answer that is read as a stream may be silent; nil where it may be so for ever.
    public var stall: Duration?
    /// Bytes of an answer that wait for their reader, and of a streamed request that wait for the gateway; the sender
    /// is held up beyond that.
    public var bufferedBytes = 64 << 10
    /// Bytes of all field lines of an answer's head.
    public var headBytes = 64 << 10
    /// Field lines of an answer's head.
    public var headFields = 256

    /// The usual limits.
    public init() {}

    var framing: HTTP1Limits {
        var limits = Limits()
        limits.headerBytes = headBytes
        limits.headerCount = headFields
        return HTTP1Limits(limits)
    }
}
