internal import SluiceContract

/// One place in a stack of codings: a decoder of each kind that has been used here, and the bytes that wait to be
/// decoded.
final class Slot {
    private var inflater: Inflater?
    private var brotli: BrotliDecoder?
    private var zstd: ZstdDecoder?
    private var coding = ContentCoding.gzip
    /// Bytes of this body that this coding has produced.
    private(set) var produced = 0
    /// Buffer for the bytes that the outer coding has produced; only allocated if there is one.
    private var between: UnsafeMutableRawBufferPointer?
    private var position = 0
    private var end = 0

    deinit { between?.deallocate() }

    func begin(_ coding: ContentCoding) {
        self.coding = coding
        produced = 0
        position = 0
        end = 0
        switch coding {
        case .gzip, .deflate:
            if inflater == nil { inflater = Inflater() }
            inflater?.restart(coding)
        case .brotli:
            if brotli == nil { brotli = BrotliDecoder() }
            brotli?.restart()
        case .zstd:
            if zstd == nil { zstd = ZstdDecoder() }
            zstd?.restart()
        }
    }

    func rest() {
        zstd?.rest()
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> DecoderStep {
        let step =
            switch coding {
            case .gzip, .deflate: try inflater?.step(input, into: output)
            case .brotli: try brotli?.step(input, into: output)
            case .zstd: try zstd?.step(input, into: output)
            }
        guard let step else { preconditionFailure("a coding without its decoder") }
        produced += step.produced
        return step
    }

    /// Whether the body may end here.
    var isAtEnd: Bool {
        guard position == end else { return false }
        switch coding {
        case .gzip, .deflate: return inflater?.isAtEnd == true
        case .brotli: return brotli?.isAtEnd == true
        case .zstd: return zstd?.isAtEnd == true
        }
    }

    // MARK: - In front of it

    var waiting: UnsafeRawBufferPointer {
        guard let between else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(between)[position..<end])
    }

    func consume(_ count: Int) {
        position += count
    }

    /// The buffer for more bytes; all waiting ones have to be consumed before.
    func room(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
        precondition(position == end, "what waits has to go first")
        if let between { return between }
        let made = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
        between = made
        return made
    }

    func filled(_ count: Int) {
        position = 0
        end = count
    }
}
