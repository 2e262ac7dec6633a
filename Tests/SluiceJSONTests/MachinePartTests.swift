import CSIMD
import SluiceContract
import Testing

@testable import SluiceJSON

/// The machine's parts, each by itself.
@Suite struct MachinePartTests {
    // MARK: TokenReader

    /// A string is read to the same end, or to the same fault, wherever it is cut.
    @Test(arguments: [
        (#"plain" "#, "ended"), (#"a\n\u00e9\uD83D\uDE00" "#, "ended"), (#"a\x" "#, "escape"),
        (#"\uDE00" "#, "loneSurrogate"), ("a\u{1}\" ", "controlCharacter"), ("open", "cut"),
        (#"more than twenty-two bytes" "#, "tooLong"),
    ])
    func stringsAreReadAcrossChunks(_ text: String, _ expected: String) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var reader = TokenReader(
                JSONLimits(depth: 4, stringBytes: 22, keys: 4, documentBytes: 1 << 20))
            reader.token.begin(.string, at: bytes, offset: -1)
            var scan = TokenReader.StringScan.cut
            bytes.withUnsafeBufferPointer { all in
                guard let start = all.baseAddress else { return }
                var p = start
                scan = reader.scanString(&p, start + cut, Chunk(start: start))
                if case .cut = scan { scan = reader.scanString(&p, start + all.count, Chunk(start: start)) }
            }
            #expect(Self.name(scan) == expected, "cut at \(cut)")
            reader.deallocate()
        }
    }

    private static func name(_ scan: TokenReader.StringScan) -> String {
        switch scan {
        case .ended: "ended"
        case .cut: "cut"
        case .tooLong: "tooLong"
        case .broken(let fault): "\(fault)"
        }
    }

    // MARK: UTF8Proof

    /// Nothing behind the first ill-formed sequence may be looked at, and all before it may.
    @Test(arguments: [0, 1, 63, 64, 500, 1023, 1024, 3000])
    func proofEndsAtTheFirstIllFormedByte(_ place: Int) {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 4096)
        bytes[place] = 0xFF
        bytes.withUnsafeBufferPointer { all in
            guard let start = all.baseAddress else { return }
            var proof = UTF8Proof(.preferred, start)
            proof.begin(start)
            var near = start + place
            let isNearProven = proof.prove(to: &near)
            #expect(isNearProven && near == start + place && proof.illFormed == nil)
            var end = start + all.count
            let isProven = proof.prove(to: &end)
            #expect(!isProven && end == start + place && proof.illFormed == place)
        }
    }

    // MARK: TypeChecker

    @Test func faultsAreReportedUpToTheLimit() throws {
        let plan = try Plan("", .array(.int), reportCount: 2)
        var checker = TypeChecker(plan)
        let frames = FrameStack()
        defer { frames.deallocate() }
        let array = plan.tables.nodes + Int(plan.root)
        let element = plan.tables.nodes + Int(plan.tables.arrays[Int(array.pointee.array)].element)
        for offset in 0..<3 {
            let absent = checker.refuse(element, .bool, "bool true", offset, frames)
            #expect(absent == 0)
        }
        #expect(checker.faults.list.map(\.offset) == [0, 1])
        #expect(checker.faults.list.first?.name == "$" && checker.faults.failed == 1)
    }

    // MARK: FrameStack

    /// What an object has taken for its keys it gives back when it ends: the next one stands where it stood, and what
    /// is around it keeps its own.
    @Test(arguments: [1, 2, 3] as [Int32])
    func objectsGiveTheirKeysBack(_ words: Int32) {
        var frames = FrameStack()
        defer { frames.deallocate() }
        frames.pushObject(0, seenWords: 2, predicted: -1, offset: 0)
        frames.markSeen(65, frames.top, 2)
        for _ in 0..<2 {
            frames.pushObject(1, seenWords: words, predicted: -1, offset: 1)
            frames.popObject(words)
        }
        frames.pushObject(1, seenWords: 2, predicted: -1, offset: 2)
        let place = frames.top.pointee.seen_words
        let isSeenWithin = frames.isSeen(65, frames.top, 2)
        frames.popObject(2)
        let isSeenAround = frames.isSeen(65, frames.top, 2)
        #expect(place == 2)
        #expect(!isSeenWithin && isSeenAround)
    }

    // MARK: SliceEmitter

    @Test func collectionsArePutInBrackets() throws {
        let plan = try Plan([Extraction(path: try #require(FieldPath("*")), type: .array(.int))], types: [])
        var emitter = SliceEmitter(plan)
        defer { emitter.deallocate() }
        let frames = FrameStack()
        defer { frames.deallocate() }
        let collectors = TableRange(start: 0, count: 1)
        emitter.beginCollections(collectors, frames)
        #expect(emitter.slices.base[0].state == .open)
        emitter.endCollections(collectors)
        #expect(emitter.slices.base[0].state == .complete)
        var text: [UInt8] = []
        for number in 0..<emitter.pieces.count {
            let piece = try #require(emitter.pieces.base)[number]
            text += UnsafeRawBufferPointer(start: piece.base, count: piece.count)
        }
        #expect(String(decoding: text, as: UTF8.self) == "[]")
    }
}
