public import SluiceGateway

/// Findings of drift, for the keeper that stores them over restarts.
extension Server {
    /// Changes whenever drift is found.
    public var driftRevision: Int { metrics.driftRevision }
    public var driftRecords: [DriftRecord] { metrics.driftRecords }

    /// Restores the findings of an earlier process; to be called before ``start(inherited:)``.
    public func restoreDrift(_ records: [DriftRecord]) { metrics.restoreDrift(records) }
}
