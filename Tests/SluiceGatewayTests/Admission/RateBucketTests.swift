import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct RateBucketTests {
    private static let second: UInt64 = 1_000_000_000

    /// A burst, then one for each interval, and never more.
    @Test(arguments: [
        (RateLimit(10, per: .seconds(1)), 10), (RateLimit(10, per: .seconds(1), burst: 1), 1),
        (RateLimit(100, per: .seconds(1), burst: 20), 20), (RateLimit(5000, per: .seconds(3600), burst: 50), 50),
        (RateLimit(1, per: .seconds(10)), 1),
    ])
    func aBurstThenTheRate(limit: RateLimit, burst: Int) {
        let bucket = RateBucket(limit, name: "client")
        let start = 7 * Self.second
        for left in (0..<burst).reversed() { #expect(bucket.take(at: start) == .taken(left: left)) }
        let interval = limit.period.nanosecondsClamped / UInt64(limit.count)
        #expect(bucket.take(at: start) == .empty(wait: interval))
        #expect(bucket.take(at: start + interval - 1) == .empty(wait: 1))
        #expect(bucket.take(at: start + interval) == .taken(left: 0))
        #expect(bucket.take(at: start + interval) == .empty(wait: interval))
        #expect(!bucket.isFull(at: start))
        #expect(bucket.isFull(at: start + interval * UInt64(burst + 1)))
    }

    /// A refused request costs nothing.
    @Test func refusalsDoNotCount() {
        let bucket = RateBucket(RateLimit(1, per: .seconds(1)), name: "client")
        #expect(bucket.take(at: 0) == .taken(left: 0))
        for _ in 0..<1000 { _ = bucket.take(at: Self.second / 2) }
        #expect(bucket.take(at: Self.second) == .taken(left: 0))
    }

    @Test(arguments: [
        RateLimit(Int.max, per: .seconds(1)), RateLimit(1, per: .seconds(1 << 40), burst: Int.max),
        RateLimit(1_000_000_000, per: .milliseconds(1)),
    ])
    func extremesDoNotOverflow(limit: RateLimit) {
        let bucket = RateBucket(limit, name: "client")
        for now in [0, 1, Self.second, 1 << 61] {
            if case .taken = bucket.take(at: now) { continue }
            Issue.record("there is no token at \(now)")
        }
    }

    /// Exact over threads: nobody gets a token twice.
    @Test func isExactOverThreads() async {
        let bucket = RateBucket(RateLimit(1, per: .seconds(1), burst: 1000), name: "client")
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<1000).count { _ in if case .taken = bucket.take(at: Self.second) { true } else { false } }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(taken == 1000)
    }
}
