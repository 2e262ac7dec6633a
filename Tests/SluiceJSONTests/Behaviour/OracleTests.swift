import Foundation
import SluiceContract
import SluiceJSON
import Testing

/// The engine against a slow and plain one (``PlainOracle``): made-up types with all that the notation has, documents
/// that are right, wrong and damaged, cut anywhere. `SLUICE_ORACLE=1000000` looks at so many documents.
@Suite struct OracleTests {
    private static let wanted = ProcessInfo.processInfo.environment["SLUICE_ORACLE"].flatMap { Int($0) } ?? 6_000
    private static let parts = 4

    @Test(arguments: 0..<parts) func findsWhatTheOracleFinds(part: Int) {
        var left = Self.wanted / Self.parts
        var seed = UInt64(part)
        var accepted = 0
        while left > 0 {
            seed += UInt64(Self.parts)
            var made = RandomTypes(seed: seed)
            let extraction = Extraction(type: made.type, unknown: made.unknown)
            guard let plan = try? Plan([extraction], types: made.definitions) else { continue }
            let oracle = PlainOracle(types: made.types, unknown: made.unknown)
            let extractor = Extractor(plan)
            for _ in 0..<20 where left > 0 {
                left -= 1
                let document = made.document()
                let expected = PlainParser.parse(document).flatMap { oracle.output($0, made.type) }
                let run = Run(plan, document, cuts: made.cuts(of: document.count), reusing: extractor)
                let whole = Run(plan, document, reusing: extractor)
                let text = String(decoding: document, as: UTF8.self)
                // What stands between members is not the oracle's business where some are left out.
                let isAlike = Self.isAlike(whole, expected)
                #expect(
                    isAlike, "seed \(seed), type \(made.type), \(made.unknown)\n\(text)\n\(whole)\n\(expected ?? "")")
                #expect(run == whole, "seed \(seed), type \(made.type)\n\(text)")
                if !isAlike || run != whole { return }
                if expected != nil { accepted += 1 }
            }
        }
        #expect(accepted > Self.wanted / Self.parts / 20, "\(accepted)")
    }

    /// What was found by chance, as it was: a value that tells is a string or none.
    @Test(arguments: [
        (#"[{"kind":"true","other":1}]"#, true), (#"[{"kind":true,"other":1}]"#, true),
        (#"[{"kind":true,"other":"x"}]"#, true), (#"[{"kind":"true","other":"x"}]"#, false),
        (#"[{"other":1,"kind":"true"}]"#, true),
    ])
    func findings(_ document: String, _ isRight: Bool) throws {
        let type = TypeExpression.array(
            .union([
                .fields(.init("kind", .constant("true"))), .fields(.init("kind", .literals(["x"]))),
                .fields(.init("other", .int)),
            ]))
        let expected = PlainParser.parse(Array(document.utf8)).flatMap {
            PlainOracle(types: [:], unknown: .pass).output($0, type)
        }
        #expect((expected != nil) == isRight)
        let plan = try Plan("", type)
        #expect(Self.isAlike(Run(plan, document), expected))
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    private static func isAlike(_ run: Run, _ expected: String?) -> Bool {
        guard let expected else { return !run.faults.isEmpty }
        guard run.faults.isEmpty, let slice = run.slices.first else { return false }
        if slice == expected { return true }
        // A damaged document may have come out with whitespace that is none of a string.
        return PlainParser.parse(Array(slice.utf8))?.text == expected
    }
}
