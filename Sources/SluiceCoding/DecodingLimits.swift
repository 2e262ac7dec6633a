public import SluiceContract

/// What decoding one body may lead to.
public struct DecodingLimits: Hashable, Sendable {
    /// Bytes that come out of any one coding of a body.
    public var decodedBytes: Int
    /// Bytes that come out for each byte that went in. It counts from ``graceBytes`` on: a short text may well be
    /// nothing but repetitions.
    public var ratio: Int

    /// Bytes that may come out whatever went in.
    public static let graceBytes = 1 << 20

    public init(decodedBytes: Int, ratio: Int) {
        self.decodedBytes = decodedBytes
        self.ratio = ratio
    }

    /// The limits of the configuration.
    public init(_ limits: Limits = Limits()) {
        self.init(decodedBytes: limits.decodedBytes, ratio: limits.decodedRatio)
    }

    /// Throws where `produced` bytes out of `consumed` are too many.
    func check(produced: Int, consumed: Int) throws(CodingFault) {
        if produced > decodedBytes { throw .size }
        if produced > Self.graceBytes, produced / ratio > consumed { throw .ratio }
    }
}
