internal import ArgumentParser
internal import SluiceConfig
internal import SluiceJSON

/// How findings about a configuration file are told: to people, with the line that each is about; to the journal, with
/// their severity; and as JSON to programs.
enum Report {
    /// A mistake or a warning, here or as a daemon reports it.
    struct Finding: Decodable {
        var file: String
        var line: Int
        var column: Int
        var severity: Severity
        var message: String
        var hint: String?
        /// The line of the file and a mark under the place; not for programs, which have the file.
        var excerpt: String?

        private enum CodingKeys: CodingKey {
            case file, line, column, severity, message, hint
        }

        init(_ mistake: Mistake, _ severity: Severity) {
            file = mistake.file
            line = mistake.line
            column = mistake.column
            self.severity = severity
            message = mistake.message
            hint = mistake.hint
            excerpt = mistake.excerpt
        }
    }

    static func findings(mistakes: [Mistake], warnings: [Mistake]) -> [Finding] {
        mistakes.map { Finding($0, .error) } + warnings.map { Finding($0, .warning) }
    }

    /// Reports every mistake; the returned error ends the command with exit code 1.
    static func failure(_ mistakes: [Mistake]) -> ExitCode {
        tell(findings(mistakes: mistakes, warnings: []))
        return ExitCode(1)
    }

    static func tell(_ findings: [Finding]) {
        for finding in findings { Say.error(text(finding), finding.severity) }
    }

    private static func text(_ finding: Finding) -> String {
        let place = Style.error.bold("\(finding.file.printable):\(finding.line):\(finding.column):")
        let isMistake = finding.severity == .error
        let lead = isMistake ? "" : Style.error.yellow("warning:") + " "
        // A page may come from elsewhere: its text must not control the terminal.
        let words = finding.message.printableLines
        let message = isMistake ? Style.error.red(words) : words
        let hint = finding.hint.map { "; \($0.printableLines)" } ?? ""
        return "\(lead)\(place) \(message)\(hint)" + (finding.excerpt.map { "\n" + $0.printableLines } ?? "")
    }

    static func json(_ findings: [Finding]) -> JSONValue {
        .array(
            findings.map { finding in
                .object([
                    ("file", .string(finding.file)), ("line", .number(finding.line)),
                    ("column", .number(finding.column)), ("severity", .string(finding.severity.rawValue)),
                    ("message", .string(finding.message)), ("hint", finding.hint.map { .string($0) } ?? .null),
                ])
            })
    }
}
