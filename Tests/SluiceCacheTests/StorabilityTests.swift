import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceCache

/// What statuses mean to a cache, each of them against lists of the registry.
@Suite struct StorabilityTests {
    /// RFC 9110 §15.1, without 206, which is not stored here.
    static let cacheable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
    /// Everything with a section in RFC 9110 §15, RFC 6585 and RFC 7725 that is final and whole.
    static let understood: Set<Int> = [
        200, 201, 202, 203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410,
        413, 414, 415, 421, 422, 426, 428, 431, 451, 500, 501, 502, 503, 504, 505, 511,
    ]

    static func verdict(
        _ status: Int, _ fields: [String], authorized: Bool = false, keepsSetCookie: Bool = false,
        _ policy: CachePolicy = CachePolicy()
    ) -> Storability {
        let facts = DecisionTests.facts(status, fields)
        return Storability.decide(
            facts, Freshness(facts, policy), request: CacheControl(), hasAuthorization: authorized,
            keepsSetCookie: keepsSetCookie, policy)
    }

    /// RFC 9111 §3: parts, and answers to a condition, are no whole answers.
    private static func isPartial(_ status: Int) -> Bool { status == 206 || status == 304 }

    @Test(arguments: 200..<600)
    func mustUnderstand(status: Int) {
        let verdict = Self.verdict(status, ["Cache-Control: no-store, must-understand, max-age=60"])
        #expect(verdict == (Self.understood.contains(status) ? .store : .refuse(.unknownStatus)))
    }

    @Test(arguments: 100..<600)
    func statedLifetime(status: Int) {
        let verdict = Self.verdict(status, ["Cache-Control: max-age=60"])
        #expect(verdict == (Self.isPartial(status) ? .refuse(.partial) : status < 200 ? .refuse(.status) : .store))
    }

    @Test(arguments: 200..<600)
    func nothingStated(status: Int) {
        let expected: Storability =
            Self.isPartial(status) ? .refuse(.partial) : Self.cacheable.contains(status) ? .store : .refuse(.status)
        #expect(Self.verdict(status, ["ETag: \"a\""]) == expected)
        // RFC 9111 §5.2.2.9: `public` makes up for it.
        let open = Self.verdict(status, ["ETag: \"a\"", "Cache-Control: public"])
        #expect(open == (Self.isPartial(status) ? .refuse(.partial) : .store))
    }

    /// RFC 9111 §4.2.2: only about these may be guessed.
    @Test(arguments: 200..<600)
    func guessedLifetime(status: Int) {
        let modified = "Last-Modified: Sun, 06 Nov 1994 08:32:57 GMT"
        let isGuessed = Self.cacheable.contains(status) || status == 206
        #expect(Freshness(DecisionTests.facts(status, [modified]), CachePolicy()).lifetime == (isGuessed ? 100 : 0))
        let open = DecisionTests.facts(status, [modified, "Cache-Control: public"])
        #expect(Freshness(open, CachePolicy()).source == .heuristic)
    }

    /// `retry-after-error:` keeps an error for a moment, if it says nothing of itself, and is not about how one client
    /// has asked (RFC 9110 §15.5).
    @Test func keepsAnErrorForAMoment() {
        var policy = CachePolicy()
        policy.retryAfterError = .seconds(5)
        for status in [401, 403, 404, 405, 410, 414, 429, 451, 500, 599] {
            #expect(Self.verdict(status, [], policy) == .store, "\(status)")
        }
        for status in [400, 406, 411, 412, 413, 415, 416, 417, 421, 422, 425, 426, 428, 431] {
            #expect(Self.verdict(status, [], policy) == .refuse(.noFreshness), "\(status)")
        }
        #expect(Self.verdict(399, [], policy) == .refuse(.noFreshness))
        #expect(Self.verdict(503, [], policy) == .store)
        #expect(Self.verdict(503, ["Cache-Control: max-age=0"], policy) == .refuse(.noFreshness))
        #expect(Self.verdict(503, []) == .refuse(.noFreshness))
    }

    /// The binding's times are for what a resource is; an error has those of its upstream, or those for errors.
    @Test(arguments: 200..<600)
    func timesOfTheBinding(status: Int) {
        var policy = CachePolicy()
        (policy.fresh, policy.staleWhileRevalidate, policy.staleIfError) = (.seconds(60), .seconds(600), .seconds(900))
        let isMeant = status < 400 || status == 404 || status == 410
        let facts = DecisionTests.facts(status, [])
        let freshness = Freshness(facts, policy)
        #expect(freshness.source == (isMeant ? .policy : .none))
        #expect([freshness.staleWhileRevalidate, freshness.staleIfError] == (isMeant ? [600, 900] : [0, 0]))
        if !isMeant { #expect(Self.verdict(status, [], policy) == .refuse(.noFreshness)) }
        let stated = ["Cache-Control: no-cache, max-age=1, stale-while-revalidate=2, stale-if-error=3"]
        let ofUpstream = Freshness(DecisionTests.facts(status, stated), policy)
        #expect(ofUpstream.lifetime == (isMeant ? 60 : 1))
        #expect(ofUpstream.noCache == !isMeant)
        #expect([ofUpstream.staleWhileRevalidate, ofUpstream.staleIfError] == (isMeant ? [600, 900] : [2, 3]))
        policy.retryAfterError = .seconds(5)
        if !isMeant, Storability.speaksOfResource(status) { #expect(Self.verdict(status, [], policy) == .store) }
    }

    /// RFC 9111 §3.5: each of the three directives opens an authorized answer to others; a private cache has none.
    @Test func authorizedAnswers() {
        for directive in ["public", "must-revalidate", "s-maxage=60"] {
            #expect(Self.verdict(200, ["Cache-Control: max-age=60, \(directive)"], authorized: true) == .store)
        }
        for directive in ["proxy-revalidate", "immutable", "no-transform"] {
            let verdict = Self.verdict(200, ["Cache-Control: max-age=60, \(directive)"], authorized: true)
            #expect(verdict == .refuse(.authorization))
        }
        var policy = CachePolicy()
        policy.isPrivate = true
        #expect(Self.verdict(200, ["Cache-Control: max-age=60"], authorized: true, policy) == .store)
    }

    /// RFC 9111 §5.4: `Pragma` counts only where no `Cache-Control`, targeted or not, says more.
    @Test(arguments: [
        (["Pragma: no-cache"], true), (["Pragma: token"], false),
        (["Pragma: no-cache", "Cache-Control: max-age=60"], false),
        (["Pragma: no-cache", "CDN-Cache-Control: max-age=60"], false),
    ])
    func pragma(fields: [String], isNoCache: Bool) {
        let facts = DecisionTests.facts(200, fields)
        #expect(facts.hasPragmaNoCache == isNoCache)
        #expect(Freshness(facts, CachePolicy()).noCache == isNoCache)
    }

    /// RFC 9111 §7.3: a guess is not enough for a cookie, unless the binding says so.
    @Test func cookies() {
        let guessed = ["Last-Modified: Sun, 06 Nov 1994 08:32:57 GMT", "Set-Cookie: a=1"]
        #expect(Self.verdict(200, guessed) == .refuse(.setCookie))
        #expect(Self.verdict(200, guessed, keepsSetCookie: true) == .store)
        #expect(Self.verdict(200, ["Cache-Control: max-age=1", "Set-Cookie: a=1"]) == .store)
    }
}
