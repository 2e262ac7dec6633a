import SluiceContract
import Testing

@testable import SluiceGateway

/// `GET /cache/explain` says what the same request meets a moment later.
@Suite struct CacheExplanationTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var rule: String
        var outcome = "miss"
        var target = "/fruits"
        /// Of the answer that is stored before; nil stores nothing.
        var stored: String? = "max-age=60"
        /// Seconds since then.
        var age = 1
        var field = ""
        var serve: [Binding.ServeRule] = [.fresh, .stale, .error]
        var words = ""
        var testDescription: String { rule }
    }

    static let rows: [Row] = [
        Row(rule: "fresh", outcome: "hit", words: "1 s old and fresh until 60 s, by 'max-age' of the upstream"),
        Row(rule: "fresh", outcome: "hit", target: "/fruits?limit=10", words: "fresh"),
        Row(rule: "uri-miss", stored: nil, words: "Nothing is stored"),
        Row(rule: "uri-miss", target: "/fruits?limit=11", words: "Nothing is stored"),
        Row(rule: "stale", age: 70, words: "10 s past its lifetime of 60 s"),
        Row(rule: "must-revalidate", stored: "max-age=60, must-revalidate", age: 70, words: "must-revalidate"),
        Row(rule: "no-cache", stored: "max-age=60, no-cache\r\nETag: \"a\"", words: "with the validators"),
        Row(rule: "stale-while-revalidate", outcome: "hit", stored: "max-age=60, stale-while-revalidate=30", age: 70),
        Row(rule: "serve-stale-first", outcome: "hit", age: 1000, serve: [.stale, .fresh, .error]),
        Row(rule: "serve-without-fresh", serve: [.stale, .error]),
        Row(rule: "serve-without-stale", age: 70, serve: [.fresh, .error]),
        Row(rule: "request-no-cache", field: "Cache-Control: no-cache"),
        Row(rule: "request-max-age", age: 9, field: "Cache-Control: max-age=5", words: "5 s at most"),
        Row(rule: "request-min-fresh", field: "Cache-Control: min-fresh=60", words: "59 s"),
        Row(rule: "request-max-stale", outcome: "hit", age: 70, field: "Cache-Control: max-stale=20"),
        Row(rule: "only-if-cached", outcome: "refused", stored: nil, field: "Cache-Control: only-if-cached"),
        Row(rule: "vary-miss", stored: "max-age=60\r\nVary: Accept-Language", field: "Accept-Language: de"),
    ]

    private func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private func explain(_ bench: AdminBench, _ request: String, _ field: String = "") throws -> String {
        let fields = field.isEmpty ? [] : ["Explain-Field: \(field)"]
        return try bench.ask("/cache/explain?request=\(encoded(request))", fields: fields).text
    }

    private func member(_ name: String, _ text: String) -> String? {
        text.split(separator: "\"\(name)\":\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
    }

    /// A key in a query stands neither in explanations nor in lists.
    @Test func credentialsAreMasked() throws {
        let bench = try AdminBench { $0.unknownParameters = .pass }
        try bench.fill("/fruits?api%5Fkey=s3cret&x=1")
        for text in [try explain(bench, "GET /fruits?api%5Fkey=s3cret&x=1"), try bench.ask("/cache").text] {
            #expect(text.contains("/fruits?api%5Fkey=***&x=1"), "\(text)")
            #expect(!text.contains("s3cret"))
        }
    }

    @Test(arguments: rows)
    func explains(_ row: Row) throws {
        let bench = try AdminBench { $0.serve = row.serve }
        if let stored = row.stored { try bench.fill("/fruits", "apple", "Cache-Control: \(stored)") }
        bench.bench.advance(by: .seconds(row.age))
        let fetches = bench.fetches
        let text = try explain(bench, "GET \(row.target)", row.field)
        #expect(bench.fetches == fetches, "nobody is asked")
        #expect(member("rule", text) == row.rule, "\(text)")
        #expect(member("outcome", text) == row.outcome)
        #expect(member("reason", text)?.contains(row.words) == true || row.words.isEmpty, "\(text)")
        // What it said is what comes.
        let fields = row.field.isEmpty ? [] : [row.field]
        let head = (["GET \(row.target) HTTP/1.1", "Host: localhost"] + fields).joined(separator: "\r\n")
        let answer = try bench.bench.exchange(head + "\r\n\r\n", answer: AdminBench.answer("pear"))
        let status = try #require(member("cache_status", text))
        #expect(answer["Cache-Status"]?.hasPrefix(status) == true, "\(answer["Cache-Status"] ?? "") for \(status)")
    }

    static let others: [(String, String, String)] = [
        ("GET /plain", "pass", "no-policy"), ("POST /fruits", "miss", "method"), ("HEAD /fruits", "miss", "uri-miss"),
    ]

    @Test(arguments: others)
    func explainsWhatIsNeverStored(_ request: String, _ outcome: String, _ rule: String) throws {
        let text = try explain(try AdminBench(), request)
        #expect(member("outcome", text) == outcome)
        #expect(member("rule", text) == rule)
    }

    @Test func namesWhatSelects() throws {
        let bench = try AdminBench {
            $0.cache?.vary = ["X-Tenant"]
            $0.cache?.isPrivate = true
            $0.cache?.fresh = .seconds(5)
        }
        let text = try explain(bench, "GET /fruits")
        for part in [
            #""upstream":"fruit""#, #""upstream_target":"/v1/fruits?limit=10""#, #""target":"/v1/fruits?limit=10""#,
            #""vary":["x-tenant"]"#, #""client":"127.0.0.1""#, #""fresh":5"#, #""stored":null"#,
            #""tags":["fruit","food"]"#, #""bearer":false"#,
        ] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    /// URLs in it begin as its client has asked, so that each scheme and host has an answer of its own.
    @Test func theSchemeSelectsWhereURLsAreLocal() throws {
        for (urls, scheme) in [(["next"], #""scheme":"http""#), ([], #""scheme":null"#)] as [([String], String)] {
            let binding = try Build.binding("GET /fruits", to: "fruit /fruits") {
                $0.cache = CachePolicy()
                $0.localURLs = urls.compactMap { FieldPath($0) }
            }
            // Else an upstream that is told of the scheme is reason enough.
            let upstream = Build.upstream { $0.forwarded = .none }
            let bench = AdminBench(of: try Bench(Build.configuration([binding], upstreams: [upstream])))
            let text = try explain(bench, "GET /fruits")
            #expect(text.contains(scheme), "\(text)")
        }
    }

    /// With `private:` it depends on who asks.
    @Test func asksAsAClient() throws {
        let bench = try AdminBench { $0.cache?.isPrivate = true }
        try bench.fill("/fruits")
        #expect(member("outcome", try explain(bench, "GET /fruits")) == "hit")
        let other = try bench.ask("/cache/explain?request=GET%20/fruits&client=127.0.0.2").text
        #expect(member("outcome", other) == "miss")
    }

    @Test func knowsWhatIsUnderWay() throws {
        let bench = try AdminBench()
        let client = bench.bench.client()
        client.request("GET", "/fruits")
        let text = try explain(bench, "GET /fruits")
        #expect(text.contains(#""under_way":true"#))
        #expect(member("cache_status", text) == "sluice; fwd=uri-miss; collapsed")
        client.reset()
    }

    @Test(arguments: [("", "the upstream is asked"), ("Explain-Field: Cache-Control: only-if-cached\r\n", "a 504")])
    func knowsWhatIsBehindMemory(field: String, last: String) throws {
        let loops = try CacheFillTiersTests.Loops()
        func explain() throws -> String {
            let admin = loops.benches[0].client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
            let target = "/cache/explain?request=GET%20/fruits"
            admin.request("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
            defer { admin.reset() }
            return try #require(admin.answers.first).text
        }
        #expect(try explain().contains("DISK may have it; where not, \(last)"))
        loops.tier.rest()
        #expect(try !explain().contains("DISK"))
        #expect(loops.tier.lookups == 0)
    }

    @Test func knowsTheErrorThatIsAnsweredAgain() throws {
        let bench = try AdminBench { $0.cache?.retryAfterError = .seconds(60) }
        try bench.bench.get("/fruits", answer: "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")
        #expect(member("rule", try explain(bench, "GET /fruits")) == "retry-after-error")
    }

    /// A client with credentials of its own is not answered with the error of another one.
    @Test func aKeptErrorIsNotForOtherCredentials() throws {
        let bench = try AdminBench { $0.cache?.retryAfterError = .seconds(60) }
        try bench.bench.get("/fruits", answer: "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")
        let text = try explain(bench, "GET /fruits", "X-API-Key: mine")
        #expect(member("rule", text) == "uri-miss", "\(text)")
        let answer = try bench.bench.exchange(
            "GET /fruits HTTP/1.1\r\nHost: localhost\r\nX-API-Key: mine\r\n\r\n", answer: AdminBench.answer("pear"))
        #expect(answer.text == "pear")
    }

    @Test func knowsTheStaleAnswerInThePlaceOfAKeptError() throws {
        let bench = try AdminBench {
            $0.cache?.retryAfterError = .seconds(60)
            $0.serve = [.fresh, .stale, .error]
        }
        try bench.fill("/fruits", "apple", "Cache-Control: max-age=60, stale-if-error=600")
        bench.bench.advance(by: .seconds(70))
        let broken = "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"
        #expect(try bench.bench.get("/fruits", answer: broken).text == "apple")
        let text = try explain(bench, "GET /fruits")
        #expect(member("rule", text) == "stale-if-error", "\(text)")
        #expect(member("outcome", text) == "hit")
        let status = try bench.status("/fruits")
        #expect(status == member("cache_status", text))
        #expect(status.contains("detail=stale-if-error"))
    }

    @Test func saysWhenAPurgeWasTheCause() throws {
        let bench = try AdminBench()
        try bench.fill("/fruits")
        _ = try bench.ask("/cache?all&soft", by: "DELETE")
        bench.bench.advance(by: .seconds(3))
        #expect(try explain(bench, "GET /fruits").contains("A purge has made it stale, 3 s ago."))
    }
}
