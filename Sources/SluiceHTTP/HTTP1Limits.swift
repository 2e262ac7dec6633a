public import SluiceContract

/// How much of a message's framing one connection may make us keep.
public struct HTTP1Limits: Sendable {
    /// Request or status line, bytes.
    public var requestLineBytes: Int
    /// All field lines of one head, bytes.
    public var headerBytes: Int
    /// Field lines of one head.
    public var headerCount: Int
    /// Extensions of one chunk-size line, bytes; and what extensions may add up to beyond the data they come with.
    public var chunkExtensionBytes: Int
    /// Trailer section, bytes.
    public var trailerBytes: Int
    /// Interim (1xx) responses before the final one.
    public var interimCount: Int

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
