public import SluiceContract

/// How much one HTTP/2 connection may make us keep, and how often it may ask for what costs us more than it.
public struct HTTP2Limits: Sendable {
    /// Streams open at a time (SETTINGS_MAX_CONCURRENT_STREAMS, RFC 9113 §6.5.2).
    public var streams: Int
    /// Bytes of content that one stream may send before some are taken (SETTINGS_INITIAL_WINDOW_SIZE).
    public var windowBytes: Int
    /// Streams that may end early before the connection does: reset by the client, or by us for its faults.
    public var resets: Int
    /// Frames that carry neither a request nor content, beyond what requests and answers make necessary.
    public var controlFrames: Int
    /// CONTINUATION frames of one field section.
    public var continuations: Int
    /// Method and `:path`, bytes.
    public var requestLineBytes: Int
    /// All fields of one section, bytes.
    public var headerBytes: Int
    /// Fields of one section.
    public var headerCount: Int
    /// Trailer section, bytes.
    public var trailerBytes: Int
    /// Interim responses before the final one.
    public var interimCount: Int

    /// For connections of clients.
    public init(_ limits: Limits) {
        streams = limits.http2Streams
        // RFC 9113 §6.9.1.
        windowBytes = min(max(limits.http2WindowBytes, 1), Int(Int32.max))
        resets = limits.http2Resets
        controlFrames = limits.http2ControlFrames
        continuations = limits.http2Continuations
        requestLineBytes = min(limits.requestLineBytes, 1 << 30)
        // Offsets in a head are 32-bit.
        headerBytes = min(limits.headerBytes, 1 << 30)
        headerCount = limits.headerCount
        trailerBytes = min(limits.trailerBytes, 1 << 30)
        interimCount = limits.interimCount
    }

    /// For connections to upstreams: as much may wait of one answer as may wait for its client.
    public init(towardsUpstreams limits: Limits) {
        self.init(limits)
        // What comes of a call stands in them (gRPC).
        trailerBytes = headerBytes
        windowBytes = min(max(limits.bufferedBytes, 1 << 14), Int(Int32.max))
    }
}
