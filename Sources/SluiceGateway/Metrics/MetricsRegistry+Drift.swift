/// What is kept of drift over restarts.
extension MetricsRegistry {
    /// Another number where something has changed since it was looked at.
    public var driftRevision: Int { drift.revision }

    public var driftRecords: [DriftRecord] { drift.records { self.checkedAnswers(of: $0) } }

    /// Goes on from what an earlier process has found.
    public func restoreDrift(_ records: [DriftRecord]) {
        drift.restore(records) { self.checkedAnswers(of: $0) }
    }
}
