/// The counters of an upstream, by their index in a ``CounterSlab``.
enum UpstreamCells {
    /// How one attempt ended.
    enum Outcome: Int, CaseIterable {
        /// No connection could be made.
        case connect
        case informational, successful, redirection, clientError, serverError
        /// The connection broke.
        case lost
        case timeout
        /// The attempt was given up: the client left, or another attempt was quicker.
        case abandoned

        init(status: Int) { self = Outcome(rawValue: min(max(status / 100, 1), 5)) ?? .successful }

        var label: String {
            switch self {
            case .connect: "connect"
            case .informational: "1xx"
            case .successful: "2xx"
            case .redirection: "3xx"
            case .clientError: "4xx"
            case .serverError: "5xx"
            case .lost: "lost"
            case .timeout: "timeout"
            case .abandoned: "abandoned"
            }
        }
    }

    static let retries = Outcome.allCases.count
    static let hedges = retries + 1
    /// Retries that the retry budget did not allow.
    static let refusedRetries = hedges + 1
    static let dialled = refusedRetries + 1
    static let reused = dialled + 1
    // Gauges, as the loop last measured them.
    static let idleConnections = reused + 1
    static let busyConnections = idleConnections + 1
    static let waiting = busyConnections + 1
    static let streams = waiting + 1
    static let budget = streams + 1
    static let time = budget + 1

    static func count(_ buckets: TimeBuckets) -> Int { time + buckets.cellCount }
}

/// The gauges of an endpoint, by their index in a ``CounterSlab``, as the loop last measured them.
enum EndpointCells {
    /// 1 while the endpoint is configured.
    static let present = 0
    /// 1 while the next request may go to the endpoint.
    static let well = 1
    /// 1 while the circuit breaker is not closed.
    static let open = 2
    /// 1 while probes fail.
    static let down = 3
    static let count = 4
}
