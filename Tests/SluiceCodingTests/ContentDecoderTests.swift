import SluiceContract
import Testing

@testable import SluiceCoding

/// Every coding, whole and cut anywhere (RFC 9110 §8.4).
@Suite struct ContentDecoderTests {
    static let stacks = [
        CodingStack(.gzip), CodingStack(.deflate), CodingStack(.brotli), CodingStack(.zstd),
        CodingStack(.gzip, .brotli), CodingStack(.zstd, .deflate), CodingStack(.brotli, .zstd),
    ]

    @Test(arguments: stacks, [0, 1, 50, 700, 70_000])
    func whatWasCodedComesOut(_ codings: CodingStack, _ count: Int) {
        let document = count == 0 ? [] : Coder.document(count)
        let coded = Coder.code(document, codings)
        for room in [1, 3, 1000, 1 << 16] {
            #expect(Decoded(coded, codings, room: room) == Decoded(document))
        }
    }

    @Test(arguments: stacks)
    func everySplitPointIsAsGoodAsAnother(_ codings: CodingStack) {
        let document = Coder.document(700)
        let coded = Coder.code(document, codings)
        for cut in 0...coded.count {
            #expect(Decoded(coded, codings, cuts: [cut]) == Decoded(document))
        }
        #expect(Decoded(coded, codings, cuts: Array(1..<coded.count)) == Decoded(document))
        #expect(Decoded(coded, codings, cuts: Array(1..<coded.count), room: 1) == Decoded(document))
    }

    /// The end of the body is not the end of the content.
    @Test(arguments: stacks)
    func everyTruncationIsSeen(_ codings: CodingStack) {
        let coded = Coder.code(Coder.document(300), codings)
        for count in 1..<coded.count {
            let whole = Decoded(Array(coded[..<count]), codings)
            #expect(whole.fault == .truncated, "\(count) of \(coded.count) bytes")
            #expect(Decoded(Array(coded[..<count]), codings, cuts: Array(1..<count)) == whole)
        }
    }

    /// A message without content has no coding either, whatever its fields say.
    @Test(arguments: stacks)
    func noBytesAreNoContent(_ codings: CodingStack) {
        #expect(Decoded([], codings) == Decoded([UInt8]()))
    }

    @Test(arguments: stacks, [[0], [0x0A], Array("[1]".utf8)] as [[UInt8]])
    func trailingBytesAreRefused(_ codings: CodingStack, _ trailing: [UInt8]) {
        let document = Coder.document(300)
        let coded = Coder.code(document, codings) + trailing
        let whole = Decoded(coded, codings)
        #expect(whole.fault == .trailing)
        for cut in 0...coded.count {
            #expect(Decoded(coded, codings, cuts: [cut]).fault == .trailing)
        }
    }

    @Test(arguments: stacks)
    func garbageIsRefused(_ codings: CodingStack) {
        for text in [#"{"a": 1}"#, "<html>", "\u{0}\u{0}\u{0}\u{0}", "PK", String(repeating: "~", count: 100)] {
            let garbage = Array(text.utf8)
            let whole = Decoded(garbage, codings)
            #expect(whole.fault != nil, "\(text)")
            for cut in 0...garbage.count {
                #expect(Decoded(garbage, codings, cuts: [cut]).fault == whole.fault, "\(text) cut at \(cut)")
            }
        }
    }

    /// Whatever bit is turned: the verdict does not depend on the cuts.
    @Test(arguments: stacks)
    func turnedBitsAreJudgedAlike(_ codings: CodingStack) {
        let document = Coder.document(120)
        let coded = Coder.code(document, codings)
        for bit in 0..<coded.count * 8 {
            var damaged = coded
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let whole = Decoded(damaged, codings, limits: DecodingLimits(decodedBytes: 1 << 20, ratio: 200))
            let pieces = Decoded(
                damaged, codings, cuts: Array(1..<damaged.count), room: 7,
                limits: DecodingLimits(decodedBytes: 1 << 20, ratio: 200))
            #expect((whole.fault == nil) == (pieces.fault == nil), "bit \(bit): \(whole.fault) \(pieces.fault)")
            if whole.fault == nil { #expect(whole == pieces, "bit \(bit)") }
        }
    }

    // MARK: - Limits

    @Test(arguments: stacks)
    func bombsAreDefused(_ codings: CodingStack) {
        let bomb = Coder.code([UInt8](repeating: 0, count: 10_000_000), codings)
        let limits = DecodingLimits()
        let decoded = Decoded(bomb, codings, limits: limits)
        #expect(decoded.fault == .ratio)
        #expect(decoded.bytes.count <= DecodingLimits.graceBytes + limits.ratio * bomb.count + 1 << 16)
    }

    /// Of stacked codings each one is measured: what expands in the middle may come to nothing at the end.
    @Test func theMiddleIsMeasuredToo() {
        let empty = Coder.code([], .gzip)
        let members = Array(repeatElement(empty, count: 200_000).joined())
        let bomb = Coder.code(members, .zstd)
        #expect(Decoded(members, CodingStack(.gzip)) == Decoded([UInt8]()))
        #expect(Decoded(bomb, CodingStack(.gzip, .zstd), limits: DecodingLimits()).fault == .ratio)
    }

    @Test(arguments: stacks)
    func theSizeIsLimited(_ codings: CodingStack) {
        let document = Coder.document(5000)
        let coded = Coder.code(document, codings)
        let enough = DecodingLimits(decodedBytes: max(document.count, coded.count + 100), ratio: 200)
        #expect(Decoded(coded, codings, limits: enough) == Decoded(document))
        let tooLittle = DecodingLimits(decodedBytes: document.count - 1, ratio: 200)
        #expect(Decoded(coded, codings, limits: tooLittle).fault == .size)
    }

    /// Up to 1 MiB, nothing but repetitions is still a text.
    @Test(arguments: stacks)
    func aShortTextMayBeNothingButRepetitions(_ codings: CodingStack) {
        let zeros = [UInt8](repeating: 0x30, count: 1_000_000)
        #expect(Decoded(Coder.code(zeros, codings), codings, limits: DecodingLimits()) == Decoded(zeros))
    }

    // MARK: - Used again

    /// A decoder serves one body after the other, whatever became of the one before.
    @Test func decodersAreUsedAgain() {
        let decoder = ContentDecoder()
        let document = Coder.document(3000)
        for round in 0..<3 {
            for codings in Self.stacks {
                let coded = Coder.code(document, codings)
                #expect(Decoded(Array(coded.dropLast(round)), codings, decoder: decoder).fault != nil || round == 0)
                #expect(Decoded(coded, codings, decoder: decoder) == Decoded(document))
                decoder.rest()
            }
        }
    }
}

extension Decoded {
    /// Nothing wrong.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}
