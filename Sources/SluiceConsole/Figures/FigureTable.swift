/// The figures between two snapshots, in rows; those since the start of the daemon where there is only one snapshot.
struct FigureTable {
    struct Row: Equatable {
        var name: String
        /// For an upstream: whether requests may go there.
        var state = ""
        /// Per second.
        var rate: Double
        /// In seconds, as is `slow`; nil where nothing was measured.
        var median: Double?
        var slow: Double?
        /// The share of all requests or attempts; nil where there were none.
        var errors: Double?
        /// The share of the requests to bindings with a cache.
        var hits: Double?
        var total: Double
        /// For upstreams only.
        var connections = 0.0
        var waiting = 0.0
    }

    let bindings: [Row]
    let upstreams: [Row]
    /// The totals of all bindings.
    let all: Row
    /// Whether the figures are for the time since the start.
    let isSinceStart: Bool

    init(_ new: FigureSnapshot, since old: FigureSnapshot?) {
        // A restarted daemon has counted nothing before.
        let old = old.flatMap { $0.time < new.time && $0.startedAt == new.startedAt ? $0 : nil }
        isSinceStart = old == nil
        let seconds = old.map { new.time - $0.time } ?? new.uptime
        bindings = new.bindingNames.map { name in
            Self.row(name, new.bindings[name] ?? .init(), old?.bindings[name] ?? .init(), seconds)
        }
        upstreams = new.upstreamNames.flatMap { name in
            Self.rows(name, new.upstreams[name] ?? .init(), old?.upstreams[name] ?? .init(), seconds)
        }
        all = Self.row("", Self.sum(new), old.map(Self.sum) ?? .init(), seconds)
    }

    private static func sum(_ snapshot: FigureSnapshot) -> FigureSnapshot.Traffic {
        snapshot.bindings.values.reduce(into: .init()) { all, one in
            all.requests += one.requests
            all.errors += one.errors
            all.hits += one.hits
            all.cached += one.cached
        }
    }

    private static func share(_ part: Double, of whole: Double) -> Double? { whole > 0 ? max(0, part) / whole : nil }

    private static func row(
        _ name: String, _ new: FigureSnapshot.Traffic, _ old: FigureSnapshot.Traffic, _ seconds: Double
    ) -> Row {
        let times = new.times.since(old.times)
        let requests = max(0, new.requests - old.requests)
        return Row(
            name: name, rate: requests / seconds, median: times.quantile(0.5), slow: times.quantile(0.99),
            errors: share(new.errors - old.errors, of: requests),
            hits: share(new.hits - old.hits, of: new.cached - old.cached), total: new.requests)
    }

    /// A row for each endpoint; the figures of the upstream are in the first one.
    private static func rows(
        _ name: String, _ new: FigureSnapshot.Upstream, _ old: FigureSnapshot.Upstream, _ seconds: Double
    ) -> [Row] {
        let times = new.times.since(old.times)
        let attempts = max(0, new.attempts - old.attempts)
        var first = Row(
            name: name, rate: attempts / seconds, median: times.quantile(0.5), slow: times.quantile(0.99),
            errors: share(new.failures - old.failures, of: attempts), hits: nil, total: new.attempts)
        first.connections = new.idle + new.busy
        first.waiting = new.waiting
        guard let lead = new.endpoints.first else { return attempts > 0 || new.attempts > 0 ? [first] : [] }
        first.state = state(lead)
        first.name = "\(name) \(lead.address)"
        return [first]
            + new.endpoints.dropFirst().map { endpoint in
                var row = Row(name: "\(name) \(endpoint.address)", rate: 0, total: 0)
                row.state = state(endpoint)
                return row
            }
    }

    private static func state(_ endpoint: FigureSnapshot.Endpoint) -> String {
        if endpoint.down > 0 { return endpoint.down < endpoint.loops ? "part down" : "down" }
        if endpoint.open > 0 { return endpoint.open < endpoint.loops ? "part open" : "open" }
        return "well"
    }
}
