public import SluiceGateway

/// Findings of drift, for the keeper that stores them over restarts.
extension Server {
    /// Another number where something has been found since it was looked at.
    public var driftRevision: Int { metrics.driftRevision }
    public var driftRecords: [DriftRecord] { metrics.driftRecords }

    /// Goes on from what an earlier process has found; to be called before ``start(inherited:)``.
    public func restoreDrift(_ records: [DriftRecord]) { metrics.restoreDrift(records) }
}
