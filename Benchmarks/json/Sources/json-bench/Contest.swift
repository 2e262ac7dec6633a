import CPeers
import CSIMD
import Foundation
import SluiceContract
import SluiceJSON

/// The contestants over one document.
final class Contest {
    struct Contestant {
        var name: String
        var run: () -> Void
    }

    static let roundSeconds = 0.04
    static let rounds = 7

    private let workload: Workload
    private let kernel: sluice_json_kernel
    private let padded: [UInt8]
    private(set) var contestants: [Contestant] = []

    init(_ workload: Workload, _ kernel: sluice_json_kernel) throws {
        self.workload = workload
        self.kernel = kernel
        padded = workload.document + Array(repeating: 0, count: peers_padding())
        let typed = try Plan([workload.extraction], types: workload.types)
        let skipping = try Plan([Extraction(path: FieldPath(components: [.key("no such key")]))], types: [])
        let isArray = workload.document.first == UInt8(ascii: "[")
        let skip =
            isArray ? try Plan([Extraction(path: FieldPath(components: [.index(1 << 30)]))], types: []) : skipping
        addEngine("typed, whole", typed, chunk: .max)
        addEngine("typed, 64 KiB", typed, chunk: 64 << 10)
        addEngine("typed, 4 KiB", typed, chunk: 4 << 10)
        var dropping = workload.extraction
        dropping.unknown = .drop
        addEngine("dropping, 64 KiB", try Plan([dropping], types: workload.types), chunk: 64 << 10)
        addEngine("renaming, 64 KiB", try Self.plan(workload, \.renamingAll), chunk: 64 << 10)
        addEngine("defaulting, 64 KiB", try Self.plan(workload, \.defaultingAll), chunk: 64 << 10)
        addEngine("choosing, 64 KiB", try Self.plan(workload, \.choosingAll), chunk: 64 << 10)
        addEngine("skip, whole", skip, chunk: .max)
        addEngine("skip, 64 KiB", skip, chunk: 64 << 10)
        addPeers()
    }

    /// The plan of a workload whose types are changed.
    private static func plan(
        _ workload: Workload, _ change: (TypeExpression) -> TypeExpression
    ) throws -> Plan {
        var extraction = workload.extraction
        extraction.type = extraction.type.map(change)
        return try Plan(
            [extraction], types: workload.types.map { TypeDefinition(name: $0.name, type: change($0.type)) })
    }

    private func addEngine(_ name: String, _ plan: Plan, chunk: Int) {
        let extractor = Extractor(plan, kernel: kernel)
        let count = workload.document.count
        add(name) { base in
            extractor.reset(plan)
            var start = 0
            var shown = 0
            while start < count {
                let length = min(chunk, count - start)
                extractor.feed(UnsafeRawBufferPointer(start: base + start, count: length))
                for piece in extractor.pieces { shown += piece.count }
                start += length
            }
            extractor.finish()
            precondition(!extractor.isFailed, "\(extractor.faults)")
        }
    }

    private func addPeers() {
        let count = workload.document.count
        add("simdjson DOM") { base in
            precondition(peers_dom(base.assumingMemoryBound(to: CChar.self), count), "DOM failed")
        }
        if let onDemand = workload.onDemand {
            add("simdjson On-Demand") { base in
                precondition(onDemand(base.assumingMemoryBound(to: CChar.self), count) >= 0, "On-Demand failed")
            }
        }
        let data = Data(workload.document)
        guard let decode = workload.decode else { return }
        add("JSONDecoder") { _ in
            do { try decode(data) } catch { preconditionFailure("\(error)") }
        }
    }

    private func add(_ name: String, _ body: @escaping (UnsafeRawPointer) -> Void) {
        contestants.append(
            Contestant(name: name) { [padded] in padded.withUnsafeBytes { body($0.baseAddress!) } })
    }

    /// GB/s of each contestant, by name.
    func run() -> [String: Double] {
        var best: [String: Double] = [:]
        for _ in 0..<Self.rounds {
            for contestant in contestants {
                best[contestant.name] = max(best[contestant.name] ?? 0, measure(contestant, Self.roundSeconds))
            }
        }
        return best
    }

    /// Runs one contestant for some seconds.
    func profile(_ name: String, seconds: Double) throws {
        for contestant in contestants where contestant.name == name {
            print("\(workload.name), \(name): \(measure(contestant, seconds)) GB/s")
        }
    }

    /// Runs one contestant so many times, for a counter of instructions.
    func pass(_ name: String, times: Int) {
        for contestant in contestants where contestant.name == name {
            for _ in 0..<times { contestant.run() }
        }
    }

    /// Runs one contestant twice: the second time by what was learnt.
    func record(_ name: String) throws {
        for contestant in contestants where contestant.name == name {
            contestant.run()
            contestant.run()
            print(2 * workload.document.count)
        }
    }

    /// From the pass that one in eight is faster than: others on the machine only ever make a pass slower.
    private func measure(_ contestant: Contestant, _ seconds: Double) -> Double {
        contestant.run()
        var passes: [Double] = []
        var spent = 0.0
        repeat {
            let start = Self.cpuSeconds()
            contestant.run()
            passes.append(Self.cpuSeconds() - start)
            spent += passes[passes.count - 1]
        } while spent < seconds
        passes.sort()
        return Double(workload.document.count) / passes[passes.count / 8] / 1e9
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
