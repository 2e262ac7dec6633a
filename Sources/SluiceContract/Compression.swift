/// `compress:` of a binding: when a checked answer goes to the client in a content coding.
public struct Compression: Hashable, Sendable {
    /// Bytes; a shorter answer fits into one packet as it is, and is coded only for clients who take nothing else.
    public var minBytes: Int = 1 << 10
    /// What is offered, in the order of preference; it decides between codings that the client likes equally.
    public var codings: [ContentCoding] = [.zstd, .brotli, .gzip]

    public init() {}
}
