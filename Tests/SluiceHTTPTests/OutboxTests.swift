import TestBytes
import Testing

@testable import SluiceHTTP
import Glibc

@Suite struct OutboxTests {
    private static func bytes(_ count: Int, _ letter: Character) -> [UInt8] {
        [UInt8](repeating: letter.asciiValue ?? 0, count: count)
    }

    @Test func emptyOwnsNothing() {
        var outbox = Outbox()
        outbox.append("")
        outbox.append([])
        outbox.borrow(.empty)
        let state = (outbox.isEmpty, outbox.count, outbox.firstRun.count)
        #expect(state == (true, 0, 0))
    }

    @Test func appendsInOrder() {
        var outbox = Outbox()
        outbox.append("one ")
        outbox.append(UInt8(ascii: "2"))
        outbox.append(Array(" three ".utf8))
        outbox.append(decimal: -450)
        outbox.append(" ")
        outbox.append(hexadecimal: 0xbeef)
        let text = outbox.text
        #expect(text == "one 2 three -450 beef")
        let count = outbox.count
        #expect(count == text.utf8.count)
    }

    @Test(arguments: [
        (0, "0", "0"), (9, "9", "9"), (10, "10", "a"), (255, "255", "ff"),
        (Int.max, "9223372036854775807", "7fffffffffffffff"), (Int.min, "-9223372036854775808", "8000000000000000"),
    ])
    func numbers(_ value: Int, _ decimal: String, _ hexadecimal: String) {
        var outbox = Outbox()
        outbox.append(decimal: value)
        outbox.append(UInt8.space)
        outbox.append(hexadecimal: value)
        let text = outbox.text
        #expect(text == decimal + " " + hexadecimal)
    }

    /// Copied runs next to each other are one; a borrowed run stands alone, unless it is short.
    @Test(arguments: [(256, 1), (257, 3)])
    func borrows(_ count: Int, _ runs: Int) {
        let body = Self.bytes(count, "b")
        body.withUnsafeBytes { body in
            var outbox = Outbox()
            outbox.append("a")
            outbox.borrow(body)
            outbox.append("c")
            let found = withUnsafeTemporaryAllocation(of: iovec.self, capacity: 8) { outbox.gather(into: $0) }
            #expect(found == runs)
            let text = outbox.text
            #expect(text == "a" + String(repeating: "b", count: count) + "c")
        }
    }

    @Test func gatherStopsWhereThereIsNoRoom() {
        let body = Self.bytes(300, "b")
        body.withUnsafeBytes { body in
            var outbox = Outbox()
            outbox.borrow(body)
            outbox.borrow(body)
            outbox.borrow(body)
            let found = withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { outbox.gather(into: $0) }
            #expect(found == 2)
        }
    }

    /// Behind `settle()` the borrowed bytes may change.
    @Test func settles() {
        var body = Self.bytes(1000, "b")
        var outbox = Outbox()
        body.withUnsafeMutableBytes { body in
            outbox.append("a")
            outbox.borrow(UnsafeRawBufferPointer(body))
            outbox.consume(301)
            outbox.settle()
            for index in body.indices { body[index] = 0 }
        }
        outbox.append("c")
        let text = outbox.text
        #expect(text == String(repeating: "b", count: 700) + "c")
    }

    /// Whatever was appended and consumed, what comes out is what went in.
    @Test(arguments: 1...20)
    func consumes(_ seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        let body = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed) }
        var expected: [UInt8] = []
        var written: [UInt8] = []
        body.withUnsafeBytes { body in
            var outbox = Outbox()
            for _ in 0..<400 {
                let start = Int.random(in: 0..<1000, using: &random)
                let piece = body.part(start, start + Int.random(in: 0...1000, using: &random))
                switch Int.random(in: 0..<7, using: &random) {
                case 0, 1:
                    outbox.append(piece)
                    expected += piece
                case 2, 3:
                    outbox.borrow(piece)
                    expected += piece
                case 4: outbox.settle()
                case 5:
                    var other = Outbox()
                    other.append(piece)
                    other.borrow(piece)
                    if Bool.random(using: &random) { other.settle() }
                    outbox.append(moving: &other)
                    expected += Array(piece) + Array(piece)
                default:
                    let run = outbox.firstRun
                    let taken = Int.random(in: 0...run.count, using: &random)
                    written += run.part(0, taken)
                    outbox.consume(taken)
                }
                #expect(outbox.count == expected.count - written.count)
            }
            while !outbox.isEmpty {
                let run = outbox.firstRun
                written += run
                outbox.consume(run.count)
            }
        }
        #expect(written == expected)
    }

    /// A reader that never quite catches up must not make the storage grow with all that has passed.
    @Test func slowReader() {
        var outbox = Outbox()
        let piece = Self.bytes(1000, "x")
        outbox.append(piece)
        for _ in 0..<10_000 {
            outbox.append(piece)
            outbox.consume(1000)
        }
        let state = (outbox.count, outbox.capacity < 8192)
        #expect(state == (1000, true))
    }

    @Test func writesInPlace() {
        var outbox = Outbox()
        outbox.append("<")
        outbox.append(upTo: 100) { buffer in
            buffer[0] = UInt8(ascii: "x")
            return 1
        }
        outbox.append(upTo: 100) { _ in 0 }
        outbox.append(">")
        let text = outbox.text
        #expect(text == "<x>")
    }
}
