internal import CZstd

/// Decodes zstd with libzstd. Several frames may follow each other, skippable ones too (RFC 8878 §3.1).
final class ZstdDecoder: DecoderStage {
    /// RFC 9659 §3: a window of more than 8 MiB is not for HTTP.
    private static let windowBits: Int32 = 23
    /// A decoder that has grown beyond this is not kept.
    private static let keptBytesMax = 1 << 20

    private var decoder: OpaquePointer?
    /// Bytes of the magic number that have been seen; 4 inside a frame.
    private var magicCount = 0
    private var isSkippable = false
    private var isAtBoundary = true
    /// Whether a frame has been read to its end.
    private var hasEnded = false
    /// Whether the last call filled its output, so that there may be more.
    private var mayHoldMore = false

    deinit { ZSTD_freeDCtx(decoder) }

    var isAtEnd: Bool { isAtBoundary && hasEnded }

    func restart() {
        if decoder == nil {
            decoder = ZSTD_createDCtx()
            ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, Self.windowBits)
        } else {
            ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only)
        }
        magicCount = 0
        isAtBoundary = true
        hasEnded = false
        mayHoldMore = false
    }

    /// Frees the decoder if a body made it large.
    func rest() {
        if ZSTD_sizeof_DCtx(decoder) <= Self.keptBytesMax { return }
        ZSTD_freeDCtx(decoder)
        decoder = nil
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> DecoderStep {
        guard let decoder else { throw .memory }
        // The library reports an error if it is called repeatedly without anything to do.
        if input.isEmpty, isAtBoundary || !mayHoldMore { return DecoderStep() }
        if isAtBoundary { magicCount = 0 }
        // The first byte of a frame is passed alone: if the library gets a whole frame, it decodes it without checking
        // its window size, but the result must not depend on where the input was cut.
        let count = isAtBoundary ? 1 : input.count
        try checkMagic(input.prefix(count))
        var source = ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_decompressStream(decoder, &target, &source)
        if ZSTD_isError(result) != 0 { throw Self.fault(result) }
        isAtBoundary = result == 0
        if isAtBoundary { hasEnded = true }
        mayHoldMore = target.pos == target.size
        return DecoderStep(consumed: source.pos, produced: target.pos)
    }

    /// Checks the magic number byte by byte (RFC 8878 §3.1.1 and §3.1.2): the library also accepts its legacy formats,
    /// which are not allowed on the network.
    private func checkMagic(_ input: Slice<UnsafeRawBufferPointer>) throws(CodingFault) {
        for byte in input.prefix(4 - magicCount) {
            let isRight: Bool
            if magicCount == 0 {
                isSkippable = byte & 0xF0 == 0x50
                isRight = isSkippable || byte == 0x28
            } else {
                let rest: (UInt8, UInt8, UInt8) = isSkippable ? (0x2A, 0x4D, 0x18) : (0xB5, 0x2F, 0xFD)
                isRight = byte == (magicCount == 1 ? rest.0 : magicCount == 2 ? rest.1 : rest.2)
            }
            guard isRight else { throw hasEnded ? .trailing : .malformed }
            magicCount += 1
        }
    }

    private static func fault(_ result: Int) -> CodingFault {
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_frameParameter_windowTooLarge: .window
        case ZSTD_error_dictionary_wrong, ZSTD_error_dictionary_corrupted: .dictionary
        case ZSTD_error_memory_allocation: .memory
        default: .malformed
        }
    }
}
