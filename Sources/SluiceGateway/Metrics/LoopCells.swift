internal import SluiceContract

/// What is counted of an event loop itself, by its place in a ``CounterSlab``.
enum LoopCells {
    static let accepted = 0
    static let acceptedHTTP2 = 1
    // As they were when the loop looked last.
    static let connections = 2
    static let connectionsHTTP2 = 3
    static let exchanges = 4
    static let fills = 5
    static let upstreamConnections = 6
    static let waitingBytes = 7
    static let unlistedValues = 8
    static let watchers = 9
    static let watched = 10
    /// How long turns take.
    static let turns = 11

    /// Bounds of the turns' histogram: what a loop does between two waits takes microseconds where all is well.
    static let turnBounds: [Duration] = [
        .microseconds(100), .milliseconds(1), .milliseconds(10), .milliseconds(100), .seconds(1),
    ]

    static func count(_ buckets: TimeBuckets) -> Int { turns + buckets.cellCount }
}
