/// Drift findings that are stored over restarts.
extension MetricsRegistry {
    /// A number that differs whenever something has changed.
    public var driftRevision: Int { drift.revision }

    public var driftRecords: [DriftRecord] { drift.records { self.checkedAnswers(of: $0) } }

    /// Restores the findings of an earlier process.
    public func restoreDrift(_ records: [DriftRecord]) {
        drift.restore(records) { self.checkedAnswers(of: $0) }
    }
}
