internal import SluiceConsole
internal import SluiceGateway
internal import SluiceJSON

/// The outcome of a reload.
struct ReloadOutcome {
    /// The file that was read.
    var file: String
    /// Why the old configuration stays in force; nil where the new one is.
    var refusal: String?
    /// Mistakes and warnings of the configuration that was read.
    var findings: [Report.Finding] = []
    /// What is served now.
    var serving = ""
    /// Keys whose values in the file are not those of the daemon until a restart.
    var keysForRestart: [String] = []

    /// Differences from the configuration before.
    var changes: [ConfigurationChange] = []

    /// Why the old configuration stays in force, in sentences; none where the new one is.
    var faults: [String] {
        guard let refusal else { return [] }
        let mistakes = findings.filter { $0.severity == .error }.map { finding in
            "\(finding.file):\(finding.line):\(finding.column): \(finding.message)"
                + (finding.hint.map { "; \($0)" } ?? "")
        }
        return mistakes.isEmpty ? [refusal] : mistakes
    }

    /// For the client that asked over the admin socket.
    var verdict: ReloadVerdict {
        ReloadVerdict(
            isAccepted: refusal == nil,
            report: .object([
                ("accepted", .bool(refusal == nil)), ("summary", .string(summary)),
                ("restart_for", .array(keysForRestart.map { .string($0) })), ("findings", Report.json(findings)),
            ]))
    }

    private var summary: String {
        if let refusal { return "the old configuration stays in force: \(refusal)" }
        let rest = keysForRestart.isEmpty ? "" : "; a restart is needed for \(keysForRestart.joined(separator: ", "))"
        return "reloaded \(file): \(serving)\(rest)"
    }
}
