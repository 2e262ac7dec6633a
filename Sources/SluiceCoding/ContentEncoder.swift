public import SluiceContract

/// Encodes one body after the other: bytes go in, runs of the coded body come out (RFC 9110 §8.4).
///
/// One instance per body being encoded, reusable; explicitly not Sendable. The settings suit a gateway: speed counts
/// more than the last percent of length.
public final class ContentEncoder {
    /// What one call did.
    public struct Progress: Equatable {
        public var consumed: Int
        public var produced: Int
        /// Whether all of the input was read and, at the end, all of the coded body was written. If false, there was no
        /// room.
        public var isDone: Bool
    }

    private var deflater: Deflater?
    private var brotli: BrotliEncoder?
    private var zstd: ZstdEncoder?
    private var stage: (any EncoderStage)?

    public init() {}

    /// Prepares for a body.
    /// - Returns: false if there is not enough memory.
    public func begin(_ coding: ContentCoding) -> Bool {
        let stage: any EncoderStage
        switch coding {
        case .gzip, .deflate:
            let own = deflater ?? Deflater()
            own.isGzip = coding == .gzip
            deflater = own
            stage = own
        case .brotli:
            let own = brotli ?? BrotliEncoder()
            brotli = own
            stage = own
        case .zstd:
            let own = zstd ?? ZstdEncoder()
            zstd = own
            stage = own
        }
        self.stage = stage
        return stage.restart()
    }

    /// Encodes from `input` into `output`, which must not be empty.
    /// - Parameter isEnd: whether nothing follows `input`. Once true, it has to stay true until the body is done.
    /// - Returns: nil if there is not enough memory.
    public func encode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isEnd: Bool
    ) -> Progress? {
        guard let step = stage?.step(input, into: output, isEnd: isEnd) else { return nil }
        return Progress(consumed: step.consumed, produced: step.produced, isDone: step.isDone)
    }
}
