import TestBytes
import Testing

@testable import SluiceHTTP

@Suite struct InputBufferTests {
    /// Whatever is fed, read and settled, what is read is what was fed, and nothing is owned in the end.
    @Test(arguments: 1...20)
    func keepsBytesInOrder(_ seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        var buffer = InputBuffer()
        var fed: [UInt8] = []
        var read: [UInt8] = []
        for _ in 0..<300 {
            let piece = (0..<Int.random(in: 0...700, using: &random)).map { UInt8(truncatingIfNeeded: $0 + fed.count) }
            fed += piece
            Cuts.lend(piece[...]) { bytes in
                buffer.feed(bytes)
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let count = Int.random(in: 0...buffer.count, using: &random)
                    if count > 0, Bool.random(using: &random) {
                        read += buffer.take(count)
                    } else {
                        read += buffer.unread.part(0, count)
                        buffer.consume(count)
                    }
                }
                buffer.settle()
            }
            #expect(buffer.carriedCount == fed.count - read.count)
        }
        read += buffer.unread
        buffer.consume(buffer.count)
        buffer.settle()
        #expect(read == fed)
        #expect(buffer.carriedCount == 0)
    }

    /// What was handed out of the buffer's own memory can be written until the next feed, settled or not.
    @Test func handedOutBytesStay() {
        var buffer = InputBuffer()
        Cuts.lend(Array("abcdef".utf8)[...]) { bytes in
            buffer.feed(bytes)
            buffer.settle()
        }
        let first = buffer.take(4)
        buffer.settle()
        let second = buffer.take(2)
        buffer.settle()
        #expect(String(first) + String(second) == "abcdef")
        #expect(buffer.carriedCount == 0)
    }

    @Test func nothingIsCopiedWhereEverythingIsRead() {
        var buffer = InputBuffer()
        "abc".withBytes { bytes in
            buffer.feed(bytes)
            #expect(buffer.unread.baseAddress == bytes.baseAddress)
            #expect(buffer.carriedCount == 0)
            buffer.discardAll()
            buffer.settle()
        }
        #expect(buffer.unread.isEmpty)
    }
}
