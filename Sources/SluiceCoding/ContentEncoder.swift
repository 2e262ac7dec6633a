public import SluiceContract

/// Puts a coding on one body after the other: bytes in, runs of the coded body out (RFC 9110 §8.4).
///
/// One instance per body at work, reusable; explicitly not Sendable. Its settings are those of a gateway, whose own
/// time counts more than the last percent of length.
public final class ContentEncoder {
    /// What one call did.
    public struct Progress: Equatable {
        public var consumed: Int
        public var produced: Int
        /// All of the input is used up; and, at the end, all of the coded body has come out. Else there was no room.
        public var isDone: Bool
    }

    private var deflater: Deflater?
    private var brotli: BrotliEncoder?
    private var zstd: ZstdEncoder?
    private var stage: (any EncoderStage)?

    public init() {}

    /// Makes ready for a body.
    /// - Returns: whether there is memory for it.
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

    /// Codes from `input` into `output`, which has room for some bytes.
    /// - Parameter isEnd: nothing follows `input`. Said once, it has to be said until the body is done.
    /// - Returns: nil where there is no memory.
    public func encode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isEnd: Bool
    ) -> Progress? {
        guard let step = stage?.step(input, into: output, isEnd: isEnd) else { return nil }
        return Progress(consumed: step.consumed, produced: step.produced, isDone: step.isDone)
    }
}
