internal import CBrotli

/// Decodes br with libbrotli; without its "large window", which is not part of RFC 7932.
final class BrotliDecoder: DecoderStage {
    private let memory = SpareBlocks()
    private var decoder: OpaquePointer?
    private(set) var isAtEnd = false

    deinit { BrotliDecoderDestroyInstance(decoder) }

    /// The library cannot reset a decoder; a new one is made in the memory of the old.
    func restart() {
        BrotliDecoderDestroyInstance(decoder)
        decoder = BrotliDecoderCreateInstance(
            { SpareBlocks.take($0, bytes: $1) }, { SpareBlocks.giveBack($0, block: $1) },
            Unmanaged.passUnretained(memory).toOpaque())
        isAtEnd = false
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> DecoderStep {
        guard let decoder else { throw .memory }
        if isAtEnd {
            if input.isEmpty { return DecoderStep() }
            throw .trailing
        }
        var (left, room) = (input.count, output.count)
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var place = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = BrotliDecoderDecompressStream(decoder, &left, &next, &room, &place, nil)
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: isAtEnd = true
        case BROTLI_DECODER_RESULT_ERROR:
            // Codes from -21 to -30 mean that memory could not be allocated.
            let code = BrotliDecoderGetErrorCode(decoder).rawValue
            throw (-30 ... -21).contains(code) ? .memory : .malformed
        default: break
        }
        return DecoderStep(consumed: input.count - left, produced: output.count - room)
    }
}
