import SluiceContract
import Testing

@testable import SluiceCoding

/// RFC 7932.
@Suite struct BrotliDecoderTests {
    static let document = Coder.document(20_000)
    static let codings = CodingStack(.brotli)

    @Test(arguments: [0, 1, 5, 9, 11] as [Int32], [10, 16, 24] as [Int32])
    func everyQualityAndWindowIsTaken(quality: Int32, windowBits: Int32) {
        let coded = Coder.brotli(Self.document, quality: quality, windowBits: windowBits)
        #expect(Decoded(coded, Self.codings, room: 999) == Decoded(Self.document))
    }

    /// The first bits of a stream with a "large window", which RFC 7932 §9.1 leaves out.
    @Test func largeWindowsAreRefused() {
        #expect(Decoded([0x11, 0x1E, 0x03], Self.codings).fault == .malformed)
    }

    /// What follows the last meta-block is no second stream.
    @Test func itEndsOnce() {
        let coded = Coder.code(Self.document, .brotli)
        #expect(Decoded(coded + coded, Self.codings).fault == .trailing)
    }
}
