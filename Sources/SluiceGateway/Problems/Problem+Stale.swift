internal import SluiceContract

/// What an error means for a stale answer.
extension Problem {
    /// What the upstream answered, or said inside of its answer; nil where it did not, or its answer was of no use.
    var upstreamStatus: Int? { kind == .upstreamError || kind == .reportedError ? status : nil }

    /// Whether a stale answer may take its place (RFC 5861 §4): not that of an answer which says something of the
    /// resource, as a 404 does.
    var yieldsToStale: Bool { upstreamStatus.map { Self.staleStatuses.contains($0) } ?? true }

    static let staleStatuses: Set<Int> = [500, 502, 503, 504]
}
