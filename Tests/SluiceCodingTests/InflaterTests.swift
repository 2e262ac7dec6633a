import SluiceContract
import Testing

@testable import SluiceCoding

/// gzip (RFC 1952) and deflate (RFC 1950, and RFC 1951 where servers get it wrong).
@Suite struct InflaterTests {
    static let document = Coder.document(2000)

    /// RFC 1952 §2.2: members follow each other with nothing in between; their contents are joined.
    @Test func membersAreJoined() {
        let half = Self.document.count / 2
        let parts = [Array(Self.document[..<half]), [], Array(Self.document[half...])]
        let coded = parts.flatMap { Coder.code($0, .gzip) }
        for cut in 0...coded.count {
            #expect(Decoded(coded, CodingStack(.gzip), cuts: [cut]) == Decoded(Self.document))
        }
        #expect(Decoded(Array(coded.dropLast()), CodingStack(.gzip)).fault == .truncated)
    }

    /// zlib's deflate has no members.
    @Test func deflateEndsOnce() {
        let coded = Coder.code(Self.document, .deflate)
        #expect(Decoded(coded + coded, CodingStack(.deflate)).fault == .trailing)
    }

    /// RFC 9110 §8.4.1.2: some send it without its wrapping.
    @Test(arguments: [0, 1, 6, 9] as [Int32])
    func bareDeflateIsTaken(level: Int32) {
        for bytes in [Self.document, [], [0x78], [UInt8](repeating: 7, count: 70_000)] {
            let coded = Coder.deflated(bytes, windowBits: -15, level: level)
            #expect(Decoded(coded, CodingStack(.deflate)) == Decoded(bytes))
            #expect(Decoded(coded, CodingStack(.deflate), cuts: Array(1..<min(coded.count, 300))) == Decoded(bytes))
        }
    }

    /// RFC 1950 §2.2: the window is of 256 bytes to 32 KiB.
    @Test(arguments: [9, 10, 12, 15] as [Int32], [0, 1, 6, 9] as [Int32])
    func wrappedDeflateOfAnyWindowIsTaken(windowBits: Int32, level: Int32) {
        let coded = Coder.deflated(Self.document, windowBits: windowBits, level: level)
        #expect(Decoded(coded, CodingStack(.deflate)) == Decoded(Self.document))
    }

    /// RFC 1950 §2.2 FDICT.
    @Test func dictionariesAreRefused() {
        // CMF 0x78, FLG with FDICT and a right check, a dictionary's Adler-32.
        #expect(Decoded([0x78, 0xBB, 0, 0, 0, 1], CodingStack(.deflate)).fault == .dictionary)
    }

    /// RFC 1952 §2.3: extra field, name, comment and header CRC may stand in front.
    @Test func optionalHeaderFieldsAreRead() {
        let plain = Coder.code(Self.document, .gzip)
        let extended =
            [0x1F, 0x8B, 8, 0b0000_1100, 0, 0, 0, 0, 0, 255] + [3, 0, 1, 2, 3] + Array("name\0".utf8) + plain[10...]
        #expect(Decoded(extended, CodingStack(.gzip)) == Decoded(Self.document))
        #expect(Decoded(extended, CodingStack(.gzip), cuts: Array(1..<40)) == Decoded(Self.document))
    }

    /// RFC 1952 §2.3.1: CRC-32 and length of what came out.
    @Test func theTrailerIsChecked() {
        let coded = Coder.code(Self.document, .gzip)
        for place in coded.count - 8..<coded.count {
            var damaged = coded
            damaged[place] ^= 0x10
            #expect(Decoded(damaged, CodingStack(.gzip)).fault == .malformed)
        }
    }
}
