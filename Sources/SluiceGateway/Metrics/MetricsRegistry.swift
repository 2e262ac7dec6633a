public import SluiceContract
internal import Synchronization

/// The counters of all event loops of a process, by name. Each loop has its own slab for every name (``CounterSlab``);
/// a reader adds them up.
///
/// A name keeps its place from one configuration to the next, so that a reload loses no count; names that are no longer
/// configured stay until the process ends. The number of names is bounded: further ones share one place, `(other)`.
public final class MetricsRegistry: Sendable {
    static let bindingsMax = 4096
    static let upstreamsMax = 1024
    static let endpointsMax = 4096
    static let other = "(other)"
    /// The name for requests without a matching binding.
    static let unbound = "(none)"
    /// The name for the gateway's own requests, to token endpoints.
    static let own = "(credentials)"

    enum Subject: Int, CaseIterable {
        case binding, upstream, endpoint, loop

        var namesMax: Int {
            switch self {
            case .binding: MetricsRegistry.bindingsMax
            case .upstream: MetricsRegistry.upstreamsMax
            case .endpoint: MetricsRegistry.endpointsMax
            case .loop: 1024
            }
        }
    }

    /// A name, and the slab of each loop for it.
    struct Entry {
        let name: String
        fileprivate(set) var slabs: [Int: CounterSlab] = [:]

        /// Whether the entry is for the gateway itself, as the upstream of composed answers; it has no connections.
        func isOfParts(_ subject: Subject) -> Bool {
            switch subject {
            case .upstream: name == Composition.upstreamName
            case .endpoint: name.hasPrefix(Composition.upstreamName + " ")
            case .binding, .loop: false
            }
        }

        var all: [CounterSlab] { slabs.keys.sorted().compactMap { slabs[$0] } }
    }

    private struct Series {
        var entries: [Entry] = []
        var places: [String: Int] = [:]
    }

    let buckets: TimeBuckets
    let turnBuckets = TimeBuckets(LoopCells.turnBounds)
    let drift = DriftLedger()
    let exemplars = Exemplars()
    /// Counts the spans that the loops have handed over.
    public let traces = TraceTally()
    let release: String
    /// Seconds since 1970.
    let startedAt: Int
    private let series = Mutex([Series](repeating: Series(), count: Subject.allCases.count))
    private let loops = Atomic<Int>(0)

    /// - Parameters:
    ///   - release: the version of Sluice.
    ///   - startedAt: when the process began, in seconds since 1970.
    public init(_ settings: MetricsSettings = MetricsSettings(), release: String = "", startedAt: Int = 0) {
        buckets = TimeBuckets(settings.buckets)
        self.release = release
        self.startedAt = startedAt
    }

    deinit {
        series.withLock { series in
            for entry in series.lazy.flatMap(\.entries) {
                for slab in entry.slabs.values { slab.deallocate() }
            }
        }
        buckets.deallocate()
        turnBuckets.deallocate()
    }

    /// The number for a new loop.
    func nextLoop() -> Int { loops.add(1, ordering: .relaxed).oldValue }

    /// The slab of `loop` for a name; made if there is none.
    func slab(_ subject: Subject, _ name: String, of loop: Int) -> CounterSlab {
        series.withLock { all in
            let place = Self.place(of: name, in: &all[subject.rawValue], most: subject.namesMax)
            if let known = all[subject.rawValue].entries[place].slabs[loop] { return known }
            let slab = CounterSlab(count: cellCount(subject))
            all[subject.rawValue].entries[place].slabs[loop] = slab
            return slab
        }
    }

    private static func place(of name: String, in series: inout Series, most: Int) -> Int {
        if let known = series.places[name] { return known }
        let name = series.entries.count < most ? name : other
        if let known = series.places[name] { return known }
        series.places[name] = series.entries.count
        series.entries.append(Entry(name: name))
        return series.entries.count - 1
    }

    private func cellCount(_ subject: Subject) -> Int {
        switch subject {
        case .binding: BindingCells.count(buckets)
        case .upstream: UpstreamCells.count(buckets)
        case .endpoint: EndpointCells.count
        case .loop: LoopCells.count(turnBuckets)
        }
    }

    /// How many answers of a binding have been checked against their types, on all loops.
    func checkedAnswers(of binding: String) -> UInt64 {
        series.withLock { all in
            let series = all[Subject.binding.rawValue]
            guard let place = series.places[binding] else { return 0 }
            return series.entries[place].all.sum(BindingCells.checked)
        }
    }

    /// All entries of a kind, in the order in which they were made.
    func entries(_ subject: Subject) -> [Entry] { series.withLock { $0[subject.rawValue].entries } }
}
