import SluiceContract
import Testing

@testable import SluiceCache

/// Which rule decides; `DecisionTests.reuse` holds the same to what comes of it.
@Suite struct ReuseRuleTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var clause: String
        /// Of the upstream's answer.
        var control = "max-age=60"
        var request = ""
        /// Seconds.
        var age: Int
        var serve: [Binding.ServeRule] = [.fresh, .stale, .error]
        var rule: ReuseRule
        var testDescription: String { "\(clause) \(rule.rawValue)" }
    }

    static let rows: [Row] = [
        Row(clause: "RFC 9111 §4.2", age: 59, rule: .fresh),
        Row(clause: "RFC 9111 §4.2", age: 60, rule: .stale),
        Row(clause: "RFC 9111 §5.2.1.4", request: "no-cache", age: 1, rule: .requestNoCache),
        Row(clause: "RFC 9111 §5.2.1.1", request: "max-age=10", age: 11, rule: .requestMaxAge),
        Row(clause: "RFC 9111 §5.2.1.1", request: "max-age=10", age: 10, rule: .fresh),
        Row(clause: "RFC 9111 §5.2.1.1", request: "max-age=0", age: 0, rule: .requestMaxAge),
        Row(clause: "RFC 9111 §5.2.1.2", request: "max-age=10, max-stale=5", age: 15, rule: .fresh),
        Row(clause: "RFC 9111 §5.2.2.4", control: "max-age=60, no-cache", age: 1, rule: .storedNoCache),
        Row(clause: "RFC 9111 §5.2.1.3", request: "min-fresh=30", age: 31, rule: .requestMinFresh),
        Row(clause: "serve", age: 1, serve: [.stale, .error], rule: .freshNotServed),
        Row(clause: "RFC 9111 §5.2.2.2", control: "max-age=60, must-revalidate", age: 61, rule: .mustRevalidate),
        Row(clause: "serve", age: 61, serve: [.fresh, .error], rule: .staleNotServed),
        Row(clause: "RFC 9111 §5.2.1.2", request: "max-stale=30", age: 90, rule: .requestMaxStale),
        Row(clause: "RFC 9111 §5.2.1.2", request: "max-stale=30", age: 91, rule: .stale),
        Row(
            clause: "RFC 5861 §3", control: "max-age=60, stale-while-revalidate=10", age: 69,
            rule: .staleWhileRevalidate),
        Row(clause: "RFC 5861 §3", control: "max-age=60, stale-while-revalidate=10", age: 70, rule: .stale),
        Row(clause: "serve", age: 9999, serve: [.stale, .fresh, .error], rule: .staleFirst),
    ]

    @Test(arguments: rows)
    func finds(_ row: Row) {
        let facts = DecisionTests.facts(200, ["Cache-Control: \(row.control)"])
        let stored = Reuse.Stored(age: row.age, freshness: Freshness(facts, CachePolicy()))
        let request = Array(row.request.utf8).withUnsafeBytes { CacheControl($0) }
        #expect(ReuseRule.find(stored, request: request, serve: row.serve) == row.rule)
        #expect(Reuse.decide(stored, request: request, serve: row.serve) == row.rule.reuse)
    }

    @Test func everyRuleHasARow() {
        #expect(Set(Self.rows.map(\.rule)) == Set(ReuseRule.allCases))
    }
}
