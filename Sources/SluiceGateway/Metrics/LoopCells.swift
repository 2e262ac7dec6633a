internal import SluiceContract

/// The counters of an event loop itself, by their index in a ``CounterSlab``.
enum LoopCells {
    static let accepted = 0
    static let acceptedHTTP2 = 1
    // Gauges, as the loop last measured them.
    static let connections = 2
    static let connectionsHTTP2 = 3
    static let exchanges = 4
    static let fills = 5
    static let upstreamConnections = 6
    static let waitingBytes = 7
    static let unlistedValues = 8
    static let watchers = 9
    static let watched = 10
    /// The histogram of how long turns take.
    static let turns = 11

    /// Bounds of that histogram: a turn between two waits normally takes microseconds.
    static let turnBounds: [Duration] = [
        .microseconds(100), .milliseconds(1), .milliseconds(10), .milliseconds(100), .seconds(1),
    ]

    static func count(_ buckets: TimeBuckets) -> Int { turns + buckets.cellCount }
}
