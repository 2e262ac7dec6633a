internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The counters of a binding, by their index in a ``CounterSlab``.
enum BindingCells {
    /// Requests by method and by the first digit of the status; 0 where the client left before there was a status.
    static let classCount = 6
    private static let requests = 0
    static let receivedBytes = requests + Method.allCases.count * classCount
    static let sentBytes = receivedBytes + 1
    static let hits = sentBytes + 1
    static let collapsed = hits + 1
    /// Requests that composed answers made to this binding, and those that failed.
    static let parts = collapsed + 1
    static let failedParts = parts + 1
    /// Polls for clients that watch, and those that failed.
    static let polls = failedParts + 1
    static let failedPolls = polls + 1
    /// Events that were sent to watching clients, and changes that were skipped because a client was too slow.
    static let watchEvents = failedPolls + 1
    static let skippedChanges = watchEvents + 1
    /// Upstream answers that were checked against their types.
    static let checked = skippedChanges + 1
    private static let forwarded = checked + 1
    private static let problems = forwarded + Reuse.Reason.allCases.count
    private static let histograms = problems + Problem.Kind.allCases.count

    /// Three histograms: of the total time, of the time in the gateway, and of the time in the upstream.
    static func count(_ buckets: TimeBuckets) -> Int { histograms + 3 * buckets.cellCount }

    static let wholeTime = histograms
    static func gatewayTime(_ buckets: TimeBuckets) -> Int { histograms + buckets.cellCount }
    static func upstreamTime(_ buckets: TimeBuckets) -> Int { histograms + 2 * buckets.cellCount }

    @inline(__always)
    static func requests(_ method: Method, status: Int) -> Int {
        requests + Int(method.rawValue) * classCount + min(max(status / 100, 0), classCount - 1)
    }

    static func problem(_ kind: Problem.Kind) -> Int { problems + (problemOrder[kind] ?? 0) }

    static func forwarded(_ reason: Reuse.Reason) -> Int { forwarded + (reasonOrder[reason] ?? 0) }

    private static let problemOrder = Dictionary(uniqueKeysWithValues: zip(Problem.Kind.allCases, 0...))
    private static let reasonOrder = Dictionary(uniqueKeysWithValues: zip(Reuse.Reason.allCases, 0...))
}
