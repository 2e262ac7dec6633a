import Foundation
import SluiceContract
import SluiceJSON
import Testing

/// What is left out and renamed on the way from place to place is what is left out and renamed byte by byte.
@Suite struct EditedWalkTests {
    /// `SLUICE_SEEDS` says how many to try.
    static var seeds: Range<UInt64> {
        0..<(ProcessInfo.processInfo.environment["SLUICE_SEEDS"].flatMap { UInt64($0) } ?? 200)
    }

    @Test func randomPlansAndDocuments() throws {
        var good = 0
        for seed in Self.seeds {
            var objects = RandomObjects(seed: seed)
            guard let plan = objects.plan() else { continue }
            var random = Seeded(state: seed)
            let extractor = Extractor(plan)
            for round in 0..<4 {
                let document = objects.document()
                let short = Run.byteByByte(plan, document)
                // The second time by what was learnt.
                _ = Run(plan, document, reusing: extractor)
                let runs = [
                    Run(plan, document), Run(plan, document, reusing: extractor),
                    Run(plan, document, cuts: random.cuts(of: document.count), reusing: extractor),
                ]
                for (number, run) in runs.enumerated() where run != short {
                    Issue.record("seed \(seed), round \(round), run \(number): \(run)\n    byte by byte: \(short)")
                    return
                }
                guard short.faults.isEmpty else { continue }
                good += 1
                for slice in short.slices where !slice.isEmpty {
                    #expect(DocumentTests.isJSON(Array(slice.utf8)), "seed \(seed), round \(round): \(slice)")
                }
            }
        }
        #expect(good > Self.seeds.count)
    }
}
