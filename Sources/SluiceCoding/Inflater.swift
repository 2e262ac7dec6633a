internal import CZlib
internal import SluiceContract

/// Decodes gzip and deflate with zlib. A gzip body may have several members (RFC 1952 §2.2).
final class Inflater: DecoderStage {
    private var stream = z_stream()
    private var state = State.ended
    private var isInitialised = false
    private var isGzip = true

    private enum State {
        /// Nothing has been read yet.
        case start
        case inside
        /// A member of gzip, or all of a deflate body, has been read to its end.
        case ended
    }

    deinit {
        if isInitialised { inflateEnd(&stream) }
    }

    var isAtEnd: Bool { state == .ended }

    func restart(_ coding: ContentCoding) {
        isGzip = coding == .gzip
        state = .start
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> DecoderStep {
        if state != .inside {
            guard let first = input.first else { return DecoderStep() }
            try begin(with: first)
        }
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(clamping: output.count)
        let given = (stream.avail_in, stream.avail_out)
        let result = inflate(&stream, Z_NO_FLUSH)
        let step = DecoderStep(consumed: Int(given.0 - stream.avail_in), produced: Int(given.1 - stream.avail_out))
        switch result {
        // Z_BUF_ERROR: there was nothing to do, which is no error.
        case Z_OK, Z_BUF_ERROR: return step
        case Z_STREAM_END:
            state = .ended
            return step
        case Z_NEED_DICT: throw .dictionary
        case Z_MEM_ERROR: throw .memory
        default: throw .malformed
        }
    }

    /// Takes the first byte of a body, or the first byte behind the end of a member or body.
    private func begin(with first: UInt8) throws(CodingFault) {
        if state == .ended {
            // RFC 1952 §2.3.1: a member begins with 0x1F 0x8B.
            guard isGzip, first == 0x1F else { throw .trailing }
            guard inflateReset(&stream) == Z_OK else { throw .malformed }
        } else {
            try makeReady(windowBits: isGzip ? 15 + 16 : Self.isZlib(first) ? 15 : -15)
        }
        state = .inside
    }

    /// The first byte of RFC 1950 tells the method, 8, and a window of at most 32 KiB. Bare deflate (RFC 1951) that
    /// began with such a byte would be a stored block with bits set in its padding, which no encoder writes.
    private static func isZlib(_ first: UInt8) -> Bool {
        first & 0x0F == 8 && first >> 4 <= 7
    }

    private func makeReady(windowBits: Int32) throws(CodingFault) {
        if isInitialised {
            guard inflateReset2(&stream, windowBits) == Z_OK else { throw .memory }
        } else {
            guard czlib_inflate_init(&stream, windowBits) == Z_OK else { throw .memory }
            isInitialised = true
        }
    }
}
