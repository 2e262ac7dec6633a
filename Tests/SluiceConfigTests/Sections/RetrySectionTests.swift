import SluiceContract
import Testing

@testable import SluiceConfig

/// `retry:`, `retry-budget:`, `hedge:`, `breaker:` and `health:`.
@Suite struct RetrySectionTests {
    private func binding(_ text: String, upstream: String = "", defaults: String = "{}") throws -> Binding {
        try #require(
            Bench(
                "defaults: \(defaults)\nupstreams:\n  a: {url: http://x, \(upstream)}\n"
                    + "bindings:\n  GET /x: {to: a /x, \(text)}\n"
            ).configuration().bindings.first)
    }

    private func upstream(_ text: String) throws -> Upstream {
        try #require(Bench("upstreams:\n  a: {url: [http://x, http://y], \(text)}\n").configuration().upstreams.first)
    }

    @Test func nothingIsTheDefault() throws {
        #expect(try binding("").retry == nil)
        #expect(try binding("").hedge == nil)
        #expect(try upstream("").breaker == nil)
        #expect(try upstream("").health == nil)
    }

    @Test func readsRetries() throws {
        let retry = try binding("retry: {attempts: 5, on: [reset, 502, timeout], backoff: 2s, body-max: 1KiB}").retry
        #expect(retry?.attempts == 5)
        #expect(retry?.on == [.reset, .timeout, .status(502)])
        #expect(retry?.backoff == .seconds(2))
        #expect(retry?.backoffMax == .seconds(2))
        #expect(retry?.bodyBytesMax == 1024)
    }

    /// Later layers win, key by key; `false` switches off.
    @Test func inherits() throws {
        let retry = try binding(
            "retry: {attempts: 4}", upstream: "retry: {backoff: 1ms}", defaults: "{retry: {on: connect}}"
        ).retry
        #expect(retry?.attempts == 4)
        #expect(retry?.backoff == .milliseconds(1))
        #expect(retry?.on == [.connect])
        #expect(try binding("retry: false", upstream: "retry: {attempts: 4}").retry == .off)
        #expect(try binding("retry: {on: reset}", upstream: "retry: false").retry?.attempts == 3)
        #expect(try binding("hedge: false", upstream: "hedge: p90").hedge == nil)
        #expect(try binding("", upstream: "hedge: p90").hedge == .percentile(90))
    }

    @Test(arguments: [
        ("p50", HedgePolicy.percentile(50)), ("p99", .percentile(99)), ("20ms", .after(.milliseconds(20))),
    ])
    func readsHedges(_ text: String, _ hedge: HedgePolicy) throws {
        #expect(try binding("hedge: \(text)").hedge == hedge)
    }

    @Test func readsBreakersAndHealth() throws {
        let upstream = try upstream(
            "breaker: {failures: 2, errors: 10%, requests: 5, window: 1s, rest: 20s, slow-start: 0, resting-max: 30%, "
                + "refuse: false}, health: {path: /up, every: 1s, timeout: 2s, healthy: 1, unhealthy: 4}, "
                + "retry-budget: {share: 5%, per-second: 0}")
        #expect(upstream.breaker?.failures == 2)
        #expect(upstream.breaker?.errorPercent == 10)
        #expect(upstream.breaker?.restMax == .seconds(20))
        #expect(upstream.breaker?.restingPercentMax == 30)
        #expect(upstream.breaker?.refuses == false)
        #expect(upstream.health?.path == "/up")
        #expect(upstream.health?.unhealthy == 4)
        #expect(upstream.retryBudget.sharePercent == 5)
        #expect(upstream.retryBudget.perSecond == 0)
        #expect(try self.upstream("breaker: {}").breaker == BreakerPolicy())
    }

    @Test(arguments: [
        ("retry: 3", "1:38: the text '3' is no retry policy → {attempts: 3}"),
        ("retry: {attempts: 1}", "1:49: 1 is out of range"),
        ("retry: {on: conect}", "1:43: the text 'conect' is nothing to retry on → connect"),
        ("retry: {on: [200]}", "1:44: the text '200' is nothing to retry on"),
        ("retry: {backoff: 2s, backoff-max: 1s}", "1:39: 'backoff' is longer than 'backoff-max'"),
        ("hedge: 95", "1:38: the text '95' does not say when to hedge → p95"),
        ("hedge: p100", "1:38: the text 'p100' does not say when to hedge"),
        ("hedge: 0", "1:38: the text '0' does not say when to hedge"),
        ("breaker: {errors: 50}", "1:49: the text '50' where a share is wanted → 50%"),
        ("breaker: {errors: 101%}", "1:49: the text '101%' where a share is wanted"),
        ("breaker: {rest: 2s, rest-max: 1s}", "1:41: 'rest' is longer than 'rest-max'"),
        ("breaker: 5", "1:40: the text '5' is no breaker"),
        ("health: {every: 1s}", "1:39: key 'path' is missing"),
        ("health: {path: up}", "1:46: 'up' is no path"),
        ("health: {path: /, every: 0}", "1:56: a wait of nothing never succeeds"),
    ])
    func refuses(_ text: String, _ mistake: String) {
        #expect(
            Bench("upstreams: {a: {url: x, \(text)}}\n".replacing("url: x", with: "url: unix:/x")).mistakes
                == [mistake])
    }

    @Test(arguments: [
        ("health: {path: /}", "1:31: 'health' has no effect on the only endpoint of an upstream"),
        ("breaker: {resting-max: 10%}", "1:41: 'resting-max' has no effect where requests are refused"),
    ])
    func warns(_ text: String, _ warning: String) {
        let warnings = Bench(
            "upstreams: {a: {url: unix:/x, \(text)}}\nbindings: {GET /x: {to: a /x}}\n"
        ).warnings
        #expect(warnings.contains { $0.hasPrefix(warning) }, "\(warnings)")
    }

    @Test func whatCannotBeSentTwiceIsNotHedged() throws {
        let bench = Bench("upstreams: {a: {url: http://x}}\nbindings:\n  POST /x: {to: a /x, hedge: p95}\n")
        #expect(bench.mistakes == ["3:23: POST cannot be sent twice"])
        let inherited = Bench("upstreams: {a: {url: http://x, hedge: p95}}\nbindings:\n  POST /x: {to: a /x}\n")
        #expect(inherited.configuration().bindings.first?.hedge == nil)
    }

    /// A POST is sent again only where it has not been sent yet.
    @Test func refusesWhatNeverHappens() {
        func bench(_ key: String, _ retry: String, _ target: String = "/x") -> Bench {
            Bench("upstreams: {a: {url: http://127.0.0.1}}\nbindings:\n  \(key): {to: a \(target), retry: \(retry)}\n")
        }
        let never = "3:23: POST cannot be sent twice, so this never happens"
        #expect(bench("POST /x", "{on: 503}").mistakes == [never])
        #expect(bench("GET /x", "{on: [reset, 503]}", "POST /x").mistakes == [never.replacing("3:23", with: "3:27")])
        #expect(bench("POST /x", "{on: connect}").mistakes == [])
        #expect(bench("POST /x", "{attempts: 2}").load().warnings == [])
        #expect(
            bench("POST /x", "{on: [connect, 503]}").warnings == [
                "3:23: POST cannot be sent twice: of these, only 'connect' has an effect → write on: connect"
            ])
        #expect(bench("GET|POST /x", "{on: 503}").mistakes == [])
        #expect(bench("ANY /x", "{on: 503}").mistakes == [])
        #expect(bench("POST /x", "false").mistakes == [])
    }
}
