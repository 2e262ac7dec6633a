public import SluiceContract

extension Binding {
    /// `error:`.
    public var errors: ErrorSettings {
        get {
            ErrorSettings(
                all: error ?? ErrorPaths(), byStatus: errorByStatus, reported: reportedError ?? ReportedError())
        }
        set { (error, errorByStatus, reportedError) = (newValue.all, newValue.byStatus, newValue.reported) }
    }
}
