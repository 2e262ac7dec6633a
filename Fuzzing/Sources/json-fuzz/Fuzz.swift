import CSIMD
import CSIMDEmulated
import SluiceContract
import SluiceJSON

/// What libFuzzer calls: the first byte chooses the plan, the next eight where the document is cut and which kernel it is
/// tried with besides the widest.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 9 else { return 0 }
    let plan = Plans.all[Int(bytes[0]) % Plans.all.count]
    var seed: UInt64 = 0
    for index in 1...8 { seed = seed << 8 | UInt64(bytes[index]) }
    let made = UnsafeRawBufferPointer(start: bytes + 9, count: count - 9)
    Padding.pad(made, seed) { judge(plan, $0, seed) }
    return 0
}

private func judge(_ plan: Plan, _ document: UnsafeRawBufferPointer, _ seed: UInt64) {
    let whole = Outcome(plan, document, cuts: [])
    precondition(whole == Outcome(plan, document, cuts: Cuts.random(of: document.count, seed)), "cut: \(whole)")
    precondition(whole == Outcome(plan, document, cuts: Array(1..<document.count)), "byte by byte: \(whole)")
    let kernel = Kernels.all[Int((seed >> 16) % UInt64(Kernels.all.count))]
    precondition(whole == Outcome(plan, document, cuts: [], kernel), "\(String(cString: kernel.name)): \(whole)")
    // What keys were left out of or renamed in is still JSON.
    for slice in whole.slices where whole.faults.isEmpty && !slice.isEmpty {
        slice.withUnsafeBytes { Oracle.judge($0, isAccepted: true) }
    }
    if plan.extractions.count == 1, plan.extractions[0].path.components.isEmpty {
        Oracle.judge(document, isAccepted: !whole.isSyntax)
    }
}

/// The engine reads in windows of 12 KiB, and no document that a fuzzer makes up is that long. So some get a long run of
/// spaces behind their first bracket, where it changes nothing, and a window ends somewhere in what was made up.
enum Padding {
    private static let windowBytes = 12_288

    static func pad(_ made: UnsafeRawBufferPointer, _ seed: UInt64, _ body: (UnsafeRawBufferPointer) -> Void) {
        let brackets = [UInt8(ascii: "["), UInt8(ascii: "{")]
        guard (seed >> 32) % 4 == 0, let bracket = made.firstIndex(where: brackets.contains) else { return body(made) }
        let before = Int((seed >> 40) % UInt64(made.count + 1))
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: windowBytes - before)
        (Array(made[...bracket]) + spaces + Array(made[(bracket + 1)...])).withUnsafeBytes(body)
    }
}

/// Every set of instructions, as this machine has it and as plain C stands in for it.
enum Kernels {
    nonisolated(unsafe) static let all = list(sluice_json_kernel_at) + list(sluice_json_kernel_emulated_at)
    nonisolated(unsafe) static let widest = sluice_json_kernel_widest().pointee

    private static func list(_ at: (Int) -> UnsafePointer<sluice_json_kernel>?) -> [sluice_json_kernel] {
        var kernels: [sluice_json_kernel] = []
        while let kernel = at(kernels.count) { kernels.append(kernel.pointee) }
        return kernels
    }
}

/// All that can be seen of a run.
struct Outcome: Equatable {
    var slices: [[UInt8]] = []
    var states: [SliceState]
    var faults: [Problem.Fault]
    var isSyntax: Bool

    init(
        _ plan: Plan, _ document: UnsafeRawBufferPointer, cuts: [Int], _ kernel: sluice_json_kernel = Kernels.widest
    ) {
        let extractor = Extractor(plan, kernel: kernel)
        var slices = Array(repeating: [UInt8](), count: plan.extractions.count)
        func take() {
            for piece in extractor.pieces {
                slices[piece.slice] += UnsafeRawBufferPointer(start: piece.base, count: piece.count)
            }
            extractor.clearPieces()
        }
        var start = 0
        for cut in cuts + [document.count] {
            // A copy of its own, so that AddressSanitizer sees what is read beyond a chunk.
            let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: cut - start, alignment: 1)
            chunk.copyMemory(from: UnsafeRawBufferPointer(rebasing: document[start..<cut]))
            extractor.feed(UnsafeRawBufferPointer(chunk))
            take()
            chunk.deallocate()
            start = cut
        }
        extractor.finish()
        take()
        states = plan.extractions.indices.map { extractor.state(of: $0) }
        faults = extractor.faults
        isSyntax = extractor.failureIsSyntax
        if !extractor.isFailed { self.slices = slices }
    }
}

enum Cuts {
    /// Places to cut at, in order, the same for the same seed.
    static func random(of count: Int, _ seed: UInt64) -> [Int] {
        var state = seed | 1
        var place = 0
        var cuts: [Int] = []
        let longest = [4, 40, 400][Int(seed % 3)]
        while true {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            place += 1 + Int(state >> 33) % longest
            if place >= count { return cuts }
            cuts.append(place)
        }
    }
}
