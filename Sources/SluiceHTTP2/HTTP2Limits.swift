public import SluiceContract

/// How much one HTTP/2 connection may make us keep, and how often it may do something that costs us more than the peer.
public struct HTTP2Limits: Sendable {
    /// Streams open at a time (SETTINGS_MAX_CONCURRENT_STREAMS, RFC 9113 §6.5.2).
    public var streams: Int
    /// Bytes of content that the peer may send on one stream before any are taken (SETTINGS_INITIAL_WINDOW_SIZE).
    public var windowBytes: Int
    /// Streams that may be reset, by the client or by us for its faults, before the connection is ended.
    public var resets: Int
    /// Frames that carry neither a request nor content, in excess of those that requests and answers need.
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

    /// The limits for connections of clients.
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

    /// The limits for connections to upstreams: as much of an answer may wait here as may be buffered for its client.
    public init(towardsUpstreams limits: Limits) {
        self.init(limits)
        // Trailers carry the outcome of a gRPC call.
        trailerBytes = headerBytes
        windowBytes = min(max(limits.bufferedBytes, 1 << 14), Int(Int32.max))
    }
}
