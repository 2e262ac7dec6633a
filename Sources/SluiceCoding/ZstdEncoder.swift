internal import CZstd

/// Encodes zstd with libzstd.
final class ZstdEncoder: EncoderStage {
    private static let level: Int32 = 3
    /// 256 KiB: enough, because longer content repeats itself within that distance.
    private static let windowBits: Int32 = 18

    private var encoder: OpaquePointer?

    deinit { ZSTD_freeCCtx(encoder) }

    func restart() -> Bool {
        if let encoder { return ZSTD_isError(ZSTD_CCtx_reset(encoder, ZSTD_reset_session_only)) == 0 }
        encoder = ZSTD_createCCtx()
        ZSTD_CCtx_setParameter(encoder, ZSTD_c_compressionLevel, Self.level)
        ZSTD_CCtx_setParameter(encoder, ZSTD_c_windowLog, Self.windowBits)
        return encoder != nil
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isEnd: Bool
    ) -> EncoderStep? {
        guard let encoder else { return nil }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_compressStream2(encoder, &target, &source, isEnd ? ZSTD_e_end : ZSTD_e_continue)
        if ZSTD_isError(result) != 0 { return nil }
        let isDone = isEnd ? result == 0 : source.pos == source.size && target.pos < target.size
        return EncoderStep(consumed: source.pos, produced: target.pos, isDone: isDone)
    }
}
