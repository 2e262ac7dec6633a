internal import SluiceContract

/// Whether a stale answer may replace an error.
extension Problem {
    /// The upstream's status, be it reported inside of its answer; nil where it did not answer, or not usably.
    var upstreamStatus: Int? { kind == .upstreamError || kind == .reportedError ? status : nil }

    /// Whether a stale answer may replace the error (RFC 5861 §4): not where the error says something about the
    /// resource, as a 404 does.
    var yieldsToStale: Bool { upstreamStatus.map { Self.staleStatuses.contains($0) } ?? true }

    static let staleStatuses: Set<Int> = [500, 502, 503, 504]
}
