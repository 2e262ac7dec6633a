import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct CachePolicyTests {
    /// RFC 9111 §1.2.2: ages are whole seconds.
    @Test(
        arguments: [
            ("fresh: 250ms", "1s"), ("fresh: 1500ms", "1s"), ("stale-while-revalidate: 61999ms", "61s"),
            ("stale-if-error: 1ms", "1s"), ("fresh: 0", nil), ("fresh: 0ms", nil), ("fresh: 2000ms", nil),
            ("stale-if-error: 1d", nil), ("retry-after-error: 250ms", nil),
        ] as [(String, String?)])
    func warnsOfFractionsOfASecond(setting: String, counted: String?) {
        for bench in [
            fruit("GET /a: {to: fruit /a, cache: {\(setting)}}"),
            fruit("GET /a: {to: fruit /a, cache: {}}", root: "defaults: {cache: {\(setting)}}"),
        ] {
            let warnings = bench.warnings
            #expect(warnings.count == (counted == nil ? 0 : 1), "\(warnings)")
            if let counted {
                #expect(warnings.first?.hasSuffix("so this is \(counted) → \(counted)") == true, "\(warnings)")
            }
            #expect(bench.mistakes == [])
        }
    }
}
