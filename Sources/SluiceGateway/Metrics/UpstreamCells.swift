/// What is counted of an upstream, by its place in a ``CounterSlab``.
enum UpstreamCells {
    /// How one attempt ended.
    enum Outcome: Int, CaseIterable {
        /// No connection could be made.
        case connect
        case informational, successful, redirection, clientError, serverError
        /// The connection broke.
        case lost
        case timeout
        /// It was not wanted any more: its client left, or another attempt was quicker.
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
    /// Retries that the budget did not pay for.
    static let refusedRetries = hedges + 1
    static let dialled = refusedRetries + 1
    static let reused = dialled + 1
    // As they were when the loop looked last.
    static let idleConnections = reused + 1
    static let busyConnections = idleConnections + 1
    static let waiting = busyConnections + 1
    static let streams = waiting + 1
    static let budget = streams + 1
    static let time = budget + 1

    static func count(_ buckets: TimeBuckets) -> Int { time + buckets.cellCount }
}

/// What is known of an endpoint, by its place in a ``CounterSlab``: as it was when the loop looked last.
enum EndpointCells {
    /// 1 while it is configured.
    static let present = 0
    /// 1 while the next request may go there.
    static let well = 1
    /// 1 while the circuit breaker is not closed.
    static let open = 2
    /// 1 while probes find it unwell.
    static let down = 3
    static let count = 4
}
