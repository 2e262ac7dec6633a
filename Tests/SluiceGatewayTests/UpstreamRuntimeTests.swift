import SluiceContract
import SluiceHTTP
import SluiceHTTP2
import Testing

@testable import SluiceGateway

/// Which endpoint is picked.
@Suite struct UpstreamRuntimeTests {
    private static let second: UInt64 = 1_000_000_000
    /// Keeps what the upstreams of these tests count.
    private static let registry = MetricsRegistry()

    static func runtime(_ count: Int, _ edit: (inout Upstream) -> Void = { _ in }) -> UpstreamRuntime {
        let settings = Build.upstream {
            $0.alternates = (1..<count).map { .tcp(host: "fruit\($0).example", port: 80, tls: false) }
            edit(&$0)
        }
        return UpstreamRuntime(
            settings, meter: .upstream(settings, after: nil),
            http2: HTTP2UpstreamStreams(limits: HTTP2Limits(towardsUpstreams: Limits())), now: 0,
            cells: LoopMetrics(registry).upstream(settings.name))
    }

    /// How often each endpoint is picked.
    private static func picks(
        _ runtime: UpstreamRuntime, _ count: Int = 3000, at now: UInt64 = 0, avoiding tried: Int? = nil,
        mayTry: Bool = false
    ) -> [Int] {
        var random = RandomSource(seed: 3)
        var picks = Array(repeating: 0, count: runtime.endpoints.count)
        for _ in 0..<count {
            let picked = runtime.pick(
                at: now, avoiding: tried.map { runtime.endpoints[$0] }, mayTry: mayTry, &random)
            guard let index = runtime.endpoints.firstIndex(where: { $0 === picked }) else { continue }
            picks[index] += 1
        }
        return picks
    }

    private static func knockOut(_ endpoint: Endpoint, of runtime: UpstreamRuntime, at now: UInt64 = 0) {
        for _ in 0..<5 { runtime.failed(endpoint, at: now) }
    }

    @Test func idleEndpointsShareEvenly() {
        for count in Self.picks(Self.runtime(3)) { #expect((900...1100).contains(count)) }
    }

    @Test func theLessLoadedOfTwoIsPicked() throws {
        let runtime = Self.runtime(3)
        for _ in 0..<2 { _ = runtime.endpoints[0].pool.lease(Fetch(try Self.fetches)) }
        _ = runtime.endpoints[1].pool.lease(Fetch(try Self.fetches))
        // The most loaded loses every comparison; the least loaded wins two pairs of three.
        let picks = Self.picks(runtime)
        #expect(picks[0] == 0)
        #expect((900...1100).contains(picks[1]))
    }

    private static var fetches: FetchPool {
        get throws { try Bench(Build.configuration([])).gateway.corridor.fetches }
    }

    @Test func whoRestsIsNotPicked() {
        let runtime = Self.runtime(3)
        Self.knockOut(runtime.endpoints[1], of: runtime)
        let picks = Self.picks(runtime)
        #expect(picks[1] == 0)
        #expect(picks[0] > 1300)
    }

    /// At most half of three endpoints is one of them.
    @Test func notTooManyRest() {
        let runtime = Self.runtime(3)
        for endpoint in runtime.endpoints { Self.knockOut(endpoint, of: runtime) }
        #expect(runtime.endpoints.count { !$0.breaker.isWell } == 1)
    }

    @Test func whereAllRestAllAreAsked() {
        let runtime = Self.runtime(2) {
            $0.breaker = BreakerPolicy()
            $0.breaker?.refuses = false
            $0.breaker?.restingPercentMax = 100
        }
        for endpoint in runtime.endpoints { Self.knockOut(endpoint, of: runtime) }
        for count in Self.picks(runtime) { #expect(count > 1300) }
    }

    @Test func whereAllRestAndRefuseNothingIsPicked() {
        let runtime = Self.runtime(2) { $0.breaker = BreakerPolicy() }
        for endpoint in runtime.endpoints { Self.knockOut(endpoint, of: runtime) }
        #expect(Self.picks(runtime) == [0, 0])
        #expect(runtime.restSeconds(at: 0) == 1)
        // One tries once the rest is over, whatever the request; then it is the next one's turn.
        #expect(Self.picks(runtime, at: Self.second) == [1, 1])
    }

    /// A request that may be repeated is taken for the trial; others go where all is well.
    @Test func trialsAreRequestsThatMayBeRepeated() {
        let runtime = Self.runtime(2)
        Self.knockOut(runtime.endpoints[0], of: runtime)
        #expect(Self.picks(runtime, at: Self.second, mayTry: false)[0] == 0)
        #expect(Self.picks(runtime, at: Self.second, mayTry: true)[0] == 1)
    }

    @Test func whoIsBackGetsLess() {
        let runtime = Self.runtime(2)
        Self.knockOut(runtime.endpoints[0], of: runtime)
        #expect(Self.picks(runtime, 1, at: Self.second, mayTry: true) == [1, 0])
        runtime.endpoints[0].breaker.succeeded(at: Self.second)
        #expect(Self.picks(runtime, at: Self.second)[0] < 500)
        #expect(Self.picks(runtime, at: 6 * Self.second)[0] < 1100)
        #expect(Self.picks(runtime, at: 20 * Self.second)[0] > 1300)
    }

    @Test func whatWasTriedIsAvoided() {
        #expect(Self.picks(Self.runtime(2), avoiding: 0)[0] == 0)
        #expect(Self.picks(Self.runtime(1), avoiding: 0)[0] == 3000)
    }

    /// Whether the next request may go there does not depend on one that went: there may be none for long.
    @Test func whoMayBeTriedIsAskable() {
        let runtime = Self.runtime(2)
        let endpoint = runtime.endpoints[1]
        #expect(endpoint.isAskable(at: 0))
        Self.knockOut(endpoint, of: runtime)
        #expect(!endpoint.isAskable(at: 0))
        #expect(endpoint.isAskable(at: Self.second) && !endpoint.isWell(at: Self.second))
        endpoint.restsUntil = 2 * Self.second
        #expect(!endpoint.isAskable(at: Self.second))
        endpoint.restsUntil = 0
        endpoint.breaker.probed(isHealthy: false, at: Self.second)
        #expect(!endpoint.isAskable(at: 9 * Self.second))
    }

    /// RFC 9110 §10.2.3: whoever asks for patience gets it while there are others.
    @Test func retryAfterIsObeyed() {
        let runtime = Self.runtime(2)
        runtime.endpoints[1].restsUntil = Self.second
        #expect(Self.picks(runtime)[1] == 0)
        #expect(Self.picks(runtime, at: Self.second)[1] > 1300)
    }
}
