import TestBytes
import Testing

@testable import SluiceHTTP

/// What an outbox does when the memory that it borrows from is about to be used again.
@Suite struct OutboxSettleTests {
    /// A page of 1,000 bytes that count up from `start`.
    private static func read(into pages: InputPages, from start: UInt8 = 0) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer(rebasing: pages.memory.prefix(1000))
        pages.readCount = memory.count
        for index in memory.indices { memory[index] = start &+ UInt8(truncatingIfNeeded: index) }
        return UnsafeRawBufferPointer(memory)
    }

    private static func bytes(_ outbox: borrowing Outbox) -> [UInt8] {
        var bytes: [UInt8] = []
        outbox.forEachRun { run, _ in bytes += run }
        return bytes
    }

    /// Half of a page is worth to keep it; less is copied, and the page is used again.
    @Test(arguments: [(499, false), (500, true), (1000, true)])
    func keepsWhatIsWorthIt(count: Int, isKept: Bool) {
        let pages = InputPages(byteCount: 1000, readsPerPage: 1)
        let input = Self.read(into: pages)
        let expected = Array(input.prefix(count))
        var outbox = Outbox()
        outbox.borrow(input.part(0, count))
        outbox.settle(keepingIn: pages)
        let hasTurned = pages.turn()
        #expect(hasTurned == isKept)
        _ = Self.read(into: pages, from: 77)
        let bytes = Self.bytes(outbox)
        let copiedCount = outbox.copiedCount
        #expect(bytes == expected)
        #expect(copiedCount == (isKept ? 0 : count))
    }

    /// A run is borrowed until the outbox settles; the page that is kept then is the outbox's own.
    @Test(arguments: [499, 1000])
    func whatIsKeptIsNotBorrowed(count: Int) {
        let pages = InputPages(byteCount: 1000, readsPerPage: 1)
        let input = Self.read(into: pages)
        var outbox = Outbox()
        outbox.borrow(input.part(0, count))
        let before = outbox.isFirstRunBorrowed
        outbox.settle(keepingIn: pages)
        let after = outbox.isFirstRunBorrowed
        #expect(before && !after)
    }

    /// What stands elsewhere, such as in a machine's own memory, makes a copy of everything.
    @Test func keepsNoPageForBytesFromElsewhere() {
        let pages = InputPages(byteCount: 1000, readsPerPage: 1)
        let input = Self.read(into: pages)
        let other = [UInt8](repeating: 7, count: 600)
        let expected = other + Array(input)
        other.withUnsafeBytes { other in
            var outbox = Outbox()
            outbox.borrow(other)
            outbox.borrow(input)
            outbox.settle(keepingIn: pages)
            let hasTurned = pages.turn()
            let bytes = Self.bytes(outbox)
            #expect(!hasTurned)
            #expect(bytes == expected)
        }
    }

    /// The page goes back once the last byte has been taken, and serves again.
    @Test func givesThePageBack() {
        let pages = InputPages(byteCount: 1000, readsPerPage: 1)
        let first = pages.memory.baseAddress
        var outbox = Outbox()
        outbox.borrow(Self.read(into: pages))
        outbox.settle(keepingIn: pages)
        _ = pages.turn()
        let second = pages.memory.baseAddress
        #expect(second != first)
        outbox.consume(999)
        outbox.borrow(Self.read(into: pages))
        outbox.settle(keepingIn: pages)
        outbox.consume(1)
        _ = pages.turn()
        #expect(pages.memory.baseAddress == first)
        outbox.removeAll()
        #expect(!pages.turn())
    }

    /// Who is sent as much again once most of it is taken has no room for twice as much.
    @Test func slowReaderOfCopies() {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 20_000, alignment: 1)
        piece.initializeMemory(as: UInt8.self, repeating: 7)
        defer { piece.deallocate() }
        var outbox = Outbox()
        for _ in 0..<100 {
            outbox.borrow(UnsafeRawBufferPointer(piece))
            outbox.settle()
            outbox.consume(outbox.count - 1000)
        }
        let state = (outbox.count, outbox.capacity <= 27_000)
        #expect(state == (1000, true))
    }

    /// A reader that never quite catches up must not make the list of runs grow with all that has passed.
    @Test func slowReaderOfPages() {
        let pages = InputPages(byteCount: 1000, readsPerPage: 1)
        var outbox = Outbox()
        for _ in 0..<5_000 {
            outbox.borrow(Self.read(into: pages))
            outbox.settle(keepingIn: pages)
            _ = pages.turn()
            if outbox.count > 3_000 { outbox.consume(1000) }
        }
        let state = (outbox.count, outbox.segmentCapacity < 16)
        #expect(state == (3_000, true))
    }

    /// Settled again and again as it grows, it keeps the order of what was copied, kept, borrowed and moved.
    @Test(arguments: 1...40)
    func growsInManySteps(_ seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        let pages = InputPages(byteCount: 1000, readsPerPage: 1 + seed % 2)
        var outbox = Outbox()
        var expected: [UInt8] = []
        for step in 0..<120 {
            let input = Self.read(into: pages, from: UInt8(truncatingIfNeeded: step))
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let start = Int.random(in: 0..<500, using: &random)
                let piece = input.part(start, start + Int.random(in: 0...500, using: &random))
                expected += piece
                switch Int.random(in: 0..<4, using: &random) {
                case 0: outbox.append(piece)
                case 1:
                    var other = Outbox()
                    other.borrow(piece)
                    outbox.append(moving: &other)
                    let isEmpty = other.isEmpty
                    #expect(isEmpty)
                default: outbox.borrow(piece)
                }
            }
            outbox.settle(keepingIn: pages)
            _ = pages.turn()
            let taken = Int.random(in: 0...outbox.firstRun.count, using: &random)
            let run = Array(outbox.firstRun.prefix(taken))
            #expect(run == Array(expected.prefix(taken)))
            outbox.consume(taken)
            expected.removeFirst(taken)
            let count = outbox.count
            #expect(count == expected.count)
        }
        let bytes = Self.bytes(outbox)
        #expect(bytes == expected)
    }

    /// Many copied bytes change hands with the memory they are in; a few are copied once more.
    @Test(arguments: [(100, 100), (100_000, 0)])
    func movesStorage(count: Int, copied: Int) {
        var held = Outbox()
        held.append([UInt8](repeating: 1, count: count))
        var outbox = Outbox()
        outbox.append(moving: &held)
        let state = (held.isEmpty, held.capacity, outbox.count, outbox.copiedCount)
        #expect(state == (true, 0, count, copied))
        outbox.consume(count)
        let isEmpty = outbox.isEmpty
        #expect(isEmpty)
    }

    /// The last bytes of a page are copied, so that somebody else can use it.
    @Test func keepsNoPageForItsLastBytes() {
        let pages = InputPages(byteCount: 1000, readsPerPage: 1)
        let first = pages.memory.baseAddress
        var outbox = Outbox()
        let input = Self.read(into: pages)
        let expected = Array(input.suffix(30))
        outbox.borrow(input)
        outbox.settle(keepingIn: pages)
        _ = pages.turn()
        outbox.consume(960)
        outbox.settle()
        let isKept = outbox.copiedCount == 0
        outbox.consume(10)
        outbox.settle()
        let (bytes, isCopied) = (Self.bytes(outbox), outbox.copiedCount == 30)
        #expect(isKept && isCopied)
        #expect(bytes == expected)
        _ = Self.read(into: pages)
        var other = Outbox()
        other.borrow(UnsafeRawBufferPointer(pages.memory))
        other.settle(keepingIn: pages)
        _ = pages.turn()
        #expect(pages.memory.baseAddress == first)
    }
}
