import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct MetricsRegistryTests {
    @Test func loopsAreAddedUp() {
        let registry = MetricsRegistry()
        let loops = [LoopMetrics(registry), LoopMetrics(registry)]
        loops[0].binding("a").add(2, at: BindingCells.sentBytes)
        loops[1].binding("a").add(5, at: BindingCells.sentBytes)
        loops[1].binding("b").add(1, at: BindingCells.sentBytes)
        let sums = registry.entries(.binding).map { ($0.name, $0.all.sum(BindingCells.sentBytes)) }
        #expect(sums.map(\.0) == [MetricsRegistry.unbound, "a", "b"])
        #expect(sums.map(\.1) == [0, 7, 1])
    }

    /// A name keeps its place, and what was counted there.
    @Test func aNameIsCountedOn() {
        let registry = MetricsRegistry()
        let loop = LoopMetrics(registry)
        loop.binding("a").add(at: BindingCells.hits)
        loop.binding("a").add(at: BindingCells.hits)
        #expect(loop.binding("a").value(BindingCells.hits) == 2)
    }

    @Test func namesBeyondTheLimitShareOnePlace() {
        let registry = MetricsRegistry()
        let loop = LoopMetrics(registry)
        for number in 0..<MetricsRegistry.upstreamsMax + 10 {
            loop.upstream("u\(number)").add(at: UpstreamCells.hedges)
        }
        let entries = registry.entries(.upstream)
        #expect(entries.count == MetricsRegistry.upstreamsMax + 1)
        #expect(entries.last?.name == MetricsRegistry.other)
        #expect(entries.last?.all.sum(UpstreamCells.hedges) == 11)
    }

    /// A bound is the largest time of its bucket.
    @Test(arguments: [
        (0, 0), (1, 0), (1_000_000, 0), (1_000_001, 1), (2_000_000, 1), (5_000_000, 2), (5_000_001, 3), (UInt64.max, 3),
    ])
    func timesFindTheirBucket(_ nanoseconds: UInt64, _ bucket: Int) {
        let buckets = TimeBuckets([.milliseconds(1), .milliseconds(2), .milliseconds(5)])
        let slab = CounterSlab(count: buckets.cellCount)
        defer {
            slab.deallocate()
            buckets.deallocate()
        }
        buckets.record(nanoseconds, in: slab, at: 0)
        #expect(slab.value(0) == nanoseconds)
        for other in 0...3 { #expect(slab.value(1 + other) == (other == bucket ? 1 : 0)) }
    }
}
