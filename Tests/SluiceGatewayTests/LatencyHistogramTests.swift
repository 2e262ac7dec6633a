import Testing

@testable import SluiceGateway

@Suite struct LatencyHistogramTests {
    @Test func fewAnswersSayNothing() {
        var histogram = LatencyHistogram()
        for _ in 0..<LatencyHistogram.totalMin - 1 { histogram.record(nanoseconds: 1_000_000) }
        #expect(histogram.quantile(50) == nil)
        histogram.record(nanoseconds: 1_000_000)
        #expect(histogram.quantile(50) != nil)
    }

    /// At most an eighth too large, never too small.
    @Test(arguments: [50, 75, 90, 95, 99], [20_000, 1_000_000, 37_000_000, 900_000_000] as [UInt64])
    func quantilesAreNear(percent: Int, scale: UInt64) throws {
        var histogram = LatencyHistogram()
        for step in 1...1000 as ClosedRange<UInt64> { histogram.record(nanoseconds: scale + step * scale / 100) }
        let exact = scale + UInt64(percent) * 10 * scale / 100
        let estimate = try #require(histogram.quantile(percent))
        #expect(estimate >= exact)
        #expect(estimate <= exact + exact / 8 + 1)
    }

    @Test func oldAnswersFade() throws {
        var histogram = LatencyHistogram()
        for _ in 0..<2000 { histogram.record(nanoseconds: 1_000_000) }
        for _ in 0..<20_000 { histogram.record(nanoseconds: 50_000_000) }
        #expect(try #require(histogram.quantile(10)) >= 50_000_000)
    }

    @Test(arguments: [0, 1, 1 << 14, 1 << 40, .max] as [UInt64])
    func anyTimeHasItsPlace(nanoseconds: UInt64) {
        var histogram = LatencyHistogram()
        for _ in 0..<20 { histogram.record(nanoseconds: nanoseconds) }
        #expect(histogram.quantile(99) != nil)
    }
}
