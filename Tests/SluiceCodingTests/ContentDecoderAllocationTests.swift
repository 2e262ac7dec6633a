import CAllocations
import SluiceContract
import Testing

@testable import SluiceCoding

/// A decoder that has served one body allocates nothing for the next one like it.
@Suite struct ContentDecoderAllocationTests {
    /// What code that was not optimised allocates by itself for each body, at most.
    static let unoptimised = _isDebugAssertConfiguration() ? 64 : 0

    /// Of a large body, brotli's window is more than is kept from body to body (``SpareBlocks``); zstd's decoder is
    /// given up with its window (``ContentDecoder/rest()``), and both are made anew.
    static let ofLargeBody: [ContentCoding: Int] = [.brotli: 1, .zstd: 2]

    /// Decodes all of it, in pieces as they come from a socket, and hands nothing on.
    private static func decode(
        _ coded: [UInt8], _ codings: CodingStack, _ decoder: ContentDecoder, _ output: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        decoder.begin(codings, limits: DecodingLimits(decodedBytes: 1 << 30, ratio: 1 << 20))
        var produced = 0
        var start = 0
        while start < coded.count {
            let end = min(start + 4096, coded.count)
            var isStarved = false
            while !isStarved {
                let progress = try coded.withUnsafeBytes { bytes in
                    try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), into: output)
                }
                start += progress.consumed
                produced += progress.produced
                isStarved = progress.isStarved
            }
        }
        try decoder.finish()
        decoder.rest()
        return produced
    }

    /// Allocations for each body that a decoder serves but the first.
    private static func allocations(_ count: Int, _ codings: CodingStack) throws -> Int {
        let document = Coder.document(count)
        let coded = Coder.code(document, codings)
        let decoder = ContentDecoder()
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { output.deallocate() }
        #expect(try decode(coded, codings, decoder, output) == document.count)
        // What the runtime makes once for the process, whoever comes first, is not the decoder's.
        var least = Int.max
        for _ in 0..<3 {
            let before = allocations_of_thread()
            let produced = try decode(coded, codings, decoder, output)
            let after = allocations_of_thread()
            #expect(produced == document.count)
            least = min(least, after - before)
        }
        return least
    }

    @Test(
        .enabled(if: allocations_are_counted()),
        arguments: ContentCoding.allCases.map { CodingStack($0) } + [CodingStack(.gzip, .brotli, .zstd)])
    func nextBodyAllocatesNothing(_ codings: CodingStack) throws {
        let short = try Self.allocations(300, codings)
        #expect(short <= Self.unoptimised)
        // However long it is, and in however many pieces it comes.
        #expect(try Self.allocations(9_000, codings) == short)
        #expect(try Self.allocations(300_000, codings) == short)
    }

    @Test(.enabled(if: allocations_are_counted() && unoptimised == 0), arguments: ContentCoding.allCases)
    func largeBodyAllocatesItsWindow(_ coding: ContentCoding) throws {
        #expect(try Self.allocations(9_000_000, CodingStack(coding)) == Self.ofLargeBody[coding] ?? 0)
    }
}
