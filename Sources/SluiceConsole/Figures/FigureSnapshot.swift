/// The values of a metrics page at one moment, as far as `sluice top` shows them.
public struct FigureSnapshot: Sendable {
    struct Traffic: Equatable {
        var requests = 0.0
        /// Answers of the gateway with status 5xx.
        var errors = 0.0
        var hits = 0.0
        var cached = 0.0
        var times = TimeHistogram()
    }

    struct Upstream: Equatable {
        var attempts = 0.0
        var failures = 0.0
        var idle = 0.0
        var busy = 0.0
        var waiting = 0.0
        var times = TimeHistogram()
        var endpoints: [Endpoint] = []
    }

    struct Endpoint: Equatable {
        var address: String
        var loops = 0.0
        var well = 0.0
        var open = 0.0
        var down = 0.0
    }

    /// Seconds of a monotonic clock.
    let time: Double
    public let version: String
    /// How long the daemon has been up, in seconds.
    let uptime: Double
    /// In seconds since 1970; tells a restarted daemon from the earlier one.
    let startedAt: Double
    let exchanges: Double
    let connections: Double
    let entries: Double
    let cacheBytes: Double
    /// Values that were not of their declared type.
    let drift: Double
    private(set) var bindings: [String: Traffic] = [:]
    private(set) var upstreams: [String: Upstream] = [:]
    /// In the order of the page.
    private(set) var bindingNames: [String] = []
    private(set) var upstreamNames: [String] = []

    private static let names: Set = [
        "sluice_build_info", "sluice_start_time_seconds", "sluice_requests_total", "sluice_cache_requests_total",
        "sluice_request_duration_seconds_bucket", "sluice_upstream_attempts_total",
        "sluice_upstream_attempt_duration_seconds_bucket", "sluice_upstream_connections",
        "sluice_upstream_waiting_requests", "sluice_endpoint_loops", "sluice_endpoint_loops_well",
        "sluice_endpoint_loops_open", "sluice_endpoint_loops_down", "sluice_exchanges", "sluice_client_connections",
        "sluice_cache_entries", "sluice_cache_memory_bytes", "sluice_type_faults_total",
    ]
    /// The outcomes of attempts that count as failed.
    private static let failures: Set = ["5xx", "connect", "lost", "timeout"]

    /// - Parameters:
    ///   - page: the metrics, in the text format 0.0.4.
    ///   - time: when the page arrived, in seconds of a monotonic clock.
    ///   - unixTime: the same moment in seconds since 1970.
    public init(_ page: String, at time: Double, unixTime: Double) {
        let reading = MetricsReading(page, names: Self.names)
        self.time = time
        version = reading["sluice_build_info"].first?.labels["version"] ?? "?"
        startedAt = reading.sum("sluice_start_time_seconds")
        uptime = max(1, unixTime - startedAt)
        exchanges = reading.sum("sluice_exchanges")
        connections = reading.sum("sluice_client_connections")
        entries = reading.sum("sluice_cache_entries")
        cacheBytes = reading.sum("sluice_cache_memory_bytes")
        drift = reading.sum("sluice_type_faults_total")
        readBindings(reading)
        readUpstreams(reading)
        readEndpoints(reading)
    }

    private mutating func readBindings(_ reading: MetricsReading) {
        for sample in reading["sluice_requests_total"] {
            edit(sample) { traffic in
                traffic.requests += sample.value
                if sample.labels["status"] == "5xx" { traffic.errors += sample.value }
            }
        }
        for sample in reading["sluice_cache_requests_total"] where sample.labels["outcome"] != "collapsed" {
            edit(sample) { traffic in
                traffic.cached += sample.value
                if sample.labels["outcome"] == "hit" { traffic.hits += sample.value }
            }
        }
        for sample in reading["sluice_request_duration_seconds_bucket"] {
            edit(sample) { $0.times.add(sample.labels["le"] ?? "", sample.value) }
        }
    }

    private mutating func edit(_ sample: MetricsReading.Sample, _ body: (inout Traffic) -> Void) {
        let name = sample.labels["binding"] ?? "?"
        if bindings[name] == nil { bindingNames.append(name) }
        body(&bindings[name, default: Traffic()])
    }

    private mutating func readUpstreams(_ reading: MetricsReading) {
        for sample in reading["sluice_upstream_attempts_total"] {
            editUpstream(sample) { upstream in
                upstream.attempts += sample.value
                if Self.failures.contains(sample.labels["outcome"] ?? "") { upstream.failures += sample.value }
            }
        }
        for sample in reading["sluice_upstream_attempt_duration_seconds_bucket"] {
            editUpstream(sample) { $0.times.add(sample.labels["le"] ?? "", sample.value) }
        }
        for sample in reading["sluice_upstream_connections"] {
            editUpstream(sample) { upstream in
                if sample.labels["state"] == "busy" {
                    upstream.busy += sample.value
                } else {
                    upstream.idle += sample.value
                }
            }
        }
        for sample in reading["sluice_upstream_waiting_requests"] {
            editUpstream(sample) { $0.waiting += sample.value }
        }
    }

    private mutating func editUpstream(_ sample: MetricsReading.Sample, _ body: (inout Upstream) -> Void) {
        let name = sample.labels["upstream"] ?? "?"
        if upstreams[name] == nil { upstreamNames.append(name) }
        body(&upstreams[name, default: Upstream()])
    }

    private mutating func readEndpoints(_ reading: MetricsReading) {
        let columns: [(String, WritableKeyPath<Endpoint, Double>)] = [
            ("sluice_endpoint_loops", \.loops), ("sluice_endpoint_loops_well", \.well),
            ("sluice_endpoint_loops_open", \.open), ("sluice_endpoint_loops_down", \.down),
        ]
        for (name, column) in columns {
            for sample in reading[name] {
                let address = sample.labels["endpoint"] ?? "?"
                editUpstream(sample) { upstream in
                    let known = upstream.endpoints.firstIndex { $0.address == address }
                    if known == nil { upstream.endpoints.append(Endpoint(address: address)) }
                    upstream.endpoints[known ?? upstream.endpoints.count - 1][keyPath: column] += sample.value
                }
            }
        }
    }
}
