import SluiceContract

@testable import SluiceCoding

/// What comes out of a decoder that is fed in pieces, and why it stopped.
struct Decoded: Equatable {
    var bytes: [UInt8] = []
    var fault: CodingFault?

    /// - Parameters:
    ///   - cuts: where the input is cut.
    ///   - room: bytes that each call may write.
    init(
        _ input: [UInt8], _ codings: CodingStack, cuts: [Int] = [], room: Int = 1 << 16,
        limits: DecodingLimits = DecodingLimits(decodedBytes: 1 << 30, ratio: 1 << 20),
        decoder: ContentDecoder = ContentDecoder()
    ) {
        decoder.begin(codings, limits: limits)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
        defer { output.deallocate() }
        do throws(CodingFault) {
            var start = 0
            for end in cuts + [input.count] {
                try feed(Array(input[start..<end]), decoder, output)
                start = end
            }
            try decoder.finish()
        } catch {
            fault = error
        }
    }

    /// The piece is a buffer of its own, gone after the call.
    private mutating func feed(
        _ piece: [UInt8], _ decoder: ContentDecoder, _ output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, piece.count), alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: piece)
        var rest = UnsafeRawBufferPointer(start: copy.baseAddress, count: piece.count)
        while true {
            let progress = try decoder.decode(rest, into: output)
            bytes += output.prefix(progress.produced)
            rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
            if progress.isStarved { return }
        }
    }
}
