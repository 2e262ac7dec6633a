import SluiceContract
import Testing

@testable import SluiceCoding

/// RFC 8878, with the window of RFC 9659.
@Suite struct ZstdDecoderTests {
    static let document = Coder.document(2000)
    static let codings = CodingStack(.zstd)

    /// RFC 8878 §3.1: frames follow each other; some are there to be skipped.
    @Test func framesAreJoined() {
        let half = Self.document.count / 2
        let coded =
            Coder.skippable([1, 2, 3]) + Coder.zstd(Array(Self.document[..<half])) + Coder.skippable([])
            + Coder.zstd([]) + Coder.zstd(Array(Self.document[half...]), isSized: false)
            + Coder.skippable([UInt8](repeating: 9, count: 1000))
        for cut in 0...coded.count {
            #expect(Decoded(coded, Self.codings, cuts: [cut]) == Decoded(Self.document))
        }
        #expect(Decoded(coded, Self.codings, cuts: Array(1..<coded.count), room: 5) == Decoded(Self.document))
        #expect(Decoded(Array(coded.dropLast()), Self.codings).fault == .truncated)
    }

    @Test(arguments: [true, false], [true, false])
    func framesComeInManyShapes(isSized: Bool, hasChecksum: Bool) {
        let coded = Coder.zstd(Self.document, isSized: isSized, hasChecksum: hasChecksum)
        for cut in 0...coded.count {
            #expect(Decoded(coded, Self.codings, cuts: [cut]) == Decoded(Self.document))
        }
    }

    /// RFC 9659 §3: 8 MiB and no more; and whether a frame is refused does not depend on where it is cut.
    @Test func largeWindowsAreRefused() {
        let most = Coder.zstd(Self.document, windowBits: 23, isSized: false)
        #expect(Decoded(most, Self.codings) == Decoded(Self.document))
        let tooLarge = Coder.zstd([UInt8](repeating: 1, count: 9 << 20), windowBits: 24)
        for cut in [0, 1, 5, 9, tooLarge.count] {
            #expect(Decoded(tooLarge, Self.codings, cuts: [cut], room: 16 << 20).fault == .window)
        }
    }

    /// The library decodes what it wrote before its format was settled; that is not for the network.
    @Test(arguments: [0x22, 0x25, 0x27, 0x1E] as [UInt8])
    func formatsOfItsYouthAreRefused(first: UInt8) {
        let coded = [first, 0xB5, 0x2F, 0xFD, 0, 0, 0, 0, 0]
        for cut in 0...coded.count {
            #expect(Decoded(coded, Self.codings, cuts: [cut]).fault == .malformed)
        }
    }

    /// RFC 8878 §3.1.1.1.3.
    @Test func dictionariesAreRefused() {
        // Magic number, a descriptor with a dictionary of one byte and a window, the window, the dictionary.
        let coded: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x01, 0x50, 0x07, 0x01, 0x00, 0x00]
        #expect(Decoded(coded, Self.codings).fault == .dictionary)
    }

    /// RFC 8878 §3.1.1: xxHash of the content.
    @Test func theChecksumIsChecked() {
        var coded = Coder.zstd(Self.document)
        coded[coded.count - 1] ^= 1
        #expect(Decoded(coded, Self.codings).fault == .malformed)
    }
}
