import SluiceContract
import SluiceJSON

/// All that can be seen of one run over a document.
struct Run: Equatable, CustomStringConvertible {
    var slices: [String]
    var states: [SliceState]
    var faults: [Problem.Fault]
    var isSyntax: Bool

    /// Feeds the document in pieces that end at `cuts`.
    init(_ plan: Plan, _ document: [UInt8], cuts: [Int] = [], reusing extractor: Extractor? = nil) {
        let extractor = extractor ?? Extractor(plan)
        extractor.reset(plan)
        var slices = Array(repeating: [UInt8](), count: plan.extractions.count)
        func take() {
            for piece in extractor.pieces {
                slices[piece.slice] += UnsafeRawBufferPointer(start: piece.base, count: piece.count)
            }
            extractor.clearPieces()
        }
        var start = 0
        let longest = zip(cuts + [document.count], [0] + cuts).map { $0 - $1 }.max() ?? 0
        let memory = GuardedMemory(capacity: longest)
        for cut in cuts + [document.count] {
            // A copy of its own, so that reading beyond the chunk or after it is gone shows.
            let chunk = memory.chunk(cut - start)
            document[start..<cut].withUnsafeBytes { chunk.copyMemory(from: $0) }
            extractor.feed(UnsafeRawBufferPointer(chunk))
            take()
            chunk.initializeMemory(as: UInt8.self, repeating: 0xFF)
            start = cut
        }
        extractor.finish()
        take()
        faults = extractor.faults
        isSyntax = extractor.failureIsSyntax
        states = plan.extractions.indices.map { extractor.state(of: $0) }
        // What a failed run has shown depends on where chunks end: nothing may be made of it.
        self.slices = extractor.isFailed ? [] : slices.map { String(decoding: $0, as: UTF8.self) }
    }

    /// In chunks that are too short for a list of offsets, so that all goes through the functions for single bytes.
    static func byteByByte(_ plan: Plan, _ document: [UInt8]) -> Run {
        Run(plan, document, cuts: Array(stride(from: 1, to: document.count, by: 40)))
    }

    init(_ plan: Plan, _ document: String) {
        self.init(plan, Array(document.utf8))
    }

    var description: String {
        "slices \(slices), states \(states), syntax \(isSyntax), faults "
            + faults.map { "\($0.name)@\($0.offset ?? -1): expected \($0.expected), found \($0.found)" }
            .joined(separator: "; ")
    }

    /// The ways in which the document is cut that give another result than the whole; a few are enough to see.
    static func deviations(_ plan: Plan, _ document: [UInt8]) -> [String] {
        let whole = Run(plan, document)
        let extractor = Extractor(plan)
        var deviations: [String] = []
        func compare(_ cuts: [Int]) {
            if deviations.count >= 3 { return }
            let run = Run(plan, document, cuts: cuts, reusing: extractor)
            if run != whole { deviations.append("cuts \(cuts.prefix(8)): \(run)\n    whole: \(whole)") }
        }
        if document.count <= 2_000 {
            for cut in 0...document.count { compare([cut]) }
            compare(Array(0..<document.count))
        }
        var random = Seeded(state: 0x51_01CE)
        for _ in 0..<16 { compare(random.cuts(of: document.count)) }
        return deviations
    }
}

/// SplitMix64: the same cuts on every run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Places to cut `count` bytes at, in order; near ones and far ones.
    mutating func cuts(of count: Int) -> [Int] {
        var cuts: [Int] = []
        let longest = [3, 20, 300, 70_000][Int.random(in: 0..<4, using: &self)]
        var place = 0
        while cuts.count < 20_000 {
            place += Int.random(in: 1...longest, using: &self)
            if place >= count { break }
            cuts.append(place)
        }
        return cuts
    }
}
