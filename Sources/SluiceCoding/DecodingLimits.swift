public import SluiceContract

/// Limits for decoding one body.
public struct DecodingLimits: Hashable, Sendable {
    /// The most bytes that any one coding of a body may produce.
    public var decodedBytes: Int
    /// The most decoded bytes for each coded byte. It applies beyond ``graceBytes``: a short text may well consist of
    /// repetitions.
    public var ratio: Int

    /// Decoded bytes up to which ``ratio`` does not apply.
    public static let graceBytes = 1 << 20

    public init(decodedBytes: Int, ratio: Int) {
        self.decodedBytes = decodedBytes
        self.ratio = ratio
    }

    /// The limits of the configuration.
    public init(_ limits: Limits = Limits()) {
        self.init(decodedBytes: limits.decodedBytes, ratio: limits.decodedRatio)
    }

    /// Throws if `produced` bytes out of `consumed` bytes are too many.
    func check(produced: Int, consumed: Int) throws(CodingFault) {
        if produced > decodedBytes { throw .size }
        if produced > Self.graceBytes, produced / ratio > consumed { throw .ratio }
    }
}
