internal import CBrotli

/// Encodes br with libbrotli.
final class BrotliEncoder: EncoderStage {
    /// About as fast as gzip, with shorter output.
    private static let quality: UInt32 = 4
    /// 256 KiB: enough, because longer content repeats itself within that distance.
    private static let windowBits: UInt32 = 18

    private let memory = SpareBlocks()
    private var encoder: OpaquePointer?

    deinit { BrotliEncoderDestroyInstance(encoder) }

    func restart() -> Bool {
        BrotliEncoderDestroyInstance(encoder)
        encoder = BrotliEncoderCreateInstance(
            { SpareBlocks.take($0, bytes: $1) }, { SpareBlocks.giveBack($0, block: $1) },
            Unmanaged.passUnretained(memory).toOpaque())
        guard let encoder else { return false }
        BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, Self.quality)
        BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN, Self.windowBits)
        return true
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isEnd: Bool
    ) -> EncoderStep? {
        guard let encoder else { return nil }
        var (left, room) = (input.count, output.count)
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var place = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let operation = isEnd ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS
        guard BrotliEncoderCompressStream(encoder, operation, &left, &next, &room, &place, nil) != 0 else { return nil }
        let isDone = isEnd ? BrotliEncoderIsFinished(encoder) != 0 : left == 0 && room > 0
        return EncoderStep(consumed: input.count - left, produced: output.count - room, isDone: isDone)
    }
}
