public import SluiceJSON

/// What became of a reload that the admin socket was asked for.
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

extension Gateway {
    /// Reads the configuration again, and hands over the verdict once there is one; on any thread.
    public typealias Reloader = @Sendable (@escaping @Sendable (ReloadVerdict) -> Void) -> Void

    /// Has the owner reload. Verdicts come in the order of the questions, as the owner does one reload after the other.
    /// - Returns: whether there is somebody who reloads.
    func reload(for work: AdminWork) -> Bool {
        guard let reloader, let address else { return false }
        reloads.append(work)
        reloader { verdict in address.post { $0.reloadEnded(verdict) } }
        return true
    }

    private func reloadEnded(_ verdict: ReloadVerdict) {
        guard !reloads.isEmpty else { return }
        reloads.removeFirst().exchange?.answerJSON(verdict.report, status: verdict.isAccepted ? 200 : 409)
    }
}
