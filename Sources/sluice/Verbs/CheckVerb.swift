internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceJSON
internal import SluiceRules

/// `sluice check FILE`: every mistake of a configuration file in one run.
struct CheckVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "check",
        abstract: "Check a configuration file.",
        discussion: """
            Every mistake is told with file, line and column, what was expected and the nearest known name. An address \
            that another program has is a mistake; one that a running Sluice has is a warning. So is a secret that \
            cannot be seen from here: the daemon may be given it by somebody else; and so is an 'admin:' or a log \
            whose folder is not there.

              sluice check sluice.yaml
              sluice check sluice.yaml && sluice reload sluice.yaml
              sluice check --explain sluice.yaml
              sluice check --json - < sluice.yaml

            Exit codes: 0 the file is fine, 1 it has mistakes, 2 it cannot be read.
            """)

    @OptionGroup var page: PageOption

    @Flag(help: "Print the effective configuration: defaults filled in, secrets redacted; what is off is left out.")
    var explain = false

    @Flag(help: "Do not try the addresses under 'listen:', and do not look for the folders of 'admin:' and 'log:'.")
    var skipPorts = false

    @Flag(help: "Secrets that cannot be seen from here are mistakes: check as the daemon will read.")
    var strict = false

    @Flag(help: "Print mistakes and warnings as a JSON array, with file, line, column, severity, message and hint.")
    var json = false

    func validate() throws {
        if json, explain { throw ValidationError("--json and --explain are two things to print; give one") }
    }

    /// - Throws: exit code 2 where it cannot be read.
    private func read(_ source: ConfigurationFile) throws -> Loaded {
        guard json else { return try source.readOrExit() }
        do throws(UnreadableFile) {
            return try source.read()
        } catch {
            let mistake = Mistake(file: error.path, line: 1, column: 1, message: "cannot be read: \(error.reason)")
            Say.print(Report.json(Report.findings(mistakes: [mistake], warnings: [])).text)
            throw ExitCode(2)
        }
    }

    func run() throws {
        let source = ConfigurationFile(page.path, secrets: strict ? .required : .reported)
        let loaded = try read(source)
        var (mistakes, warnings) = (loaded.mistakes, loaded.warnings)
        if let configuration = loaded.configuration {
            if let mistake = source.compileMistake(loaded) { mistakes.append(mistake) }
            if !skipPorts {
                warnings += FolderCheck.warnings(configuration, in: source)
                let ports = Progress.during("looking who listens") { ListenCheck(configuration.listen, in: source) }
                warnings += ports.warnings
                mistakes += ports.mistakes
            }
        }
        if json {
            Say.print(Report.json(Report.findings(mistakes: mistakes, warnings: warnings)).text)
        } else {
            Report.tell(Report.findings(mistakes: [], warnings: warnings))
            Report.tell(Report.findings(mistakes: mistakes, warnings: []))
        }
        guard mistakes.isEmpty, let configuration = loaded.configuration else {
            if !json { Say.error("\(source.name): \(Count.words(mistakes.count, "mistake"))") }
            throw ExitCode(1)
        }
        if json { return }
        if explain {
            Say.print(Explain.yaml(configuration).printableLines, terminator: "")
        } else {
            let parts = [
                Count.words(configuration.bindings.count, "binding"),
                Count.words(configuration.upstreams.count, "upstream"),
                Count.words(configuration.types.count, "type"),
            ]
            let kept =
                configuration.inspect.map { "; 'inspect:' keeps up to \(Quantity.text(bytes: $0.bytesMax))" } ?? ""
            Say.print("\(source.name): \(parts.joined(separator: ", ")), no mistakes\(kept)")
        }
    }
}
