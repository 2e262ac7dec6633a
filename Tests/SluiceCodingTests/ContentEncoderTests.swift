import SluiceContract
import Testing

@testable import SluiceCoding

/// What is coded here is decoded to the same bytes, however it is fed.
@Suite struct ContentEncoderTests {
    static func encode(
        _ bytes: [UInt8], _ coding: ContentCoding, piece: Int, room: Int, encoder: ContentEncoder = ContentEncoder()
    ) throws -> [UInt8] {
        #expect(encoder.begin(coding))
        var coded: [UInt8] = []
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
        defer { output.deallocate() }
        var rest = bytes[...]
        repeat {
            var part = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            while true {
                let progress = try #require(
                    part.withUnsafeBytes { encoder.encode($0, into: output, isEnd: rest.isEmpty) })
                coded += output.prefix(progress.produced)
                part.removeFirst(progress.consumed)
                if progress.isDone { break }
            }
        } while !rest.isEmpty
        return coded
    }

    @Test(arguments: ContentCoding.allCases, [0, 1, 3000, 300_000])
    func whatIsCodedIsDecoded(_ coding: ContentCoding, _ count: Int) throws {
        let document = count == 0 ? [] : Coder.document(count)
        for (piece, room) in [(1 << 20, 1 << 16), (1000, 1 << 16), (777, 100)] {
            let coded = try Self.encode(document, coding, piece: piece, room: room)
            #expect(Decoded(coded, CodingStack(coding)) == Decoded(document))
            if count > 1000 { #expect(coded.count < count / 3) }
        }
    }

    @Test func encodersAreUsedAgain() throws {
        let encoder = ContentEncoder()
        let document = Coder.document(2000)
        for coding in ContentCoding.allCases + ContentCoding.allCases {
            // One that is given up in the middle.
            #expect(encoder.begin(coding))
            let coded = try Self.encode(document, coding, piece: 500, room: 1000, encoder: encoder)
            #expect(Decoded(coded, CodingStack(coding)) == Decoded(document))
        }
    }
}
