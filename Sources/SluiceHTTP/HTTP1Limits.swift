public import SluiceContract

/// How much of a message's framing one connection may make us keep. All connections share one object.
public final class HTTP1Limits: Sendable {
    /// Request or status line, bytes.
    public let requestLineBytes: Int
    /// All field lines of one head, bytes.
    public let headerBytes: Int
    /// Field lines of one head.
    public let headerCount: Int
    /// Extensions of one chunk-size line, bytes; also the limit on the total of extension bytes in excess of chunk
    /// data.
    public let chunkExtensionBytes: Int
    /// Trailer section, bytes.
    public let trailerBytes: Int
    /// Interim (1xx) responses before the final one.
    public let interimCount: Int

    public init(_ limits: Limits) {
        // Offsets in a head are 32-bit.
        requestLineBytes = min(limits.requestLineBytes, 1 << 30)
        headerBytes = min(limits.headerBytes, 1 << 30)
        headerCount = limits.headerCount
        chunkExtensionBytes = limits.chunkExtensionBytes
        trailerBytes = min(limits.trailerBytes, 1 << 30)
        interimCount = limits.interimCount
    }
}
