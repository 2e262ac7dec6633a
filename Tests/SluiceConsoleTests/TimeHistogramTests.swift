import Testing

@testable import SluiceConsole

@Suite struct TimeHistogramTests {
    private static func histogram(_ counts: [Double], bounds: [String] = ["0.1", "0.5", "+Inf"]) -> TimeHistogram {
        var histogram = TimeHistogram()
        for (bound, count) in zip(bounds, counts) { histogram.add(bound, count) }
        return histogram
    }

    /// As `histogram_quantile` of Prometheus.
    @Test(
        arguments: [
            ([0, 0, 0], 0.5, nil), ([10, 10, 10], 0.5, 0.05), ([10, 10, 10], 1, 0.1), ([0, 10, 10], 0.5, 0.3),
            ([5, 10, 10], 0.5, 0.1), ([5, 10, 10], 0.75, 0.3), ([0, 0, 10], 0.5, 0.5), ([90, 90, 100], 0.99, 0.5),
        ] as [([Double], Double, Double?)])
    func quantilesAreThoseOfPrometheus(_ counts: [Double], _ share: Double, _ seconds: Double?) {
        let found = Self.histogram(counts).quantile(share)
        #expect(found.map { ($0 * 1e9).rounded() } == seconds.map { ($0 * 1e9).rounded() })
    }

    @Test func differencesAreOfTheSameBuckets() {
        let new = Self.histogram([5, 8, 9])
        #expect(new.since(Self.histogram([1, 2, 3])) == Self.histogram([4, 6, 6]))
        #expect(new.since(nil) == new)
        #expect(new.since(Self.histogram([6, 8, 9])) == new, "it has begun anew")
        #expect(new.since(Self.histogram([1, 2, 3], bounds: ["0.2", "0.5", "+Inf"])) == new)
    }
}
