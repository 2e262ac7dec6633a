/// The counters of one event loop.
final class LoopMetrics {
    let registry: MetricsRegistry
    let buckets: TimeBuckets
    /// Counters of the loop itself.
    let slab: CounterSlab
    /// Counters of requests without a matching binding.
    let unbound: CounterSlab
    let ownRequests: CounterSlab
    private let number: Int
    private let turnBuckets: TimeBuckets
    /// When the gauges are due next.
    private var dueAt: UInt64 = 0

    /// How old the gauges may get, on busy and on idle loops.
    private static let everyNanoseconds: UInt64 = 1_000_000_000

    init(_ registry: MetricsRegistry) {
        self.registry = registry
        buckets = registry.buckets
        turnBuckets = registry.turnBuckets
        number = registry.nextLoop()
        slab = registry.slab(.loop, "\(number)", of: number)
        unbound = registry.slab(.binding, MetricsRegistry.unbound, of: number)
        ownRequests = registry.slab(.upstream, MetricsRegistry.own, of: number)
    }

    func binding(_ name: String) -> CounterSlab { registry.slab(.binding, name, of: number) }
    func upstream(_ name: String) -> CounterSlab { registry.slab(.upstream, name, of: number) }

    func endpoint(_ address: String, of upstream: String) -> CounterSlab {
        registry.slab(.endpoint, Self.name(of: address, upstream), of: number)
    }

    /// The name of an endpoint's counters; unique, because no upstream's name has a blank.
    static func name(of address: String, _ upstream: String) -> String { "\(upstream) \(address)" }

    /// A turn of the loop has ended.
    @inline(__always)
    func turnEnded(after nanoseconds: UInt64) { turnBuckets.record(nanoseconds, in: slab, at: LoopCells.turns) }

    /// Whether the gauges are due.
    func isDue(at now: UInt64) -> Bool {
        guard now >= dueAt else { return false }
        dueAt = now &+ Self.everyNanoseconds
        return true
    }
}
