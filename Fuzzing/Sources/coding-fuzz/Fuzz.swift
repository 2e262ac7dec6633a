import SluiceCoding
import SluiceContract

/// What libFuzzer calls: the first byte chooses the codings, the next eight where the body is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 9 else { return 0 }
    let codings = stacks[Int(bytes[0]) % stacks.count]
    var seed: UInt64 = 0
    for index in 1...8 { seed = seed << 8 | UInt64(bytes[index]) }
    let body = UnsafeRawBufferPointer(start: bytes + 9, count: count - 9)
    let whole = Outcome(codings, body, cuts: [], room: 1 << 16)
    whole.expect(Outcome(codings, body, cuts: Cuts.random(of: body.count, seed), room: 1 + Int(seed % 5000)))
    whole.expect(Outcome(codings, body, cuts: Array(1..<body.count), room: 1 << 16))
    return 0
}

private nonisolated(unsafe) let decoder = ContentDecoder()

private let stacks = [
    CodingStack(.gzip), CodingStack(.deflate), CodingStack(.brotli), CodingStack(.zstd), CodingStack(.gzip, .gzip),
    CodingStack(.zstd, .gzip), CodingStack(.brotli, .deflate), CodingStack(.deflate, .brotli, .zstd),
]

/// All that can be seen of a run.
struct Outcome {
    var bytes: [UInt8] = []
    var fault: CodingFault?

    /// One decoder for all: what became of the body before may not show.
    init(_ codings: CodingStack, _ body: UnsafeRawBufferPointer, cuts: [Int], room: Int) {
        decoder.begin(codings, limits: DecodingLimits(decodedBytes: 4 << 20, ratio: 200))
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { output.deallocate() }
        do throws(CodingFault) {
            var start = 0
            for cut in cuts + [body.count] {
                try feed(UnsafeRawBufferPointer(rebasing: body[start..<cut]), output)
                start = cut
            }
            try decoder.finish()
        } catch {
            fault = error
        }
    }

    /// A copy of its own, so that AddressSanitizer sees what is read beyond a piece.
    private mutating func feed(
        _ piece: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyMemory(from: piece)
        var rest = UnsafeRawBufferPointer(copy)
        while true {
            let progress = try decoder.decode(rest, into: output)
            bytes += output.prefix(progress.produced)
            rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
            if progress.isStarved { return }
        }
    }

    /// The same verdict, and the same bytes where there is nothing wrong. Only where exactly a limit is met, and which
    /// of two faults is seen first, may depend on the pieces.
    func expect(_ other: Outcome) {
        if fault?.isLimit == true || other.fault?.isLimit == true { return }
        precondition(
            (fault == nil) == (other.fault == nil),
            "cut: \(String(describing: fault)) \(String(describing: other.fault))")
        precondition(fault != nil || bytes == other.bytes, "cut: other bytes")
    }
}

enum Cuts {
    /// Places to cut at, in order, the same for the same seed.
    static func random(of count: Int, _ seed: UInt64) -> [Int] {
        var state = seed | 1
        var place = 0
        var cuts: [Int] = []
        while true {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            place += Int(state >> 58) + 1
            if place >= count { return cuts }
            cuts.append(place)
        }
    }
}
