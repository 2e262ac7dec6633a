import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceCache

/// Storability, freshness, age and reuse as tables: every row names its clause.
@Suite struct DecisionTests {
    static let now = 784_111_777

    static func fields(_ lines: [String]) -> HeaderBlock {
        var block = HeaderBlock()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1).map { Array($0.utf8) }
            parts[0].withUnsafeBytes { name in
                Array(parts[1].dropFirst()).withUnsafeBytes { block.append(name: name, value: $0) }
            }
        }
        return block
    }

    static func facts(_ status: Int, _ lines: [String]) -> CacheFacts {
        CacheFacts(status: status, fields(["Date: Sun, 06 Nov 1994 08:49:37 GMT"] + lines), now: now)
    }

    // MARK: - Storing

    struct Store: CustomTestStringConvertible, Sendable {
        var clause: String
        var status = 200
        var fields: [String] = []
        var request = ""
        var hasAuthorization = false
        var isPrivate = false
        var verdict: Storability
        var testDescription: String { clause }
    }

    static let stores: [Store] = [
        Store(clause: "RFC 9111 §3 explicit", fields: ["Cache-Control: max-age=60"], verdict: .store),
        Store(clause: "RFC 9111 §3 nothing said", verdict: .refuse(.noFreshness)),
        Store(clause: "RFC 9111 §3 validator only", fields: ["ETag: \"a\""], verdict: .store),
        Store(clause: "RFC 9111 §5.2.2.5", fields: ["Cache-Control: no-store, max-age=60"], verdict: .refuse(.noStore)),
        Store(
            clause: "RFC 9111 §5.2.1.5", fields: ["Cache-Control: max-age=60"], request: "no-store",
            verdict: .refuse(.requestNoStore)),
        Store(
            clause: "RFC 9111 §5.2.2.7", fields: ["Cache-Control: private, max-age=60"], verdict: .refuse(.isPrivate)),
        Store(
            clause: "RFC 9111 §5.2.2.7 private cache", fields: ["Cache-Control: private, max-age=60"], isPrivate: true,
            verdict: .store),
        Store(
            clause: "RFC 9111 §3.5", fields: ["Cache-Control: max-age=60"], hasAuthorization: true,
            verdict: .refuse(.authorization)),
        Store(
            clause: "RFC 9111 §3.5 public", fields: ["Cache-Control: max-age=60, public"], hasAuthorization: true,
            verdict: .store),
        Store(
            clause: "RFC 9111 §5.2.2.3", fields: ["Cache-Control: max-age=60, no-store, must-understand"],
            verdict: .store),
        Store(
            clause: "RFC 9111 §5.2.2.3 unknown status", status: 599,
            fields: ["Cache-Control: max-age=60, no-store, must-understand"], verdict: .refuse(.unknownStatus)),
        Store(
            clause: "RFC 9111 §4.1", fields: ["Cache-Control: max-age=60", "Vary: A, *"], verdict: .refuse(.varyStar)),
        Store(clause: "RFC 9111 §3.3", status: 206, fields: ["Cache-Control: max-age=60"], verdict: .refuse(.partial)),
        Store(
            clause: "RFC 9111 §7.3 heuristic",
            fields: ["Last-Modified: Sat, 05 Nov 1994 08:49:37 GMT", "Set-Cookie: a=1"],
            verdict: .refuse(.setCookie)),
        Store(clause: "RFC 9111 §7.3", fields: ["Cache-Control: max-age=60", "Set-Cookie: a=1"], verdict: .store),
        Store(
            clause: "RFC 9213 §2.2", fields: ["Cache-Control: no-store", "CDN-Cache-Control: max-age=60"],
            verdict: .store),
    ]

    @Test(arguments: stores)
    func storability(_ row: Store) {
        let facts = Self.facts(row.status, row.fields)
        var policy = CachePolicy()
        policy.isPrivate = row.isPrivate
        let request = Array(row.request.utf8).withUnsafeBytes { CacheControl($0) }
        let verdict = Storability.decide(
            facts, Freshness(facts, policy), request: request, hasAuthorization: row.hasAuthorization,
            keepsSetCookie: false, policy)
        #expect(verdict == row.verdict)
    }

    // MARK: - Freshness

    static let lifetimes: [(String, [String], Int, Freshness.Source)] = [
        ("RFC 9111 §4.2.1 s-maxage first", ["Cache-Control: max-age=1, s-maxage=60"], 60, .sMaxAge),
        ("RFC 9111 §5.3", ["Expires: Sun, 06 Nov 1994 08:50:37 GMT"], 60, .expires),
        ("RFC 9111 §4.2 any case", ["Expires: SUN, 06 NOV 1994 08:50:37 gmt"], 60, .expires),
        ("RFC 9111 §5.3 invalid", ["Expires: 0"], 0, .expires),
        ("RFC 9111 §5.3 max-age wins", ["Expires: 0", "Cache-Control: max-age=60"], 60, .maxAge),
        ("RFC 9111 §4.2.2", ["Last-Modified: Sun, 06 Nov 1994 08:32:57 GMT"], 100, .heuristic),
        ("RFC 9213 §2.2", ["Cache-Control: max-age=1", "CDN-Cache-Control: max-age=60"], 60, .maxAge),
        (
            "RFC 9213 §2.2 own first", ["CDN-Cache-Control: max-age=1", "Sluice-Cache-Control: max-age=60"], 60, .maxAge
        ),
        ("RFC 9213 §2.1 malformed", ["Cache-Control: max-age=1", "CDN-Cache-Control: max-age = 60"], 1, .maxAge),
    ]

    @Test(arguments: lifetimes)
    func lifetime(clause: String, lines: [String], lifetime: Int, source: Freshness.Source) {
        let freshness = Freshness(Self.facts(200, lines), CachePolicy())
        #expect(freshness.lifetime == lifetime)
        #expect(freshness.source == source)
    }

    @Test func policyOverrides() {
        var policy = CachePolicy()
        policy.fresh = .seconds(60)
        let freshness = Freshness(Self.facts(200, ["Cache-Control: no-cache, max-age=1"]), policy)
        #expect(freshness.lifetime == 60)
        #expect(!freshness.noCache)
    }

    static let ages: [([String], Int)] = [
        ([], 0), (["Age: 30"], 32), (["Age: 30, 0"], 32), (["Age: abc"], 2), (["Age: 7.5"], 2),
    ]

    /// RFC 9111 §4.2.3, §5.1: the answer took two seconds.
    @Test(arguments: ages)
    func initialAge(lines: [String], age: Int) {
        let delay = lines.isEmpty ? 0 : 2
        #expect(Freshness.initialAge(Self.facts(200, lines), responseDelay: delay, now: Self.now) == age)
    }

    // MARK: - Reuse

    static let reuses: [(String, String, String, Int, [Binding.ServeRule], Reuse)] = [
        ("RFC 9111 §4.2", "max-age=60", "", 59, [.fresh, .stale, .error], .fresh),
        ("RFC 9111 §4.2 at its end", "max-age=60", "", 60, [.fresh, .stale, .error], .forward(.stale)),
        ("RFC 9111 §5.2.1.4", "max-age=60", "no-cache", 1, [.fresh, .error], .forward(.request)),
        ("RFC 9111 §5.2.1.1", "max-age=60", "max-age=10", 11, [.fresh, .error], .forward(.request)),
        ("RFC 9111 §5.2.1.3", "max-age=60", "min-fresh=30", 31, [.fresh, .error], .forward(.request)),
        ("RFC 9111 §5.2.1.2", "max-age=60", "max-stale=30", 80, [.fresh, .stale, .error], .stale),
        ("RFC 9111 §5.2.1.2 too old", "max-age=60", "max-stale=30", 91, [.fresh, .stale, .error], .forward(.stale)),
        (
            "RFC 9111 §5.2.2.2", "max-age=60, must-revalidate", "max-stale", 61, [.fresh, .stale, .error],
            .forward(.stale)
        ),
        ("RFC 9111 §5.2.2.4", "max-age=60, no-cache", "", 1, [.fresh, .stale, .error], .forward(.stale)),
        (
            "RFC 5861 §3", "max-age=60, stale-while-revalidate=30", "", 80, [.fresh, .stale, .error],
            .staleWhileRevalidate
        ),
        (
            "RFC 5861 §3 over", "max-age=60, stale-while-revalidate=30", "", 90, [.fresh, .stale, .error],
            .forward(.stale)
        ),
        ("serve: no stale", "max-age=60, stale-while-revalidate=30", "", 80, [.fresh, .error], .forward(.stale)),
        ("serve: stale first", "max-age=60", "", 9999, [.stale, .fresh, .error], .staleWhileRevalidate),
    ]

    @Test(arguments: reuses)
    func reuse(
        clause: String, response: String, request: String, age: Int, serve: [Binding.ServeRule], verdict: Reuse
    ) {
        let freshness = Freshness(Self.facts(200, ["Cache-Control: \(response)"]), CachePolicy())
        let control = Array(request.utf8).withUnsafeBytes { CacheControl($0) }
        #expect(Reuse.decide(.init(age: age, freshness: freshness), request: control, serve: serve) == verdict)
    }
}
