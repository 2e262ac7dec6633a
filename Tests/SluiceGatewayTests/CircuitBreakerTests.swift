import SluiceContract
import Testing

@testable import SluiceGateway

/// Every path between closed, open and half-open.
@Suite struct CircuitBreakerTests {
    private static let second: UInt64 = 1_000_000_000

    private static func breaker(_ edit: (inout BreakerPolicy) -> Void = { _ in }) -> CircuitBreaker {
        var policy = BreakerPolicy()
        policy.failures = 3
        policy.requestsMin = 10
        policy.rest = .seconds(1)
        policy.restMax = .seconds(4)
        policy.slowStart = .seconds(10)
        edit(&policy)
        return CircuitBreaker(CircuitBreaker.Rules(policy))
    }

    private static func fail(_ breaker: inout CircuitBreaker, _ count: Int, at now: UInt64) {
        for _ in 0..<count { breaker.failed(at: now, mayRest: true) }
    }

    @Test func opensAfterFailuresInARow() {
        var breaker = Self.breaker()
        Self.fail(&breaker, 2, at: 0)
        breaker.succeeded(at: 0)
        Self.fail(&breaker, 2, at: 0)
        #expect(breaker.isWell)
        Self.fail(&breaker, 1, at: 0)
        #expect(breaker.state == .open)
        #expect(!breaker.isWell)
    }

    @Test func opensWhereTooManyOfAWindowFail() {
        var breaker = Self.breaker()
        for index in 0..<9 {
            if index % 2 == 0 { breaker.succeeded(at: 0) } else { breaker.failed(at: 0, mayRest: true) }
        }
        #expect(breaker.isWell)
        breaker.failed(at: 0, mayRest: true)
        #expect(breaker.state == .open)
    }

    /// What lies further back than a window does not count.
    @Test func aWindowForgets() {
        var breaker = Self.breaker()
        for index in 0..<9 {
            if index % 2 == 0 { breaker.succeeded(at: 0) } else { breaker.failed(at: 0, mayRest: true) }
        }
        breaker.failed(at: 10 * Self.second, mayRest: true)
        #expect(breaker.isWell)
    }

    @Test func doesNotOpenWhereTooManyOthersRest() {
        var breaker = Self.breaker()
        for _ in 0..<20 { breaker.failed(at: 0, mayRest: false) }
        #expect(breaker.isWell)
        breaker.failed(at: 0, mayRest: true)
        #expect(!breaker.isWell)
    }

    @Test func oneRequestTriesAfterARest() {
        var breaker = Self.breaker()
        Self.fail(&breaker, 3, at: 0)
        #expect(!breaker.isDue(at: Self.second - 1))
        #expect(breaker.isDue(at: Self.second))
        breaker.tried(at: Self.second)
        #expect(!breaker.isDue(at: Self.second))
        // Its outcome never becomes known.
        #expect(breaker.isDue(at: 2 * Self.second))
        breaker.succeeded(at: 2 * Self.second)
        #expect(breaker.isWell)
    }

    /// What began before the endpoint was left alone says nothing about it now.
    @Test func lateOutcomesChangeNothing() {
        var breaker = Self.breaker()
        Self.fail(&breaker, 3, at: 0)
        breaker.succeeded(at: 1)
        #expect(breaker.state == .open)
        Self.fail(&breaker, 5, at: 2)
        #expect(breaker.until == Self.second)
    }

    @Test func restsGrowUpToTheirBound() {
        var breaker = Self.breaker()
        var now: UInt64 = 0
        Self.fail(&breaker, 3, at: now)
        for seconds in [1, 2, 4, 4, 4] as [UInt64] {
            #expect(breaker.until - now == seconds * Self.second)
            now = breaker.until
            breaker.tried(at: now)
            breaker.failed(at: now, mayRest: true)
        }
        breaker.tried(at: breaker.until)
        breaker.succeeded(at: breaker.until)
        // Well for longer than the longest rest: it begins with short ones again.
        now = breaker.until + 5 * Self.second
        Self.fail(&breaker, 3, at: now)
        #expect(breaker.until - now == Self.second)
    }

    @Test func theShareGrowsSlowly() {
        var breaker = Self.breaker()
        #expect(breaker.share(at: 0) == 100)
        Self.fail(&breaker, 3, at: 0)
        breaker.tried(at: Self.second)
        breaker.succeeded(at: Self.second)
        #expect(breaker.share(at: Self.second) == 10)
        #expect(breaker.share(at: 6 * Self.second) == 50)
        #expect(breaker.share(at: 11 * Self.second) == 100)
    }

    @Test func probesCountForMore() {
        var breaker = Self.breaker()
        breaker.probed(isHealthy: false, at: 0)
        #expect(!breaker.isWell)
        #expect(!breaker.isDue(at: 100 * Self.second))
        breaker.probed(isHealthy: true, at: 0)
        #expect(breaker.isWell)
        Self.fail(&breaker, 3, at: 0)
        breaker.probed(isHealthy: true, at: 1)
        #expect(breaker.isWell)
    }
}
