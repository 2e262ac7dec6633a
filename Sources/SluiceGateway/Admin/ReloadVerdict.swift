public import SluiceJSON

/// The outcome of a reload that was requested at the admin socket.
public struct ReloadVerdict: Sendable {
    /// Whether the new configuration is in force.
    public var isAccepted: Bool
    /// What its client is told.
    public var report: JSONValue

    public init(isAccepted: Bool, report: JSONValue) {
        self.isAccepted = isAccepted
        self.report = report
    }
}
